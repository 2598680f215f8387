"""Lab 11.3: the budget's fixed costs, the newest group, and whole groups only."""

from dataclasses import replace

from coursekit.check.case import Rule, Step
from coursekit.check.protocol import JsonObject, JsonValue
from coursekit.course.context_steps import build, by_part, suffix_costs
from coursekit.course.steps import NOTHING_SHARED, CaseDraw, tamper
from coursekit.transcripts import Json, Transcript, assistant, chain, metadata, transcript, user

FIXED = Rule(
    "The system prompt, the reserve and the margin come off first; never less than 0 is left.",
    "Fixed costs come off first",
)
TOTAL = Rule(
    "messages is what the returned messages cost; total is system + messages + reserved "
    "output + safety margin.",
    "Fixed costs come off first",
)
METADATA = Rule(
    "Metadata holds no message: it costs nothing and is never kept.", "Whole groups, newest first"
)
PROMPT = Rule("An empty system prompt costs 0.", "Fixed costs come off first")
PROMPT_BACK = Rule(
    "The system prompt that was paid for comes back with the result.", "Fixed costs come off first"
)
REASON = Rule(
    "When all groups are kept, or there are none, the reason is within_budget; when only newer "
    "ones are, trimmed; when the newest alone is too large, single_group_overflow.",
    "Whole groups, newest first",
)
OPTIONS = Rule(
    "max_tokens, reserved_output and safety_margin are finite numbers, zero or more, no booleans; "
    "else a ValueError names the option.",
    "Bad numbers are refused",
)
ANSWERS = Rule(
    "Every message of the path is estimated, and every answer must be a good amount, even of a "
    "group that is then trimmed; else a ValueError names the entry.",
    "Bad numbers are refused",
)
CHAINED = Rule(
    "When the estimator raises, the ValueError names the entry and is chained to its error.",
    "Bad numbers are refused",
)
SUFFIX = Rule(
    "Whole groups are kept, newest first, while their sum fits; exactly full still fits. The "
    "choice stops at the first group that does not fit.",
    "Whole groups, newest first",
)
OVERFLOW = Rule(
    "The newest group is kept whole even when it alone is too large; the reason says so.",
    "The newest group is never cut",
)
LENT = Rule("The estimator is given copies: what it does to them stays its own.", NOTHING_SHARED)
COPIES = Rule(
    "Messages and ids returned are the result's own: changing them changes nothing else.",
    NOTHING_SHARED,
)
AGAIN = Rule(
    "Equal input gives equal output, however often; nothing stays from an earlier call.",
    NOTHING_SHARED,
)

BY_PART = {
    "available": FIXED,
    "kept": SUFFIX,
    "reason": REASON,
    "tokens": TOTAL,
    "prompt": PROMPT_BACK,
    "messages": AGAIN,
    "refused": OPTIONS,
}
"""The rule behind each part of a built context."""

OWN_PARTS = {
    OVERFLOW: ("kept", "reason", "tokens"),
    PROMPT: ("available", "tokens"),
    LENT: ("messages", "refused"),
    REASON: ("kept",),
    METADATA: ("kept", "tokens", "refused"),
}
"""The parts of which a step with this rule says more than the part's rule."""

_NAN: JsonObject = {"python": "nan"}
_INF: JsonObject = {"python": "inf"}
_HUGE: JsonObject = {"python": "huge"}


