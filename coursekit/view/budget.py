"""Where a context window goes: worked out for one setting, and shown as text."""

from __future__ import annotations

import copy
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass

from coursekit.context import group_interactions, restore
from coursekit.session import SessionEntry, parse_session_entry
from coursekit.view.facts import field
from coursekit.view.tables import Estimator, budget_table
from coursekit.view.text_width import clip, pad


@dataclass(frozen=True)
class BudgetSetting:
    """The four numbers of a budget, in tokens."""

    max_tokens: float
    system: float
    reserved_output: float
    safety_margin: float

    @property
    def fixed(self) -> float:
        """What is taken off the window before any message, in tokens."""
        return self.system + self.reserved_output + self.safety_margin


@dataclass(frozen=True)
class GroupShare:
    """One interaction: its number from 1, its entry ids, its cost, how many ids are kept."""

    number: int
    ids: tuple[str, ...]
    cost: float
    kept: int

    def status(self, reason: str) -> str:
        """kept, trimmed, overflow, or that only a part is kept, which should not be."""
        if self.kept == 0:
            return "trimmed"
        if self.kept < len(self.ids):
            return f"{self.kept} of {len(self.ids)} kept"
        return "overflow" if reason == "single_group_overflow" else "kept"


@dataclass(frozen=True)
class BudgetOutcome:
    """What one setting keeps. `error` is set, and nothing kept, where the function raised."""

    setting: BudgetSetting
    summary_cost: float
    groups: tuple[GroupShare, ...]
    reason: str
    total: float
    error: str = ""

    @property
    def kept_numbers(self) -> tuple[int, ...]:
        """The numbers of the groups of which something is kept."""
        return tuple(group.number for group in self.groups if group.kept)

    @property
    def edges(self) -> list[tuple[float, int]]:
        """The least window that holds the newest 1, 2, … groups: (tokens, groups)."""
        edges: list[tuple[float, int]] = []
        need = self.setting.fixed + self.summary_cost
        for count, group in enumerate(reversed(self.groups), start=1):
            need += group.cost
            edges.append((need, count))
        return edges


class Workings:
    """A path with an estimator, and the `build_context` that chooses from it.

    `parse` makes of JSON the entries that `build` takes: a learner's function gets the
    learner's own objects. The groups and costs beside the outcome are the library's.
    """

    def __init__(
        self,
        path: Sequence[dict[str, object]],
        estimate_tokens: Estimator,
        build: Callable[..., object],
        parse: Callable[[object], object] = parse_session_entry,
    ) -> None:
        self.path = list(path)
        self.estimate = estimate_tokens
        self.build = build
        self.parse = parse
        entries = [parse_session_entry(entry) for entry in self.path]
        self.summary_cost: float = 0
        kept: Sequence[SessionEntry] = entries
        if any(entry.type == "compaction" for entry in entries):
            restored = restore(entries)
            kept = restored.entries
            self.summary_cost = estimate_tokens(restored.summary)
        self._groups: list[tuple[tuple[str, ...], float]] = []
        for group in group_interactions(kept):
            cost: float = 0
            for entry in group.entries:
                cost += estimate_tokens(copy.deepcopy(entry.message))
            self._groups.append((tuple(entry.id for entry in group.entries), cost))

    def outcome(self, setting: BudgetSetting) -> BudgetOutcome:
        """Ask `build` what this setting keeps."""
        try:
            result = self.build(
                [self.parse(copy.deepcopy(entry)) for entry in self.path],
                max_tokens=setting.max_tokens,
                reserved_output=setting.reserved_output,
                safety_margin=setting.safety_margin,
                system_prompt="prompt",
                estimate_tokens=lambda value: (
                    setting.system if isinstance(value, str) else self.estimate(value)
                ),
            )
        except Exception as error:  # a learner's function may raise anything
            if type(error).__name__ == "LabNotDone":
                raise
            return self._outcome(setting, (), "", 0, f"{type(error).__name__}: {error}")
        kept = field(result, "kept_entry_ids")
        total = field(field(result, "tokens"), "total")
        return self._outcome(
            setting,
            kept if isinstance(kept, Container) else (),
            str(field(result, "reason")),
            total if isinstance(total, int | float) else 0,
            "",
        )

    def _outcome(
        self, setting: BudgetSetting, kept: Container[object], reason: str, total: float, error: str
    ) -> BudgetOutcome:
        groups = tuple(
            GroupShare(number, ids, cost, sum(each in kept for each in ids))
            for number, (ids, cost) in enumerate(self._groups, start=1)
        )
        return BudgetOutcome(setting, self.summary_cost, groups, reason, total, error)


def neighbours(workings: Workings, outcome: BudgetOutcome) -> str:
    """What one token more and one token less of window would keep."""
    words: list[str] = []
    for step, title in ((-1, "one token less"), (1, "one token more")):
        window = outcome.setting.max_tokens + step
        if window < 0:
            continue
        other = workings.outcome(BudgetSetting(window, *_tail(outcome.setting)))
        same = (other.kept_numbers, other.reason) == (outcome.kept_numbers, outcome.reason)
        keeps = "the same" if same else f"{_numbers(other)}, {other.reason or other.error}"
        words.append(f"{title} ({window:g}): {keeps}")
    return "; ".join(words)


def _tail(setting: BudgetSetting) -> tuple[float, float, float]:
    return setting.system, setting.reserved_output, setting.safety_margin


def _numbers(outcome: BudgetOutcome) -> str:
    kept = outcome.kept_numbers
    if not kept:
        return "no group"
    return f"group {kept[0]}" if len(kept) == 1 else f"groups {kept[0]} to {kept[-1]}"


def headline(outcome: BudgetOutcome) -> str:
    """One sentence that says how it ended."""
    if outcome.error:
        return f"build_context raised {outcome.error}"
    over = outcome.total - outcome.setting.max_tokens
    if outcome.reason == "single_group_overflow" and over > 0:
        return (
            f"OVERFLOW: {_numbers(outcome)} alone is too large and kept whole, "
            f"{over:g} token{'' if over == 1 else 's'} beyond the window"
        )
    total = f"{outcome.total:g} of {outcome.setting.max_tokens:g} tokens"
    return f"{outcome.reason}: {_numbers(outcome)} kept, {total}"


def as_text(outcome: BudgetOutcome, beside: str, who: str) -> str:
    """All of it at 80 columns."""
    ladder = str(budget_table(outcome.setting))
    lines = [headline(outcome), "", *ladder.splitlines(), ""]
    if outcome.summary_cost:
        lines.append(f"the summary costs {outcome.summary_cost:g} and comes first")
    for group, (edge, _) in zip(outcome.groups, reversed(outcome.edges), strict=True):
        mark = "┃" if group.kept else " "
        status = pad(group.status(outcome.reason), 12)
        ids = clip(" ".join(group.ids), 34)
        lines.append(
            f"{mark} group {group.number:<3} {group.cost:>5g}  {status} fits from {edge:<6g} {ids}"
        )
    return "\n".join([*lines, "", *_wrapped(beside), who])


def _wrapped(words: str) -> list[str]:
    return [part for part in words.split("; ") if part]
