import copy
import json

from context import CompactionError, Restoration, group_interactions
from session import TextContent, UserMessage, entry_to_json, parse_session_entry, summary_to_json


def create_compaction_entry(
    active_path, *, id, timestamp, summary, first_kept_entry_id, tokens_before
):
    try:
        parent = active_path[-1]
    except IndexError:
        raise CompactionError(f"{id} stands on nothing", compaction_id=id) from None
    taken = {entry_to_json(entry)["id"] for entry in active_path}
    starts = {entry_to_json(group.entries[0])["id"] for group in group_interactions(active_path)}
    for wrong, complaint in (
        (id in taken, f"{id} is taken"),
        (first_kept_entry_id not in starts, f"{first_kept_entry_id} for {id}"),
    ):
        if wrong:
            raise CompactionError(complaint, compaction_id=id)
    shape = summary_to_json(summary) if hasattr(summary, "goal") else copy.deepcopy(summary)
    line = {
        "id": id,
        "type": "compaction",
        "parentId": parent.id,
        "timestamp": timestamp,
        "firstKeptEntryId": first_kept_entry_id,
        "summary": shape,
        "tokensBefore": tokens_before,
    }
    return parse_session_entry(line)


def restore(active_path):
    lines = [entry_to_json(entry) for entry in active_path]
    at = len(lines) - 1 - [line["type"] for line in reversed(lines)].index("compaction")
    newest = lines[at]
    for start, line in enumerate(lines[:at]):
        if line["id"] == newest["firstKeptEntryId"] and line["type"] == "message":
            if line["message"]["role"] == "user":
                break
    else:
        raise CompactionError(json.dumps(newest), compaction_id=newest["id"])
    return Restoration(
        newest["id"],
        UserMessage([TextContent(json.dumps(newest["summary"], indent=1))], newest["timestamp"]),
        [parse_session_entry(line) for line in lines[start:] if line["type"] == "message"],
    )


assert summary_to_json
