"""Read a session file, course or Pi, for looking at. Nothing is repaired or written.

A Pi file has a header on its first line, a course file has none. Pi's first
format has no ids: here they are called by their line (`line-2`), each
the parent of the next, so that the same file is always drawn the same.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import NoReturn, TypeAlias

from coursekit.view.facts import ViewError

Json: TypeAlias = dict[str, object]


class SessionFile:
    """The entries of a file as JSON objects, its header, and what to know about it."""

    def __init__(self, entries: list[Json], header: Json | None, warnings: list[str]) -> None:
        self._entries = entries
        self.header = header
        self.warnings = warnings

    def entries(self) -> list[Json]:
        """The entries in file order, header left out."""
        return list(self._entries)


def load(path: str | Path) -> SessionFile:
    """Read the session file at `path`; `draw(load(path))` shows it.

    A last line that no newline ends was never committed: it is left out, and
    `warnings` says so. Raises `ViewError` naming the line for a committed line that
    is not one JSON object or repeats an id, and `OSError` when the file can't be read.
    """
    path = Path(path)
    lines = path.read_bytes().split(b"\n")
    tail = lines.pop()
    warnings = []
    if tail.strip():
        warnings.append(
            f"{path}, line {len(lines) + 1}: broken off before its newline, so not shown; "
            "coursekit diagnose says more"
        )
    records = [
        (number, _read(line, path, number))
        for number, line in enumerate(lines, start=1)
        if line.strip()
    ]
    header = records.pop(0)[1] if records and records[0][1].get("type") == "session" else None
    if header is not None and header.get("version", 1) == 1:
        _name_by_line(records)
    _refuse_repeats(records, path)
    return SessionFile([record for _, record in records], header, warnings)


def _refuse_repeats(records: list[tuple[int, Json]], path: Path) -> None:
    lines: dict[str, int] = {}
    for number, record in records:
        entry_id = record.get("id")
        if isinstance(entry_id, str):
            first = lines.setdefault(entry_id, number)
            if first != number:
                raise ViewError(
                    f"{path}, lines {first} and {number}: both have the id {entry_id!r}; "
                    "coursekit diagnose says more",
                    (entry_id,),
                )


def _read(line: bytes, path: Path, number: int) -> Json:
    try:
        value = json.loads(line.decode("utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise ViewError(
            f"{path}, line {number}: not one JSON value ({error}); coursekit diagnose says more"
        ) from error
    if not isinstance(value, dict):
        raise ViewError(f"{path}, line {number}: a JSON object is due, not {type(value).__name__}")
    return value


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _name_by_line(records: list[tuple[int, Json]]) -> None:
    parent: str | None = None
    for number, record in records:
        if "id" not in record:
            record["id"] = f"line-{number}"
            record["parentId"] = parent
            # The index counts the header as 0, so it is one less than the line.
            index = record.pop("firstKeptEntryIndex", None)
            if isinstance(index, int) and index > 0:
                record["firstKeptEntryId"] = f"line-{index + 1}"
        parent = str(record["id"])
