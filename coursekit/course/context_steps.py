"""Steps that build a context, for the labs of budgeting and of restoration."""

from collections.abc import Mapping, Sequence
from itertools import accumulate

from coursekit.check.case import Mistake, Rule, Step
from coursekit.check.differences import part_of
from coursekit.check.protocol import JsonObject, JsonValue, Request
from coursekit.course.context_wording import CONTEXT, has_compaction
from coursekit.transcripts import Json, Transcript


def build(
    script: Transcript,
    path: list[Json] | None,
    call: str,
    rule: Rule,
    *,
    names: Sequence[list[str]] = (),
    prices: Mapping[str, JsonValue] | None = None,
    otherwise: JsonValue = 5,
    spoil: bool = False,
    summary: Json | None = None,
    older: Json | None = None,
    causes: Sequence[str] = (),
    **options: JsonValue,
) -> Step:
    """Build a context with the transcript's options, some of them replaced.

    `path` None means the held path once more. `prices` replaces single costs;
    `otherwise` is what a summary costs. `summary` and `older` are the summaries whose
    values are looked for in the first message and in all messages.
    """
    known: Json = {**script.options}
    del known["estimate_tokens"]
    costs: JsonObject = {**script.prices, **(prices or {})}
    arguments: JsonObject = {
        "options": known | options,
        "prices": [[key, cost] for key, cost in costs.items()],
        "otherwise": otherwise,
        "spoil": spoil,
        "summary": [*_values(summary)] if summary else [],
        "older": [*_values(older)] if older else [],
    }
    if path is not None:
        arguments["path"] = [*path]
    request = Request("build", arguments)
    return Step(request, call, rule, names, causes, wording=CONTEXT, mistake=_passed_over(request))


def suffix_costs(groups: Sequence[Sequence[Json]], costs: Mapping[str, int]) -> list[int]:
    """What the newest one, two, … groups cost together, in tokens."""
    each = (sum(costs[entry["id"]] for entry in group) for group in reversed(groups))
    return [*accumulate(each)]


def by_part(
    steps: Sequence[Step], rules: Mapping[str, Rule], own: Mapping[Rule, Sequence[str]]
) -> list[Step]:
    """The steps, those that build a context with the rule behind each part of it.

    A step's own rule goes first for the parts that `own` lists beside that rule.
    """
    return [
        step._replace(
            other_rules={
                part: rule for part, rule in rules.items() if part not in own.get(step.rule, ())
            },
        )
        if step.wording is CONTEXT
        else step
        for step in steps
    ]


def _passed_over(request: Request) -> Mistake | None:
    """A compaction on the path is passed over, as if `restore` was never called."""
    if not has_compaction(request):
        return None
    path = request.arguments["path"]
    assert isinstance(path, list)
    messages = [each for each in path if part_of(each, "type") != "compaction"]
    return Mistake(
        request._replace(arguments=request.arguments | {"path": messages}),
        "build_context did not call restore: see step 3 of its docstring",
    )


def _values(summary: Json) -> list[str]:
    """A summary's values in the order in which they stand in a message."""
    values: list[str] = [summary["goal"]]
    for key in ("constraints", "completed", "decisions", "changedFiles", "unresolved", "next"):
        values += summary[key]
    return values
