"""Lab 11.4: a compaction entry is made from a path, and nothing is written."""

from collections.abc import Mapping, Sequence

from coursekit.check.case import NO_OTHERS, Rule, Step, Wording
from coursekit.check.protocol import JsonValue, Request
from coursekit.course.steps import NOTHING_SHARED, CaseDraw, tamper
from coursekit.transcripts import Json, assistant, calls, chain, metadata, transcript

PARENT = Rule(
    "The parent is the last entry of the path, whatever its type; nobody passes it in. All else "
    "in the record is what was passed in.",
    "The parent is derived",
)
ACCEPTED = Rule(
    "A good call is accepted: any interaction start is a good cut, and the summary may be a "
    "CompactionSummary or its JSON object.",
    "The parser checks the record",
)
CUT = Rule(
    "Only the first message of an interaction may be the first kept entry.",
    "A cut falls between interactions",
)
ANY_START = Rule(
    "Any interaction start on the path will do, one before an older compaction's too: "
    "the history is all there.",
    "A cut falls between interactions",
)
OPEN = Rule(
    "A path that ends inside a tool call can't be compacted: its interaction is not whole.",
    "A cut falls between interactions",
)
NEW_ID = Rule(
    "A new entry needs a path to stand on and an id that no entry of it has.",
    "The parent is derived",
)
RECORD = Rule(
    "parse_session_entry has the last word on summary, timestamp and tokensBefore.",
    "The parser checks the record",
)
COPIES = Rule(
    "The record shares nothing with the summary passed in, and the path stays as it was.",
    NOTHING_SHARED,
)

_LISTS = ("constraints", "completed", "decisions", "changed_files", "unresolved", "next")


def check_1(variant: int) -> list[Step]:
    """The parent is derived and everything is copied."""
    draw = CaseDraw("11.4/1", variant)
    script = transcript(variant)
    record, path = script.compaction, script.entries
    copies = [
        create(
            path,
            record,
            f"create {record['id']} after {path[-1]['id']}",
            PARENT,
            other_rules={"refused": ACCEPTED},
        ),
        tamper("summary", [[key] for key in _LISTS], "entry", COPIES),
        tamper("entry", [["summary", key] for key in _LISTS], "summary", COPIES),
    ]
    spare = _spare(draw, record)
    keys = [key if key != "changed_files" else "changedFiles" for key in _LISTS]
    as_json = [
        create(path, spare, f"create {spare['id']} from a JSON summary", ACCEPTED, as_object=False),
        tamper("summary", [[key] for key in keys], "entry", COPIES),
    ]
    noted = [*path, metadata(draw.name("m"), None, "k", 1)]
    grown = [*path, record, *script.continuation]
    starts = [group[0]["id"] for group in script.groups]
    taken = draw.random.choice(path)["id"]
    blocks: list[Step | list[Step]] = [
        copies,
        as_json,
        create(
            chain(noted), _spare(draw, record), "create where metadata ends the path", PARENT
        ),
        create(
            grown[: len(path) + 1], _spare(draw, record),
            "create where a compaction ends the path", PARENT,
        ),
        create(
            grown, _spare(draw, record), "create a second one that keeps from the root",
            ANY_START, first_kept_entry_id=starts[0],
        ),
        create(
            grown, _spare(draw, record), "create a second one that keeps the newest only",
            ANY_START, first_kept_entry_id=script.continuation[0]["id"],
        ),
        create(
            path, record, f"create with the id {taken}, which the path has", NEW_ID,
            id=taken, names=[[taken]],
        ),
    ]  # fmt: skip
    return draw.mixed(blocks)


