from typing import Any

import msgspec

from session import CompactionSessionEntry, CompactionSummary, is_finite


class SummaryStruct(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    goal: str
    constraints: list[str]
    completed: list[str]
    decisions: list[str]
    changed_files: list[str]
    unresolved: list[str]
    next: list[str]


class RecordStruct(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    type: str
    id: str
    parent_id: str
    timestamp: Any
    summary: SummaryStruct
    first_kept_entry_id: str
    tokens_before: Any


def parse_compaction(record):
    name = record["id"]
    try:
        shape = msgspec.convert(record, RecordStruct, strict=True)
    except msgspec.ValidationError as problem:
        raise ValueError(f"{spelled(name, str(problem))}: {problem}") from problem
    for field, text in (
        ("parentId", shape.parent_id),
        ("firstKeptEntryId", shape.first_kept_entry_id),
        ("summary.goal", shape.summary.goal),
    ):
        if not text.strip():
            raise ValueError(f"{name}.{field} is blank")
    for field, number in (("timestamp", shape.timestamp), ("tokensBefore", shape.tokens_before)):
        if type(number) not in (int, float) or not is_finite(number):
            raise ValueError(f"{name}.{field} is no number")
    if shape.tokens_before < 0:
        raise ValueError(f"{name}.tokensBefore is negative")
    return CompactionSessionEntry(
        shape.id,
        shape.parent_id,
        shape.timestamp,
        CompactionSummary(*msgspec.structs.astuple(shape.summary)),
        shape.first_kept_entry_id,
        shape.tokens_before,
    )


def spelled(name, problem):
    """Where msgspec's error is: its path, and the field that it misses or does not know."""
    path = problem.partition(" - at `$")[2].rstrip("`")
    known = ("missing required field `", "contains unknown field `")
    for phrase in known:
        if phrase in problem:
            path += "." + problem.partition(phrase)[2].partition("`")[0]
    return name + path
