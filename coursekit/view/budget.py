"""Where a context window goes: worked out for one setting, and shown as SVG and as text."""

from __future__ import annotations

import copy
import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from coursekit.context import group_interactions, restore
from coursekit.session import SessionEntry, parse_session_entry
from coursekit.view.text_width import clip, ems, pad
from coursekit.view.facts import field
from coursekit.view.tables import budget_table


@dataclass(frozen=True)
class Setting:
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
class Group:
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
class Outcome:
    """What one setting gives. `error` is set, and nothing kept, where the function raised."""

    setting: Setting
    summary_cost: float
    groups: tuple[Group, ...]
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
        path: Sequence[dict[str, Any]],
        estimate_tokens: Callable[[Any], float],
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

    def outcome(self, setting: Setting) -> Outcome:
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
        kept = field(result, "kept_entry_ids", ())
        total = field(field(result, "tokens"), "total", 0)
        return self._outcome(setting, kept, str(field(result, "reason")), total, "")

    def _outcome(self, setting: Setting, kept: Any, reason: str, total: Any, error: str) -> Outcome:
        groups = tuple(
            Group(number, ids, cost, sum(each in kept for each in ids))
            for number, (ids, cost) in enumerate(self._groups, start=1)
        )
        return Outcome(setting, self.summary_cost, groups, reason, total, error)


def neighbours(workings: Workings, outcome: Outcome) -> str:
    """What one token more and one token less of window would keep."""
    words: list[str] = []
    for step, title in ((-1, "one token less"), (1, "one token more")):
        window = outcome.setting.max_tokens + step
        if window < 0:
            continue
        other = workings.outcome(Setting(window, *_tail(outcome.setting)))
        same = (other.kept_numbers, other.reason) == (outcome.kept_numbers, outcome.reason)
        keeps = "the same" if same else f"{_numbers(other)}, {other.reason or other.error}"
        words.append(f"{title} ({window:g}): {keeps}")
    return "; ".join(words)


def _tail(setting: Setting) -> tuple[float, float, float]:
    return setting.system, setting.reserved_output, setting.safety_margin


def _numbers(outcome: Outcome) -> str:
    kept = outcome.kept_numbers
    if not kept:
        return "no group"
    return f"group {kept[0]}" if len(kept) == 1 else f"groups {kept[0]} to {kept[-1]}"


def headline(outcome: Outcome) -> str:
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


def as_text(outcome: Outcome, beside: str, who: str) -> str:
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


# --- the drawing -----------------------------------------------------------------

WIDTH, LEFT, BAR, TOP = 680, 10, 44, 40
_FILL = {
    "system": "#cfcfcf",
    "summary": "#fcdcc9",
    "kept": "#d4e8f7",
    "overflow": "#f2b38f",
    "margin": "url(#budget-dots)",
    "reserve": "url(#budget-lines)",
}
_PATTERNS = (
    '<defs><pattern id="budget-lines" width="7" height="7" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)"><rect width="7" height="7" fill="#eeeeee"/>'
    '<line x1="0" y1="0" x2="0" y2="7" stroke="#8c8c8c" stroke-width="2"/></pattern>'
    '<pattern id="budget-dots" width="6" height="6" patternUnits="userSpaceOnUse">'
    '<rect width="6" height="6" fill="#eeeeee"/>'
    '<circle cx="3" cy="3" r="1.3" fill="#8c8c8c"/></pattern></defs>'
)