def check_1(variant: int) -> list[Step]:
    """Fixed costs come off first."""
    draw = CaseDraw("11.3/1", variant)
    script = transcript(variant)
    path = script.entries
    fixed = script.system_cost + script.reserved_output + script.safety_margin
    window = script.max_tokens
    between = [path[0], metadata(draw.name("m"), None, "k", 1), *path[1:]]
    options: list[tuple[str, JsonValue, str]] = [
        ("max_tokens", _NAN, "NaN"),
        ("max_tokens", str(window), f'"{window}"'),
        ("max_tokens", True, "True"),
        ("max_tokens", _HUGE, "10**400"),
        ("reserved_output", -1, "-1"),
        ("reserved_output", None, "None"),
        ("safety_margin", _INF, "infinity"),
        ("safety_margin", False, "False"),
        ("safety_margin", -0.5, "-0.5"),
    ]
    refused = []
    for name, value, shown in options:
        changed: Json = {name: value}
        call = f"build_context with {name}={shown}"
        refused.append(build(script, path, call, OPTIONS, names=[[name]], **changed))
    prompts: list[tuple[JsonValue, str]] = [(True, "True"), (-1, "-1"), (_NAN, "NaN"), ("3", '"3"')]
    refused += [
        build(
            script, path, f"build_context where the system prompt costs {shown}", ANSWERS,
            names=[["system_prompt", "system prompt", "systemPrompt"]],
            prices={script.system_prompt: cost},
        )
        for cost, shown in prompts
    ]  # fmt: skip
    built = [
        build(script, path, f"build_context with max_tokens={window}", FIXED),
        build(script, chain(between), "build_context with metadata on the path", METADATA),
        build(
            script, path, "build_context with an empty system prompt", PROMPT,
            system_prompt="", prices={"": 7},
        ),
        _without_prompt(
            build(script, path, "build_context without a system prompt", PROMPT, prices={"": 7})
        ),
        build(script, [], "build_context of an empty path", REASON),
        build(
            script, [], "build_context where the fixed costs are above the window", FIXED,
            max_tokens=fixed - 1,
        ),
        build(
            script, path, "build_context without reserve or margin", FIXED,
            reserved_output=0, safety_margin=0,
        ),
        build(
            script, path, "build_context with half tokens", TOTAL,
            reserved_output=script.reserved_output + 0.5, safety_margin=script.safety_margin - 0.5,
        ),
        build(script, path, "build_context with a large window", REASON, max_tokens=window * 9),
    ]  # fmt: skip
    # The plain call first: what goes wrong there is no matter of metadata or an empty prompt.
    blocks: list[Step | list[Step]] = [built[:4], *built[4:], *refused]
    return by_part(draw.mixed(blocks), BY_PART, OWN_PARTS)


def check_2(variant: int) -> list[Step]:
    """The newest group is kept whole."""
    draw = CaseDraw("11.3/2", variant)
    script = transcript(variant)
    path = script.entries
    fixed = script.system_cost + script.reserved_output + script.safety_margin
    newest = sum(script.costs[entry["id"]] for entry in script.groups[-1])
    victim = draw.random.choice(script.groups[-1])
    tools = draw.interaction(None, 3)
    tool_costs = {entry["id"]: draw.random.randint(2, 6) for entry in tools}
    alone = _with(script, [tools], tool_costs)
    alone_cost = sum(tool_costs.values())
    free = _with(script, script.groups, dict.fromkeys(script.costs, 0))
    built = [
        build(
            script, path, f"build_context where only {room} tokens are left for messages", rule,
            max_tokens=fixed + room,
        )
        for room, rule in (
            (newest - 5 if newest > 5 else 1, OVERFLOW),
            (newest - 1, OVERFLOW),
            (newest, SUFFIX),
            (1, OVERFLOW),
            (0, OVERFLOW),
        )
    ]  # fmt: skip
    built += [
        build(
            script, path, "build_context with a window smaller than the fixed costs", OVERFLOW,
            max_tokens=fixed - 2,
        ),
        build(
            alone, tools, "build_context of a single group that fits", REASON,
            max_tokens=fixed + alone_cost,
        ),
        build(
            alone, tools, "build_context of a single group that is one token too large", OVERFLOW,
            max_tokens=fixed + alone_cost - 1,
        ),
        build(
            free, path, "build_context of groups that cost nothing, in no room", REASON,
            max_tokens=fixed,
        ),
    ]  # fmt: skip
    refused = [
        build(
            script, path, f"build_context where {victim['id']} costs {shown}", ANSWERS,
            names=[[victim["id"]]], prices=_price(script, victim, cost), max_tokens=fixed,
        )
        for cost, shown in ((_NAN, "NaN"), (-1, "-1"), (True, "True"), (None, "None"))
    ]  # fmt: skip
    steps = draw.mixed(built + refused)
    return by_part(steps, BY_PART, OWN_PARTS)


