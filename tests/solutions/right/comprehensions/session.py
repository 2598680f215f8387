from session import (
    SUMMARY_KEYS,
    CompactionSessionEntry,
    CompactionSummary,
    SessionEntryError,
    is_finite,
)

TOP = {"type", "id", "parentId", "timestamp", "summary", "firstKeptEntryId", "tokensBefore"}


def parse_compaction(record):
    name = record["id"]
    summary = record.get("summary")
    is_object = isinstance(summary, dict)
    inner = summary if is_object else {}
    lists = {key: inner.get(key) for key in SUMMARY_KEYS if key != "goal"}
    faults = [
        *(f"{name}.{key}" for key in TOP ^ set(record)),
        *([] if is_object else [f"{name}.summary"]),
        *(f"{name}.summary.{key}" for key in is_object and set(SUMMARY_KEYS) ^ set(inner) or ()),
        *(
            f"{name}.summary.{key}"
            for key, value in lists.items()
            if not (isinstance(value, list) and all(isinstance(item, str) for item in value))
        ),
        *(f"{name}.summary.goal" for goal in [inner.get("goal")] if not says_something(goal)),
        *(
            f"{name}.{key}"
            for key in ("parentId", "firstKeptEntryId")
            if not says_something(record.get(key))
        ),
        *(
            f"{name}.{key}"
            for key, least in (("timestamp", None), ("tokensBefore", 0))
            if not is_number(record.get(key), least)
        ),
    ]
    if faults:
        raise SessionEntryError(name, "", f"look at {', '.join(faults)}")
    return CompactionSessionEntry(
        id=name,
        parent_id=record["parentId"],
        timestamp=record["timestamp"],
        summary=CompactionSummary(inner["goal"], *([*items] for items in lists.values())),
        first_kept_entry_id=record["firstKeptEntryId"],
        tokens_before=record["tokensBefore"],
    )


def says_something(value):
    return isinstance(value, str) and bool(value.strip())


def is_number(value, least):
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return is_finite(value) and (least is None or value >= least)
