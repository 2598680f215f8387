"""One step of a case: what crosses to the answer, and what explains it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from coursekit.transcripts import Draw, Json, Transcript
from coursekit.workbook.cases.disguise import disguise


@dataclass(frozen=True)
class Rule:
    """A rule in one sentence, and the heading of the notebook that explains it."""

    text: str
    heading: str


@dataclass(frozen=True)
class Step:
    """One call, or one look: `ask` crosses as JSON, the rest stays here.

    `other_rules` are the rules to tell in place of `rule`, by what went wrong first:
    "refused" for a call to accept that was refused, or a part of a built context:
    "restored" (other groups to choose from), "available", "kept", "reason", "tokens",
    "prompt", "older", "summary", "messages".

    The names in `ask` are what a refusal must hold; a step made without any is one
    to accept, and gets some before it crosses.
    """

    ask: Json
    call: str
    rule: Rule
    other_rules: Mapping[str, Rule] = field(default_factory=dict)


@dataclass(frozen=True)
class Case:
    """The steps of one check at one variant, in order."""

    check: str
    variant: int
    steps: list[Step]


class CaseDraw(Draw):
    """Draws for one check; variant 0 gives readable ids and keeps the written order."""

    def __init__(self, check: str, variant: int) -> None:
        super().__init__(f"{check} {variant}")
        self.variant = variant

    def name(self, stem: str) -> str:
        if self.variant:
            return super().name(stem)
        self._taken.add(f"{len(self._taken):02d}")
        return f"{stem}-{len(self._taken):02d}"

    def text(self, words: int = 4) -> str:
        whole = super().text(words)
        return whole if self.variant else f"a word on {whole.rsplit(' ', 1)[-1]}"

    def failure(self) -> str:
        """What an estimator's error says."""
        return self.text() if self.variant else f"no price for {self.name('t')}"

    def mixed(self, blocks: Sequence[Step | Sequence[Step]]) -> list[Step]:
        """The blocks' steps, block by block in a drawn order, and alike from outside.

        A block is steps that need each other, in their order; a step alone is one, too.
        """
        order = [[block] if isinstance(block, Step) else block for block in blocks]
        if self.variant:
            self.random.shuffle(order)
        steps = [step for block in order for step in block]
        disguise([step.ask for step in steps], self)
        return steps


NO_OTHERS: Mapping[str, Rule] = MappingProxyType({})

NOTHING_SHARED = "Nothing is shared"
"""The heading, in every lab's notebook, under which copies are explained."""


def tamper(held: str, places: Sequence[Sequence[str | int]], show: str, rule: Rule) -> Step:
    """Change what stands at `places` inside something held, then look at `show`."""
    spots = " and ".join(_spot(held, place) for place in places[:2])
    spots += f" and {len(places) - 2} more" if len(places) > 2 else ""
    ask = {
        "do": "tamper",
        "in": held,
        "at": [list(place) for place in places],
        "with": "changed afterwards",
        "show": show,
        "names": [[held], [show]],
    }
    return Step(ask, f"change {spots}, then look at the {SHOWN[show]}", rule)


SHOWN = {
    "input": "record passed in",
    "entry": "entry returned",
    "stored": "store's entries, asked for again",
    "path": "path passed in",
    "groups": "groups returned",
    "summary": "summary passed in",
}


def _spot(held: str, place: Sequence[str | int]) -> str:
    shown = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in place)
    return f"{held}{shown}"


def group(
    path: list[Json],
    call: str,
    rule: Rule,
    names: Sequence[list[str]] = (),
    other_rules: Mapping[str, Rule] = NO_OTHERS,
) -> Step:
    """Group a path; `names` are what a refusal must name, each in any of its forms."""
    ask = {"do": "group", "path": path, "names": list(names)}
    return Step(ask, call, rule, other_rules)


def build(
    told: Transcript,
    path: list[Json] | None,
    call: str,
    rule: Rule,
    *,
    names: Sequence[list[str]] = (),
    prices: dict[str, Any] | None = None,
    otherwise: Any = 5,
    spoil: bool = False,
    summary: Json | None = None,
    older: Json | None = None,
    causes: Sequence[str] = (),
    **options: Any,
) -> Step:
    """Build a context with the transcript's options, some of them replaced.

    `path` None means the held path once more. `prices` replaces single costs;
    `otherwise` is what a summary costs. `summary` and `older` are the summaries whose
    values are looked for in the first message and in all messages.
    """
    known: Json = {**told.options}
    del known["estimate_tokens"]
    ask: Json = {
        "do": "build",
        "options": known | options,
        "prices": [[key, cost] for key, cost in (told.prices | (prices or {})).items()],
        "otherwise": otherwise,
        "spoil": spoil,
        "summary": values(summary) if summary else [],
        "older": values(older) if older else [],
        "causes": list(causes),
        "names": list(names),
    }
    if path is not None:
        ask["path"] = path
    return Step(ask, call, rule)


def by_part(
    steps: Sequence[Step], rules: Mapping[str, Rule], own: Mapping[Rule, Sequence[str]]
) -> list[Step]:
    """The steps, those that build a context with the rule behind each part of it.

    A step's own rule goes first for the parts that `own` lists beside that rule.
    """
    return [
        replace(
            step,
            other_rules={
                part: rule for part, rule in rules.items() if part not in own.get(step.rule, ())
            },
        )
        if step.ask["do"] == "build"
        else step
        for step in steps
    ]


def create(
    path: list[Json],
    record: Json,
    call: str,
    rule: Rule,
    *,
    as_object: bool = True,
    names: Sequence[list[str]] = (),
    other_rules: Mapping[str, Rule] = NO_OTHERS,
    **changes: Any,
) -> Step:
    """Create the compaction `record` on a path, some arguments replaced."""
    arguments = {
        "id": record["id"],
        "timestamp": record["timestamp"],
        "summary": record["summary"],
        "first_kept_entry_id": record["firstKeptEntryId"],
        "tokens_before": record["tokensBefore"],
    } | changes
    ask = {
        "do": "create",
        "path": path,
        "arguments": arguments,
        "as_object": as_object,
        "names": list(names),
    }
    return Step(ask, call, rule, other_rules)


def values(summary: Json) -> list[str]:
    """A summary's values in the order in which they are told."""
    told: list[str] = [summary["goal"]]
    for key in ("constraints", "completed", "decisions", "changedFiles", "unresolved", "next"):
        told += summary[key]
    return told
