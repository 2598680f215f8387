"""Lab 11.1: a compaction record is narrowed, copied, stored and read back."""

import json
from collections.abc import Sequence
from copy import deepcopy

from coursekit.check.case import Rule, Step, Wording
from coursekit.check.protocol import JsonValue, Note, Request
from coursekit.course.steps import NOTHING_SHARED, CaseDraw, tamper
from coursekit.transcripts import Json, transcript

SHAPE = Rule(
    "A compaction record has exactly the keys of its shape: none missing, none unknown.",
    "The shape of a compaction record",
)
SUMMARY = Rule(
    "The goal says something, and the six other fields are lists of strings.",
    "The shape of a compaction record",
)
NAMES = Rule(
    "parentId and firstKeptEntryId name entries, so they are neither blank nor null.",
    "Ids and numbers",
)
NUMBERS = Rule(
    "timestamp is a finite number, tokensBefore one that is zero or more; "
    "a boolean does not count.",
    "Ids and numbers",
)
GOOD = Rule(
    "A strict parser still takes every good record: empty lists, a cost of zero, any text.",
    "The shape of a compaction record",
)
COPIES = Rule(
    "The entry shares nothing with the record it came from, nor with what is given out.",
    NOTHING_SHARED,
)
STORES = Rule(
    "Both stores read every entry through parse_session_entry, so a parsed compaction is "
    "kept and comes back as it was.",
    "Written, closed and opened again",
)

LISTS = ("constraints", "completed", "decisions", "changedFiles", "unresolved", "next")
ATTRIBUTES = ("constraints", "completed", "decisions", "changed_files", "unresolved", "next")


def check_1(variant: int) -> list[Step]:
    """A normal record is narrowed and copied."""
    draw = CaseDraw("11.1/1", variant)
    script = transcript(variant)
    record = script.compaction
    spare = _record(draw, script.compaction)
    missing = draw.random.choice(LISTS)
    cut = _changed(spare, ["summary", missing])
    copies = [
        _parse(record, f"parse_session_entry({record['id']})", SHAPE),
        tamper("input", [["summary", key] for key in LISTS], "entry", COPIES),
        tamper("entry", [["summary", key] for key in ATTRIBUTES], "input", COPIES),
    ]
    stored = [
        _store([*script.entries, record], "append all to an InMemorySessionStore", file=False),
        tamper("stored", [[-1, "summary", key] for key in ATTRIBUTES], "stored", COPIES),
    ]
    empty = spare | {"summary": {key: [] for key in LISTS} | {"goal": draw.text()}}
    return draw.mixed(
        [
            copies,
            stored,
            _parse(
                cut,
                f"parse {spare['id']} without summary.{missing}",
                SHAPE,
                ["summary", missing],
            ),
            _parse(empty, f"parse {spare['id']} with six empty lists", GOOD),
        ]
    )


def check_2(variant: int) -> list[Step]:
    """A bad record is refused."""
    draw = CaseDraw("11.1/2", variant)
    record = transcript(variant).compaction
    key = draw.random.choice(LISTS)
    top = draw.random.choice(["parentId", "timestamp", "firstKeptEntryId", "tokensBefore"])
    faults: list[tuple[list[str], JsonValue | _Gone, str, Rule]] = [
        ([top], _GONE, f"without {top}", SHAPE),
        (["summary", key], _GONE, f"without summary.{key}", SHAPE),
        (["summary"], _GONE, "without summary", SHAPE),
        ([draw.name("extra")], 1, "with a key that nobody knows", SHAPE),
        (["summary", draw.name("extra")], [], "with an unknown key in its summary", SHAPE),
        (["summary"], None, "with summary null", SHAPE),
        (["summary", "goal"], "", "with an empty goal", SUMMARY),
        (["summary", "goal"], " \n\t", "with a goal of white space", SUMMARY),
        (["summary", "goal"], 7, "with the goal 7", SUMMARY),
        (["summary", key], draw.text(), f"with a string for summary.{key}", SUMMARY),
        (["summary", key], None, f"with summary.{key} null", SUMMARY),
        (["parentId"], None, "with parentId null", NAMES),
        (["parentId"], "", "with a blank parentId", NAMES),
        (["firstKeptEntryId"], "  ", "with a blank firstKeptEntryId", NAMES),
        (["firstKeptEntryId"], 2, "with the firstKeptEntryId 2", NAMES),
        (["tokensBefore"], -1, "with tokensBefore -1", NUMBERS),
        (["tokensBefore"], True, "with tokensBefore true", NUMBERS),
        (["tokensBefore"], "29", 'with tokensBefore "29"', NUMBERS),
        (["tokensBefore"], None, "with tokensBefore null", NUMBERS),
        (["tokensBefore"], {"python": "nan"}, "with tokensBefore NaN", NUMBERS),
        (["tokensBefore"], {"python": "inf"}, "with tokensBefore infinite", NUMBERS),
        (["tokensBefore"], {"python": "huge"}, "with tokensBefore 10**400", NUMBERS),
        (["timestamp"], False, "with timestamp false", NUMBERS),
        (["timestamp"], {"python": "nan"}, "with timestamp NaN", NUMBERS),
    ]
    steps = []
    for path, value, how, rule in faults:
        spare = _record(draw, record)
        steps.append(_parse(_changed(spare, path, value), f"parse a record {how}", rule, path))
    for item in LISTS:
        spare = _record(draw, record)
        bad: list[JsonValue] = [draw.text(), draw.random.choice([3, None, True, [], {}])]
        steps.append(
            _parse(
                _changed(spare, ["summary", item], bad),
                f"parse a record with a list in summary.{item} that holds more than strings",
                SUMMARY,
                ["summary", item],
            )
        )
    spare = _record(draw, record)
    alias = deepcopy(spare)
    alias["summary"]["files"] = alias["summary"].pop("changedFiles")
    steps.append(_parse(alias, "parse a record with files for changedFiles", SHAPE, ["summary"]))
    good: list[tuple[list[str], JsonValue, str]] = [
        (["tokensBefore"], 0, "with tokensBefore 0"),
        (["tokensBefore"], 29.5, "with tokensBefore 29.5"),
        (["timestamp"], -3, "with a timestamp before 1970"),
        (["summary", key], [], f"with an empty summary.{key}"),
        (["summary", key], ["", " "], f"with blank strings in summary.{key}"),
        (["summary", "goal"], f" {draw.text()} \u2028 ", "with white space around its goal"),
    ]
    steps += [
        _parse(_changed(_record(draw, record), path, value), f"parse a record {how}", GOOD)
        for path, value, how in good
    ]
    return draw.mixed(steps)


