from session import (
    CompactionSessionEntry,
    CompactionSummary,
    SessionEntryError,
    read_non_blank,
    read_non_negative,
    read_number,
    read_strings,
)

READERS = {
    "parentId": read_non_blank,
    "timestamp": read_number,
    "summary": lambda value, entry_id, path: read_shape(value, entry_id, path, SUMMARY),
    "firstKeptEntryId": read_non_blank,
    "tokensBefore": read_non_negative,
}
SUMMARY = {"goal": read_non_blank} | dict.fromkeys(
    ("constraints", "completed", "decisions", "changedFiles", "unresolved", "next"), read_strings
)


def parse_compaction(record):
    rest = {key: value for key, value in record.items() if key not in ("type", "id")}
    values = read_shape(rest, record["id"], "", READERS)
    snake = {"parentId": "parent_id", "firstKeptEntryId": "first_kept_entry_id"}
    snake |= {"tokensBefore": "tokens_before"}
    fields = {snake.get(key, key): value for key, value in values.items()}
    fields["summary"] = CompactionSummary(*fields["summary"].values())
    return CompactionSessionEntry(id=record["id"], **fields)


def read_shape(value, entry_id, path, readers):
    if not isinstance(value, dict):
        raise SessionEntryError(entry_id, path, "want a mapping")
    for key in [*readers, *value]:
        inner = f"{path}.{key}".lstrip(".")
        if (key in readers) != (key in value):
            raise SessionEntryError(entry_id, inner, "only on one side")
    return {
        key: read(value[key], entry_id, f"{path}.{key}".lstrip("."))
        for key, read in readers.items()
    }
