"""Format versions 1 and 2, brought to version 3 in memory (Pi 1.6.0 migrateSessionEntries).

Version 1 was a list without ids: entries get ids and a chain, and a compaction's
`firstKeptEntryIndex` (an index into the file's lines, the header being 0) becomes an id. Version 2
called the role `custom` `hookMessage`.
"""

from __future__ import annotations

from coursekit.pi.files.json_text import JsonObject
from coursekit.pi.files.session_header import CURRENT_SESSION_VERSION, SessionHeader
from coursekit.pi.ids import new_entry_id


def migrate(header: SessionHeader, values: list[JsonObject]) -> SessionHeader:
    """Bring the entries' JSON objects to version 3 and return the header that goes with them.

    The objects are changed, the messages in them are not.
    """
    if header.version < 2:
        _give_ids(values)
    for value in values:
        message = value.get("message")
        if (
            value.get("type") == "message"
            and isinstance(message, dict)
            and message.get("role") == "hookMessage"
        ):
            value["message"] = {**message, "role": "custom"}
    return SessionHeader.from_json({**header.to_json(), "version": CURRENT_SESSION_VERSION})


def _give_ids(values: list[JsonObject]) -> None:
    ids: dict[str, None] = {}
    parent_id: str | None = None
    for value in values:
        value["id"] = new_entry_id(ids)
        value["parentId"] = parent_id
        ids[value["id"]] = None
        parent_id = value["id"]
    for position, value in enumerate(values, start=1):
        if value.get("type") == "compaction":
            index = value.get("firstKeptEntryIndex")
            if isinstance(index, int | float) and not isinstance(index, bool):
                # Only an entry that stands before the compaction can be kept by it.
                if index in range(1, position + 1):
                    value["firstKeptEntryId"] = values[int(index) - 1]["id"]
                del value["firstKeptEntryIndex"]
