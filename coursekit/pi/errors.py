"""Every error that `coursekit.pi` raises by itself.

ValueError
└── PiSessionError             what the caller asked for can't be done
    ├── SessionFileError       a line of the file can't be read; has path and line
    │   └── DuplicateIdError   two entries with one id
    ├── EntryNotFoundError     an id that no entry has
    ├── CycleError             entries that are each other's ancestors; has ids
    ├── FileChangedError       the file is not as this manager left it
    ├── SummaryError           an answer that must not be stored as a summary; has kind and reason
    └── ScriptError            a scripted model was asked for more than its script holds
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

SummaryKind = Literal["history", "turn_prefix"]
SummaryFailure = Literal["error", "length", "tool_call", "aborted", "blank"]

_SHOWN_IDS = 8
_SUMMARIES = {"history": "Summary of the history", "turn_prefix": "Summary of the turn's beginning"}


class PiSessionError(ValueError):
    """The root of every error that `coursekit.pi` raises by itself."""


def malformed(what: str, error: Exception) -> PiSessionError:
    """An error that says what can't be done with a value, and which field is to blame."""
    missing = isinstance(error, KeyError)
    return PiSessionError(f"{what}: {f'field {error} is missing' if missing else error}")


class SessionFileError(PiSessionError):
    """A session file, or one line of it, can't be read. `line` counts from 1."""

    def __init__(self, problem: str, *, path: str | None = None, line: int | None = None) -> None:
        self.problem = problem
        self.path = path
        self.line = line
        where = path if path is not None else "session"
        if line is not None:
            where = f"{where}, line {line}"
        super().__init__(f"{where}: {problem}")


class DuplicateIdError(SessionFileError):
    """Two entries of one session have the same id."""

    def __init__(
        self, entry_id: str, *, path: str | None = None, line: int | None, first_line: int | None
    ) -> None:
        self.entry_id = entry_id
        self.first_line = first_line
        first = "an earlier entry" if first_line is None else f"line {first_line}"
        super().__init__(
            f"duplicate entry id {entry_id!r}, first used by {first}; "
            "give one of the two another id in a copy of the file",
            path=path,
            line=line,
        )


class EntryNotFoundError(PiSessionError):
    """No entry of the session has this id."""

    def __init__(self, entry_id: str) -> None:
        self.entry_id = entry_id
        super().__init__(f"Entry {entry_id} not found")


class CycleError(PiSessionError):
    """Following parentId never reaches a root. `ids` holds the entries of one cycle."""

    def __init__(self, ids: Sequence[str]) -> None:
        self.ids = tuple(ids)
        shown = " -> ".join(self.ids[:_SHOWN_IDS])
        if len(self.ids) > _SHOWN_IDS:
            shown += f" -> ... ({len(self.ids)} entries)"
        super().__init__(f"parentId cycle: {shown} -> {self.ids[0]}; no root can be reached")


class FileChangedError(PiSessionError):
    """Somebody else wrote to, replaced or removed the file since this manager last did."""

    def __init__(self, path: str, change: str) -> None:
        self.path = path
        super().__init__(
            f"{path}: {change}; nothing was appended. "
            "Another process may be using this session. Open it again to go on from what it holds."
        )


class SummaryError(PiSessionError):
    """A summary that must not be stored. Nothing was written. `reason` says why, in one word."""

    def __init__(self, kind: SummaryKind, reason: SummaryFailure, problem: str) -> None:
        self.kind = kind
        self.reason = reason
        super().__init__(f"{_SUMMARIES[kind]} {problem}; the session was not changed")


CompactionError = SummaryError
"""The name that `coursekit.pi` first gave it, for notebooks that import it. `coursekit.context` has
a CompactionError of its own, the course's; a class of one name in each was one too many."""


class ScriptError(PiSessionError):
    """The script was asked for more than it holds."""
