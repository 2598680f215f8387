"""Lab 11.5: the newest summary in front, its cost first, and compacting again."""

from coursekit.check.case import Rule, Step
from coursekit.check.protocol import JsonValue
from coursekit.course.context_steps import build, by_part, suffix_costs
from coursekit.course.lab_11_4 import create
from coursekit.course.steps import NOTHING_SHARED, CaseDraw, tamper
from coursekit.transcripts import Json, Transcript, chain, metadata, transcript

FRONT = Rule(
    "The summary becomes one user message in front: its seven fields in order, with the "
    "compaction's timestamp.",
    "Seven fields in order",
)
KEPT = Rule(
    "Behind it come the messages from the first kept entry on, those after the compaction "
    "included; metadata and compactions are skipped, and only real entries have ids.",
    "From the first kept entry on",
)
FIRST_KEPT = Rule(
    "The first kept entry stands before its compaction on the path and begins an interaction; "
    "else a ValueError names both.",
    "A first kept entry that can't be",
)
PAID = Rule(
    "The summary's cost is part of tokens.messages and comes off before the groups are chosen; "
    "available_for_messages is what was left before it.",
    "The summary is paid for first",
)
ANSWERS = Rule(
    "The estimator is asked for the summary too; a bad answer names the compaction.",
    "The summary is paid for first",
)
LENT = Rule(
    "The estimator is given copies, of the summary's message too: what it does to them stays "
    "its own.",
    NOTHING_SHARED,
)
COPIES = Rule("A result is its own: changing it reaches neither path nor rebuild.", NOTHING_SHARED)
NEWEST = Rule(
    "Only the newest compaction on the path speaks; older ones are silent.",
    "Only the newest summary speaks",
)
SECOND = Rule(
    "A second compaction may keep from any interaction start: the history is all there.",
    "Compacting again",
)

BY_PART = {
    "available": PAID,
    "kept": KEPT,
    "reason": KEPT,
    "tokens": PAID,
    "refused": KEPT,
    "restored": KEPT,
    "older": NEWEST,
    "summary": FRONT,
    "messages": KEPT,
}
"""The rule behind each part of a restored context."""

OWN_PARTS = {
    PAID: ("kept", "reason", "tokens"),
    NEWEST: ("kept", "refused"),
    LENT: ("messages", "summary", "refused"),
    SECOND: ("kept", "refused"),
    COPIES: ("messages", "summary"),
}
"""The parts of which a step with this rule says more than the part's rule."""


def check_1(variant: int) -> list[Step]:
    """The newest summary stands before the kept suffix."""
    draw = CaseDraw("11.5/1", variant)
    script = transcript(variant)
    record = script.compaction
    path = [*script.entries, record, *script.continuation]
    summary = record["summary"]
    roomy = {"max_tokens": script.max_tokens * 9, "summary": summary}
    at = len(script.entries)
    noted: list[Json] = []
    for entry in path:
        noted += [entry, metadata(draw.name("m"), None, "k", draw.text(1))]
    starts = [group[0]["id"] for group in script.groups]
    thin = {"goal": draw.text(), "changedFiles": [draw.text()]}
    thin |= {key: [] for key in ("constraints", "completed", "decisions", "unresolved", "next")}
    full = {"goal": draw.text(), "changedFiles": [draw.text() for _ in range(3)]}
    full |= {key: [draw.text(), draw.text()] for key in thin if key not in full}
    full = {key: full[key] for key in summary}
    keep = [
        build(script, path, f"build_context after {record['id']}", FRONT, **roomy),
        build(script, chain(noted), "build_context with metadata in between", KEPT, **roomy),
        build(script, path[: at + 1], "build_context with the compaction as leaf", KEPT, **roomy),
        build(
            script, _kept_from(path, at, starts[0]), "build_context that keeps from the root", KEPT,
            **roomy,
        ),
        build(
            script, _kept_from(path, at, starts[-1]), "build_context that keeps the last group",
            KEPT, **roomy,
        ),
        build(
            script, [*path[:at], record | {"summary": thin}, *path[at + 1 :]],
            "build_context with a summary of two fields filled", FRONT, max_tokens=999,
            summary=thin,
        ),
        build(
            script, [*path[:at], record | {"summary": full}, *path[at + 1 :]],
            "build_context with a summary of many items", FRONT, max_tokens=999, summary=full,
        ),
        build(script, script.entries, "build_context without a compaction", KEPT, max_tokens=999),
    ]  # fmt: skip
    bad = [script.continuation[0]["id"], record["id"], draw.name("nobody")]
    bad += [draw.random.choice(script.groups[-1][1:])["id"], script.groups[0][-1]["id"]]
    bad += [noted[1]["id"]]
    refused = [
        build(
            script, _kept_from(chain(noted), 2 * at, entry_id),
            f"build_context where {record['id']} keeps from {entry_id}", FIRST_KEPT,
            names=[[record["id"]], [entry_id]], **roomy,
        )
        for entry_id in bad
    ]  # fmt: skip
    return by_part(draw.mixed(keep + refused), BY_PART, OWN_PARTS)


