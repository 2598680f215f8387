from session import (
    CompactionSessionEntry,
    CompactionSummary,
    SessionEntryError,
    is_finite,
)


def parse_compaction(record):
    problem = first_problem(record)
    if problem:
        raise SessionEntryError(record["id"], *problem)
    summary = record["summary"]
    return CompactionSessionEntry(
        record["id"],
        record["parentId"],
        record["timestamp"],
        CompactionSummary(
            goal=summary["goal"],
            constraints=summary["constraints"][:],
            completed=summary["completed"][:],
            decisions=summary["decisions"][:],
            changed_files=summary["changedFiles"][:],
            unresolved=summary["unresolved"][:],
            next=summary["next"][:],
        ),
        record["firstKeptEntryId"],
        record["tokensBefore"],
    )


def first_problem(record):
    keys = ("type", "id", "parentId", "timestamp", "summary", "firstKeptEntryId", "tokensBefore")
    for key in keys:
        if key not in record:
            return key, "not there"
    for key in record:
        if key not in keys:
            return key, "not wanted"
    for key in ("parentId", "firstKeptEntryId"):
        if not isinstance(record[key], str):
            return key, "no string"
        if not record[key].strip():
            return key, "nothing in it"
    for key in ("timestamp", "tokensBefore"):
        if type(record[key]) not in (int, float):
            return key, "no number"
        if not is_finite(record[key]):
            return key, "no end to it"
    if record["tokensBefore"] < 0:
        return "tokensBefore", "less than none"
    if not isinstance(record["summary"], dict):
        return "summary", "no object"
    inner = summary_problem(record["summary"])
    if inner:
        return f"summary.{inner[0]}", inner[1]
    return None


def summary_problem(summary):
    lists = ("constraints", "completed", "decisions", "changedFiles", "unresolved", "next")
    for key in ("goal", *lists):
        if key not in summary:
            return key, "not there"
    for key in summary:
        if key not in ("goal", *lists):
            return key, "not wanted"
    if not isinstance(summary["goal"], str):
        return "goal", "no string"
    if not summary["goal"].strip():
        return "goal", "nothing in it"
    for key in lists:
        if not isinstance(summary[key], list):
            return key, "no list"
        for item in summary[key]:
            if not isinstance(item, str):
                return key, "not only strings"
    return None