def check_3(variant: int) -> list[Step]:
    """Only whole groups are trimmed."""
    draw = CaseDraw("11.3/3", variant)
    script = transcript(variant)
    fixed = script.system_cost + script.reserved_output + script.safety_margin
    long = _long(draw, script)
    path = long.entries
    sums = suffix_costs(long.groups, long.costs)
    edges = sums if not variant else draw.random.sample(sums, 3)
    built: list[Step | list[Step]] = [
        build(
            long, path, f"build_context where {room} tokens are left for messages", SUFFIX,
            max_tokens=fixed + room,
        )
        for edge in edges
        for room in (edge - 1, edge, edge + 1)
    ]  # fmt: skip
    # An old group of 1 behind a large one: it would fit, and must not be picked up.
    gap = _with(script, *_gap(draw))
    built.append(
        build(
            gap, gap.entries, "build_context with a small group behind one that is too large",
            SUFFIX, max_tokens=fixed + 10,
        )
    )  # fmt: skip
    newest = len(path) - len(long.groups[-1])
    caller = next(
        i
        for i, entry in enumerate(long.groups[-1])
        if entry["message"]["content"][0]["type"] == "toolCall"
    )
    kept = long.groups[-2:]
    arguments: list[str | int] = ["message", "content", 0, "arguments"]
    spots: list[list[str | int]] = [
        ["messages", len(kept[0]) + caller, *arguments[1:]],
        ["messages", 0, "content"],
        ["messages"],
        ["kept_entry_ids"],
    ]
    options: Json = {"max_tokens": fixed + sums[1]}
    built.append(
        [
            build(long, path, "build_context once", SUFFIX, **options),
            tamper("result", spots, "path", COPIES),
            build(long, None, "build_context again, from the same path", AGAIN, **options),
            tamper("path", [[newest + caller, *arguments]], "path", AGAIN),
            build(long, None, "build_context again, the path changed by hand", AGAIN, **options),
        ]
    )
    built.append(
        build(
            long, path, "build_context with an estimator that empties what it is given",
            LENT, spoil=True, **options,
        )
    )  # fmt: skip
    answers: list[tuple[JsonValue, str]] = [
        (True, "True"), (_NAN, "NaN"), (-1, "-1"), (_INF, "infinity"), ("3", '"3"'), (None, "None"),
    ]  # fmt: skip
    refused = []
    for cost, shown in answers:
        victim = draw.random.choice(long.groups[0])
        refused.append(
            build(
                long, path, f"build_context where {victim['id']}, to be trimmed, costs {shown}",
                ANSWERS, names=[[victim["id"]]], prices=_price(long, victim, cost),
                max_tokens=fixed + sums[0],
            )
        )  # fmt: skip
    victim = draw.random.choice(long.groups[1])
    token = draw.failure()
    refused.append(
        build(
            long, path, f"build_context where the estimator raises for {victim['id']}", CHAINED,
            names=[[victim["id"]]], prices=_price(long, victim, {"raise": token}), causes=[token],
            max_tokens=fixed + sums[0],
        )
    )  # fmt: skip
    broken = draw.failure()
    refused.append(
        build(
            long, path, "build_context where the estimator raises for the system prompt", CHAINED,
            names=[["system_prompt", "system prompt", "systemPrompt"]],
            prices={script.system_prompt: {"raise": broken}}, causes=[broken],
        )
    )  # fmt: skip
    steps = draw.mixed([*built, *refused])
    return by_part(steps, BY_PART, OWN_PARTS)


def _without_prompt(step: Step) -> Step:
    """The step with the option left out, so that its default counts."""
    options = step.request.arguments["options"]
    assert isinstance(options, dict)
    left = {name: value for name, value in options.items() if name != "system_prompt"}
    arguments = step.request.arguments | {"options": left}
    return step._replace(request=step.request._replace(arguments=arguments))


def _with(script: Transcript, groups: list[list[Json]], costs: dict[str, int]) -> Transcript:
    return replace(script, groups=groups, costs=costs, continuation=[])


def _price(script: Transcript, entry: Json, cost: JsonValue) -> JsonObject:
    """A cost for one entry in place of the transcript's own."""
    alone = _with(script, [[entry]], script.costs)
    return {key: cost for key in alone.prices if key != script.system_prompt}


def _long(draw: CaseDraw, script: Transcript) -> Transcript:
    """The transcript with two older interactions in front."""
    older = [draw.interaction(None, 0), draw.interaction(None, 1)]
    costs = script.costs | {e["id"]: draw.random.randint(2, 9) for group in older for e in group}
    groups = [*older, *script.groups]
    linked = iter(chain([entry for group in groups for entry in group]))
    return _with(script, [[next(linked) for _ in group] for group in groups], costs)


def _gap(draw: CaseDraw) -> tuple[list[list[Json]], dict[str, int]]:
    """Groups of 1, 9 and 6 tokens."""
    entries = []
    for _ in range(3):
        entries.append(user(draw.name("u"), None, draw.text()))
        entries.append(assistant(draw.name("a"), None, draw.text()))
    entries = chain(entries)
    costs = dict(zip([entry["id"] for entry in entries], [1, 0, 4, 5, 3, 3], strict=True))
    return [entries[0:2], entries[2:4], entries[4:6]], costs