def check_3(variant: int) -> list[Step]:
    """A record survives closing and reopening the file."""
    draw = CaseDraw("11.1/3", variant)
    script = transcript(variant)
    record = script.compaction
    spare = _record(draw, record)
    key = draw.random.choice(LISTS)
    good = [json.dumps(entry) for entry in [*script.entries, record, *script.continuation]]
    bad = json.dumps(_changed(spare, ["summary", key]))
    kept = [
        _store([*script.entries, record], "append all to a JsonlSessionStore, open it again"),
        tamper("stored", [[-1, "summary", name] for name in ATTRIBUTES], "stored", COPIES),
    ]
    path = f"{spare['id']}.summary.{key}"
    return draw.mixed(
        [
            kept,
            _open(good, "open a file with a compaction in the middle", STORES),
            _open([*good, bad], f"open a file whose last line lacks {path}", SHAPE, [[path]]),
        ]
    )


class _Gone:
    """In place of a value: the field is taken out."""


_GONE = _Gone()


def _record(draw: CaseDraw, record: Json) -> Json:
    """The record under another id, so that no two calls of a check look alike."""
    return deepcopy(record) | {"id": draw.name("compact")}


def _changed(record: Json, path: list[str], value: "JsonValue | _Gone" = _GONE) -> Json:
    """A copy of the record with one field replaced, or taken out."""
    copy = deepcopy(record)
    spot = copy
    for key in path[:-1]:
        spot = spot[key]
    if value is _GONE:
        del spot[path[-1]]
    else:
        spot[path[-1]] = value
    return copy


def _parse(record: Json, call: str, rule: Rule, path: list[str] | None = None) -> Step:
    names = [[".".join([record["id"], *path])]] if path else []
    return Step(Request("parse", {"value": record}), call, rule, names, wording=PARSE)


def _store(entries: list[Json], call: str, *, file: bool = True) -> Step:
    request = Request("store", {"file": file, "values": [*entries]})
    return Step(request, call, STORES, wording=STORE)


def _open(lines: list[str], call: str, rule: Rule, names: Sequence[list[str]] = ()) -> Step:
    return Step(Request("open", {"lines": [*lines]}), call, rule, names, wording=RECORD)


class _RecordWording(Wording):
    """A record that is parsed."""

    function = "session.parse_compaction"

    def returned(self, value: JsonValue) -> str:
        """The entry by its id; entries in short."""
        if isinstance(value, dict) and value.get("type") == "compaction":
            return f"the entry {value['id']}"
        return super().returned(value)


class _ParseWording(_RecordWording):
    """One record that is parsed to one entry."""

    result = "entry"


class _StoreWording(_RecordWording):
    """Records that are parsed and stored."""

    def wrong_kind(self, step: Step, note: Note) -> str:
        """A store that is handed None says so."""
        if note.text.startswith("entry: must be an object, not null"):
            return "None: parse_compaction has no return on this way"
        return super().wrong_kind(step, note)


RECORD, PARSE, STORE = _RecordWording(), _ParseWording(), _StoreWording()
