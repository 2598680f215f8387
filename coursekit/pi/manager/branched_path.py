"""One path of a tree, made into a session of its own (Pi 1.6.0 createBranchedSession)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from coursekit.pi.files.entries import Entry
from coursekit.pi.files.json_text import JsonObject
from coursekit.pi.ids import new_entry_id


def without_labels(path: Iterable[Entry]) -> list[Entry]:
    """The path without its label entries, chained anew.

    Labels are entries of the tree, so others can hang on them: each entry gets the one before it
    as parent, and a compaction that kept from a label keeps from the entry after that label.
    """
    kept: list[Entry] = []
    replacement: dict[str, str] = {}
    pending: list[str] = []
    parent_id: str | None = None
    for entry in path:
        if entry.type == "label":
            pending.append(entry.id)
            continue
        for label_id in pending:
            replacement[label_id] = entry.id
        pending.clear()
        changes: dict[str, object] = {}
        if entry.parent_id != parent_id:
            changes["parentId"] = parent_id
        if entry.type == "compaction":
            first_kept_id = entry.get("firstKeptEntryId")
            if isinstance(first_kept_id, str) and first_kept_id in replacement:
                changes["firstKeptEntryId"] = replacement[first_kept_id]
        kept.append(Entry.from_json({**entry.to_json(), **changes}) if changes else entry)
        parent_id = entry.id
    return kept


def label_entries(path: Sequence[Entry], labels: Mapping[str, Entry]) -> list[Entry]:
    """New label entries for every label in force on the path, chained behind its last entry."""
    taken = {entry.id for entry in path}
    on_path = [label for target_id, label in labels.items() if target_id in taken]
    parent_id = path[-1].id if path else None
    entries: list[Entry] = []
    for label in on_path:
        entry_id = new_entry_id(taken)
        taken.add(entry_id)
        value: JsonObject = {"type": "label", "id": entry_id, "parentId": parent_id}
        old = label.to_json()
        value.update((key, old[key]) for key in ("timestamp", "targetId", "label") if key in old)
        entries.append(Entry.from_json(value))
        parent_id = entry_id
    return entries