def check_2(variant: int) -> list[Step]:
    """A bad cut is refused."""
    draw = CaseDraw("11.4/2", variant)
    script = transcript(variant)
    record, path = script.compaction, script.entries
    note = metadata(draw.name("m"), None, "k", 1)
    noted = chain([*path[:2], note, *path[2:]])
    grown = [*path, record, *script.continuation]
    asked = calls(draw.name("c"), None, [(draw.name("k"), "read", {})])
    call = asked["message"]["content"][0]["id"]
    inside = [entry["id"] for entry in script.groups[-1][1:]]
    steps = [
        create(
            path, _spare(draw, record), f"create with the first kept entry {start}", CUT,
            first_kept_entry_id=start, other_rules={"refused": ACCEPTED},
        )
        for start in [group[0]["id"] for group in script.groups]
    ]  # fmt: skip
    cuts: list[tuple[list[Json], str]] = [(path, entry_id) for entry_id in inside]
    cuts += [(path, script.groups[0][-1]["id"]), (path, draw.name("nobody"))]
    cuts += [(noted, note["id"]), (grown, record["id"])]
    for where, entry_id in cuts:
        spare = _spare(draw, record)
        steps.append(
            create(
                where, spare, f"create with the first kept entry {entry_id}", CUT,
                first_kept_entry_id=entry_id, names=[[spare["id"]], [entry_id]],
            )
        )  # fmt: skip
    spare = _spare(draw, record)
    steps.append(create([], spare, "create on an empty path", NEW_ID, names=[[spare["id"]]]))
    steps += [
        create(
            path, record, f"create with the id {taken}, which the path has", NEW_ID,
            id=taken, names=[[taken]],
        )
        for taken in (path[0]["id"], path[-1]["id"])
    ]  # fmt: skip
    reply = assistant(draw.name("a"), None, draw.text())
    for tail, ending in (([asked], "ends in an open call"), ([asked, reply], "has an open call")):
        steps.append(
            create(
                chain([*path, *tail]), _spare(draw, record), f"create on a path that {ending}",
                OPEN, names=[[asked["id"]], [call]],
            )
        )  # fmt: skip
    bad: list[tuple[str, JsonValue, str]] = [
        ("tokens_before", -1, "tokensBefore"),
        ("tokens_before", True, "tokensBefore"),
        ("timestamp", {"python": "nan"}, "timestamp"),
        ("summary", record["summary"] | {"goal": "  "}, "summary.goal"),
        ("summary", record["summary"] | {"next": draw.text()}, "summary.next"),
    ]
    for name, value, field in bad:
        spare = _spare(draw, record)
        changed: Json = {name: value}
        steps.append(
            create(
                path, spare, f"create with a bad {field}", RECORD,
                names=[[f"{spare['id']}.{field}"]], **changed,
            )
        )  # fmt: skip
    steps.append(
        create(
            path, _spare(draw, record), "create with tokens_before=0 and no decisions", RECORD,
            tokens_before=0, summary=record["summary"] | {"decisions": []},
        )
    )  # fmt: skip
    return draw.mixed(steps)


def _spare(draw: CaseDraw, record: Json) -> Json:
    return record | {"id": draw.name("compact")}


def create(
    path: list[Json],
    record: Json,
    call: str,
    rule: Rule,
    *,
    as_object: bool = True,
    names: Sequence[list[str]] = (),
    other_rules: Mapping[str, Rule] = NO_OTHERS,
    **changes: JsonValue,
) -> Step:
    """Create the compaction `record` on a path, some arguments replaced."""
    arguments = {
        "id": record["id"],
        "timestamp": record["timestamp"],
        "summary": record["summary"],
        "first_kept_entry_id": record["firstKeptEntryId"],
        "tokens_before": record["tokensBefore"],
    } | changes
    request = Request("create", {"path": [*path], "arguments": arguments, "as_object": as_object})
    return Step(request, call, rule, names, other_rules=other_rules, wording=CREATION)


class _CreationWording(Wording):
    """A compaction entry that is created."""

    function = "context.create_compaction_entry"
    result = "CompactionSessionEntry"

    def returned(self, value: JsonValue) -> str:
        """The entry by its id."""
        entry = value.get("entry") if isinstance(value, dict) else None
        if isinstance(entry, dict) and entry.get("type") == "compaction":
            return f"the entry {entry['id']}"
        return super().returned(value if entry is None else entry)


CREATION = _CreationWording()
