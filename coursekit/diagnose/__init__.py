"""Read-only findings on any session file, of the course or of Pi.

    from coursekit.diagnose import diagnose
    for finding in diagnose("session.jsonl"): print(finding.code, finding.message)

Nothing is repaired. A repair is the owner's act, on a copy: a program that reads a
session may be writing to it.
"""

import os
from pathlib import Path

from coursekit.diagnose.branch_walk import BranchWalk
from coursekit.diagnose.entry_record import EntryRecord
from coursekit.diagnose.file_lines import FileLines
from coursekit.diagnose.finding import CODES, Finding, Severity, make_finding
from coursekit.diagnose.record_tree import RecordTree
from coursekit.pi.errors import PiSessionError
from coursekit.pi.files.entries import check_entry
from coursekit.session import SessionEntryError, parse_session_entry

__all__ = ["CODES", "Finding", "Severity", "diagnose", "diagnose_bytes"]

_PI_TYPES = {
    "message",
    "model_change",
    "thinking_level_change",
    "compaction",
    "branch_summary",
    "custom",
    "custom_message",
    "context_edit",
    "label",
    "session_info",
    "usage",
}
_PI_ROLES = {"system", "user", "assistant", "toolResult", "bashExecution", "custom"}
_CONTEXT_CHANGES = {"compaction", "context_edit"}
_SPOKEN = {"message", "custom_message", "branch_summary", "compaction"}


def diagnose(path: str | os.PathLike[str]) -> list[Finding]:
    """The findings on the file at `path`, by line. Raises OSError if it can't be read.

    Time and memory grow in proportion to the file; a cycle or a chain of any length
    comes to an end.
    """
    return diagnose_bytes(Path(path).read_bytes())


def diagnose_bytes(data: bytes) -> list[Finding]:
    """The findings on a file's bytes, by line."""
    lines = FileLines(data)
    findings: list[Finding] = []
    records: list[EntryRecord] = []
    for value, number in lines.entries():
        if lines.version < 2:
            _name_by_line(value, records, number)
        record = EntryRecord(value, number)
        if lines.kind == "course":
            findings += _course_entry(value, record)
        else:
            findings += _pi_entry(value, record)
        records.append(record)
    tree = RecordTree(records)
    leaf = records[-1] if records else None
    findings += lines.findings + tree.findings
    findings += BranchWalk(tree, lines.kind, leaf).findings()
    if leaf is not None:
        findings += _leaf(leaf, records, tree)
        findings += _usage(tree.path(leaf))
    return sorted(findings, key=lambda finding: finding.line)


def _name_by_line(value: dict[str, object], records: list[EntryRecord], number: int) -> None:
    """Version 1 had no ids: each entry followed the one before it (Pi 1.6.0 migrateV1ToV2)."""
    value["id"] = f"line-{number}"
    value["parentId"] = records[-1].id if records else None
    index = value.get("firstKeptEntryIndex")
    if isinstance(index, int):  # it counts lines, the header being 0
        value["firstKeptEntryId"] = f"line-{index + 1}"


def _course_entry(value: dict[str, object], record: EntryRecord) -> list[Finding]:
    try:
        parse_session_entry(value)
    except SessionEntryError as error:
        ids = (record.id,) if record.id else ()
        return [make_finding("bad-entry", record.line, str(error), ids)]
    return []


def _pi_entry(value: dict[str, object], record: EntryRecord) -> list[Finding]:
    entry_id = str(record.id)
    try:
        check_entry(value)
    except PiSessionError as error:
        if value.get("id"):  # a missing id is told by the tree
            ids = (record.id,) if record.id else ()
            return [make_finding("bad-entry", record.line, f"{value['id']}: {error}", ids)]
    if record.type not in _PI_TYPES:
        message = f"{entry_id}: the type {record.type!r} is not one of Pi's"
        return [make_finding("unknown-type", record.line, message, (entry_id,))]
    if record.type == "message" and record.role not in _PI_ROLES:
        message = f"{entry_id}: the role {record.role!r} is not one of Pi's"
        return [make_finding("unknown-role", record.line, message, (entry_id,))]
    if record.null_content:
        message = f"{entry_id}.message.content is null"
        return [make_finding("null-content", record.line, message, (entry_id,))]
    return []


def _leaf(leaf: EntryRecord, records: list[EntryRecord], tree: RecordTree) -> list[Finding]:
    """Pi's leaf is the last line; a name or a label written on an old branch moves it."""
    spoken = next((each for each in reversed(records) if each.type in _SPOKEN), None)
    if spoken is None or leaf.type in _SPOKEN:
        return []
    if any(step is spoken for step in tree.path(leaf)):
        return []
    message = (
        f"the last line, {leaf.type} {leaf.id!r}, is not behind the newest message {spoken.id!r}"
    )
    return [make_finding("leaf-moved", leaf.line, message, (str(leaf.id), str(spoken.id)))]


def _usage(path: list[EntryRecord]) -> list[Finding]:
    """Whether the newest usage on the path is older than an edit or a compaction."""
    change: EntryRecord | None = None
    for record in path:
        if record.type in _CONTEXT_CHANGES and change is None:
            change = record
        if record.has_usage and record.stop not in ("error", "aborted"):
            if change is None:
                return []
            message = (
                f"the newest usage, of {record.id!r}, is older than {change.type} {change.id!r}"
            )
            return [
                make_finding("stale-usage", record.line, message, (str(record.id), str(change.id)))
            ]
    return []