def as_svg(outcome: Outcome, text: str) -> str:
    """The window as a bar: what is fixed, what is kept, what is left, and the edges."""
    setting = outcome.setting
    edges = outcome.edges
    span = max(setting.max_tokens, outcome.total, *(edge for edge, _ in edges), 1) * 1.04
    scale = (WIDTH - 2 * LEFT) / span
    parts: list[str] = []
    at: float = 0
    for kind, words, cost in _pieces(outcome):
        if cost > 0:
            parts.append(_piece(LEFT + at * scale, cost * scale, _FILL[kind], f"{words} {cost:g}"))
        at += cost
    free = setting.max_tokens - at
    if free > 0 and not outcome.error:
        parts.append(_piece(LEFT + at * scale, free * scale, "none", f"free {free:g}", dashed=True))
    window = LEFT + setting.max_tokens * scale
    over = outcome.total > setting.max_tokens
    parts.append(
        f'<line x1="{window:.1f}" y1="{TOP - 14}" x2="{window:.1f}" y2="{TOP + BAR + 10}" '
        f'stroke="{"#d55e00" if over else "#0072b2"}" stroke-width="3"/>'
    )
    parts.append(_word(window, TOP - 19, f"window {setting.max_tokens:g}", window / WIDTH))
    parts += _edge_marks(edges, setting.max_tokens, scale)
    left_out = [group for group in outcome.groups if not group.kept]
    words = ", ".join(f"group {group.number} ({group.cost:g})" for group in left_out)
    fixed = f"prompt {setting.system:g}, margin {setting.safety_margin:g}, "
    fixed += f"reserve {setting.reserved_output:g}; left out: {clip(words, 64) or 'nothing'}"
    parts.append(_word(LEFT, TOP + BAR + 60, fixed, 0))
    title = headline(outcome)
    parts.append(_word(LEFT, TOP + BAR + 80, title, 0, bold=over))
    height = TOP + BAR + 92
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" role="img" font-family="Helvetica,Arial,sans-serif">'
        f"<title>{html.escape(title)}</title><desc>{html.escape(text)}</desc>{_PATTERNS}"
        f"{''.join(parts)}</svg>"
    )


def _edge_marks(edges: list[tuple[float, int]], window: float, scale: float) -> list[str]:
    """A mark at each edge; words only where they have room."""
    parts: list[str] = []
    taken: float = 0
    for edge, count in edges:
        x, y = LEFT + edge * scale, TOP + BAR + 12
        here = edge == window
        colour = "#d55e00" if here else "#7d7d7d"
        parts.append(f'<path d="M{x:.1f} {y} l-5 9 h10 z" fill="{colour}"/>')
        title = f"{edge:g}: {count} group{'s' if count > 1 else ''}"
        half = ems(title) * 6 + 4
        if x - half > taken:
            parts.append(_word(x, y + 23, title, x / WIDTH, bold=here))
            taken = x + half
    return parts


def _pieces(outcome: Outcome) -> list[tuple[str, str, float]]:
    setting = outcome.setting
    look = "overflow" if outcome.reason == "single_group_overflow" else "kept"
    pieces: list[tuple[str, str, float]] = [("system", "prompt", setting.system)]
    if not outcome.error:
        pieces.append(("summary", "summary", outcome.summary_cost))
        pieces += [
            (look, f"group {group.number}:", group.cost) for group in outcome.groups if group.kept
        ]
    pieces.append(("margin", "margin", setting.safety_margin))
    pieces.append(("reserve", "reserve", setting.reserved_output))
    return pieces


def _piece(x: float, width: float, fill: str, words: str, *, dashed: bool = False) -> str:
    dash = ' stroke-dasharray="4 3"' if dashed else ""
    rect = (
        f'<rect x="{x:.1f}" y="{TOP}" width="{width:.1f}" height="{BAR}" fill="{fill}" '
        f'stroke="#7d7d7d"{dash}><title>{html.escape(words)}</title></rect>'
    )
    ink = "#7d7d7d" if dashed else "#1a1a1a"
    for said in (words, words.rsplit(" ", 1)[-1]):
        wide = ems(said) * 12
        if wide + 6 <= width:
            middle, y = x + width / 2, TOP + BAR / 2 + 4
            back = ""
            if fill.startswith("url"):
                back = (
                    f'<rect x="{middle - wide / 2 - 2:.1f}" y="{y - 12:.1f}" '
                    f'width="{wide + 4:.1f}" height="16" rx="3" fill="#eeeeee"/>'
                )
            return (
                f'{rect}{back}<text x="{middle:.1f}" y="{y:.1f}" font-size="12" fill="{ink}" '
                f'text-anchor="middle">{html.escape(said)}</text>'
            )
    return rect


def _word(x: float, y: float, words: str, across: float, *, bold: bool = False) -> str:
    """Free text; `across` (0 to 1) says which way it may grow without leaving the picture."""
    anchor = "start" if across < 0.1 else "end" if across > 0.9 else "middle"
    weight = ' font-weight="bold"' if bold else ""
    colour = "#d55e00" if bold else "#7d7d7d"
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="12" fill="{colour}" '
        f'text-anchor="{anchor}"{weight}>{html.escape(words)}</text>'
    )