def check_2(variant: int) -> list[Step]:
    """Its cost comes off first, and results are independent."""
    draw = CaseDraw("11.5/2", variant)
    script = transcript(variant)
    record = script.compaction
    path = [*script.entries, record, *script.continuation]
    fixed = script.system_cost + script.reserved_output + script.safety_margin
    cost = draw.random.randint(4, 12)
    suffixes = suffix_costs(_restored(script), script.costs)
    edges = [(suffixes[-1], "all that was kept"), (suffixes[0], "the newest group")]
    common: Json = {"summary": record["summary"], "otherwise": cost}
    blocks: list[Step | list[Step]] = [
        build(
            script, path, f"build_context where {cost + room} tokens are left for messages and "
            f"the summary costs {cost}: {enough} for {shown}", PAID,
            max_tokens=fixed + cost + room, **common,
        )
        for edge, shown in edges
        for room, enough in (
            (edge - 1, "one too few"), (edge, "just enough"), (edge + 1, "one more than enough"),
        )
    ]  # fmt: skip
    blocks.append(
        build(
            script, path, "build_context where the summary alone is larger than the room", PAID,
            max_tokens=fixed + cost - 1, **common,
        )
    )  # fmt: skip
    free = common | {"otherwise": 0}
    blocks.append(
        build(
            script, path, "build_context where the summary costs nothing", PAID,
            max_tokens=fixed + suffixes[-1], **free,
        )
    )  # fmt: skip
    arguments = _first_arguments(script)
    spots: list[list[str | int]] = [["messages", 0, "content"], ["messages"], ["kept_entry_ids"]]
    spots += [["messages", arguments, "content", 0, "arguments"]] if arguments else []
    roomy = {"max_tokens": 999, **common}
    blocks.append(
        [
            build(script, path, "build_context once", PAID, **roomy),
            tamper("result", spots, "path", COPIES),
            build(script, None, "build_context again, from the same path", COPIES, **roomy),
        ]
    )
    spoil = roomy | {"spoil": True}
    blocks.append(
        build(
            script, path, "build_context with an estimator that empties what it is given",
            LENT, **spoil,
        )
    )  # fmt: skip
    answers: list[tuple[JsonValue, str]] = [({"python": "nan"}, "NaN"), (True, "True"), (-1, "-1")]
    for bad, shown in answers:
        wrong = roomy | {"otherwise": bad}
        blocks.append(
            build(
                script, path, f"build_context where the summary costs {shown}", ANSWERS,
                names=[[record["id"]]], **wrong,
            )
        )  # fmt: skip
    return by_part(draw.mixed(blocks), BY_PART, OWN_PARTS)


def check_3(variant: int) -> list[Step]:
    """A second compaction takes over."""
    draw = CaseDraw("11.5/3", variant)
    script = transcript(variant)
    first = script.compaction
    grown = [*script.entries, first, *script.continuation]
    second = first | {
        "id": "compact-2" if not variant else draw.name("compact"),
        "parentId": grown[-1]["id"],
        "timestamp": 200,
        "summary": draw.summary(),
        "firstKeptEntryId": script.groups[-1][0]["id"],
    }
    more = chain(draw.interaction(None, draw.random.randint(0, 2)), second["id"])
    path = [*grown, second, *more]
    costs = script.costs | {entry["id"]: draw.random.randint(2, 9) for entry in more}
    later = Transcript(
        **{**script.__dict__, "costs": costs, "continuation": script.continuation + more}
    )
    fixed = script.system_cost + script.reserved_output + script.safety_margin
    at = len(grown)
    summaries = {"summary": second["summary"], "older": first["summary"], "max_tokens": 999}
    tight = summaries | {"max_tokens": fixed + 5 + sum(costs[entry["id"]] for entry in more)}
    start, inside = script.groups[0][0]["id"], script.groups[-1][1]["id"]
    broken = _kept_from(grown, len(script.entries), inside)
    steps = [
        create(grown, second, f"create {second['id']} on the restored path", SECOND),
        build(later, path, f"build_context after {second['id']}", NEWEST, **summaries),
        build(later, path, "build_context with room for the newest group only", NEWEST, **tight),
        build(
            later, _kept_from(path, at, start), f"build_context where {second['id']} keeps from "
            f"{start}, before {first['id']}'s first kept", SECOND, **summaries,
        ),
        build(
            later, _kept_from(path, at, script.continuation[0]["id"]),
            f"build_context where {second['id']} keeps only what came after {first['id']}", SECOND,
            **summaries,
        ),
        build(
            later, _kept_from(path, at, inside),
            f"build_context where {second['id']} keeps from {inside}", FIRST_KEPT,
            names=[[second["id"]], [inside]], **summaries,
        ),
        build(
            later, _kept_from(path, at, first["id"]),
            f"build_context where {second['id']} keeps from {first['id']}", FIRST_KEPT,
            names=[[second["id"]], [first["id"]]], **summaries,
        ),
        build(
            later, [*broken, *path[at:]], f"build_context where only the silent {first['id']} "
            "keeps from inside a group", NEWEST, **summaries,
        ),
        build(
            later, broken, f"build_context before {second['id']}, {first['id']} keeping from "
            f"{inside}", FIRST_KEPT, names=[[first["id"]], [inside]], max_tokens=999,
            summary=first["summary"], older=second["summary"],
        ),
        build(
            later, grown, f"build_context before {second['id']}", NEWEST,
            summary=first["summary"], older=second["summary"], max_tokens=999,
        ),
    ]  # fmt: skip
    return by_part(draw.mixed(steps), BY_PART, OWN_PARTS)


def _kept_from(path: list[Json], at: int, entry_id: str) -> list[Json]:
    """The path with the compaction at `at` keeping from another entry."""
    return [*path[:at], path[at] | {"firstKeptEntryId": entry_id}, *path[at + 1 :]]


def _restored(script: Transcript) -> list[list[Json]]:
    """The groups that the compaction keeps, and the one after it."""
    start = script.compaction["firstKeptEntryId"]
    first = next(i for i, group in enumerate(script.groups) if group[0]["id"] == start)
    return [*script.groups[first:], script.continuation]


def _first_arguments(script: Transcript) -> int | None:
    """Where among the restored messages, summary included, the first tool call stands."""
    entries = [entry for group in _restored(script) for entry in group]
    for i, entry in enumerate(entries):
        if entry["message"]["content"][0]["type"] == "toolCall":
            return i + 1
    return None
