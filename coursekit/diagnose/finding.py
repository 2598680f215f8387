"""One finding: a stable code, how bad it is, where, and what to do about it."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Severity: TypeAlias = Literal["error", "warning", "info"]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something in a session file that a reader should know. `line` counts from 1."""

    code: str
    severity: Severity
    line: int
    ids: tuple[str, ...]
    message: str
    advice: str

    def to_json(self) -> dict[str, object]:
        """The finding as a JSON object."""
        return {
            "code": self.code,
            "severity": self.severity,
            "line": self.line,
            "ids": list(self.ids),
            "message": self.message,
            "advice": self.advice,
        }


def make_finding(code: str, line: int, message: str, ids: tuple[str, ...] = ()) -> Finding:
    """A finding of a known code, with the severity and the advice of `CODES`."""
    severity, advice = CODES[code]
    return Finding(code, severity, line, ids, message, advice)


_COPY = "Mend the line in a copy of the file, and keep the original."
_LOOK = "Look at the lines around it in a copy; a program may have written out of turn."

CODES: dict[str, tuple[Severity, str]] = {
    # bytes and lines
    "empty": ("info", "Nothing to do: a session begins with its first entry."),
    "bom": ("error", "Save a copy as UTF-8 without a byte order mark."),
    "null-bytes": ("error", f"A crash of the machine leaves such bytes. {_COPY}"),
    "not-utf8": ("error", f"Find out which program wrote it. {_COPY}"),
    "torn-tail": (
        "warning",
        "The writer died here; all before it is sound. Remove the piece in a copy, or let Pi "
        "go on: it closes the line first.",
    ),
    "torn-line": ("warning", "A writer died here and another went on. The piece can be removed."),
    "missing-newline": ("info", "Add a newline, unless its writer is still at work."),
    "glued-records": ("error", "Put a newline between the records in a copy of the file."),
    "not-json": ("error", _COPY),
    "not-object": ("error", _COPY),
    "blank-line": ("warning", "Remove it in a copy; the course's store refuses it."),
    "no-header": ("error", "Pi takes such a file for no session. Restore the first line."),
    "bad-header": ("error", "Nobody opens such a file. Mend its first line in a copy."),
    "second-header": ("error", "Two sessions were written into one file. Part them in copies."),
    "old-version": ("info", "Pi rewrites such a file when it opens it: hand it a copy."),
    "version-too-new": ("warning", "Read it with the release that wrote it."),
    # entries and the tree
    "bad-entry": ("error", _COPY),
    "missing-id": ("error", _COPY),
    "unknown-type": ("warning", "Nothing to do if an extension wrote it; no model sees it."),
    "unknown-role": ("warning", "Check which program wrote it; Pi drops it from the context."),
    "null-content": ("warning", "Pi reads it as an empty list. A strict reader refuses it."),
    "duplicate-id": ("error", "Give one of the two another id, in a copy."),
    "missing-parent": ("error", "Everything behind it is cut off from its history. " + _LOOK),
    "cycle": ("error", "No root can be reached from here. Mend a parentId in a copy."),
    # calls and results
    "orphan-result": ("error", "No provider accepts a result without its call. " + _LOOK),
    "missing-result": (
        "error",
        "No provider accepts a call without its result. Branch from before the call.",
    ),
    "open-call": ("info", "The tool may be running still; if not, branch from before the call."),
    "doubled-result": ("error", "One of the results must go, in a copy."),
    "repeated-call": ("error", "Two calls can't be told apart. Rename one, in a copy."),
    "cut-off-call": (
        "warning",
        "Its message was broken off. A repair drops call and result together.",
    ),
    # compactions
    "first-kept-missing": ("error", "The context is the summary alone. Branch from before it."),
    "first-kept-off-path": ("error", "Nothing is kept in front of it. Branch from before it."),
    "first-kept-inside": (
        "error",
        "A kept result would lack its call. Branch from before the compaction.",
    ),
    "compaction-in-call": (
        "error",
        "Compact when no call is open. Branch from before the call.",
    ),
    # the leaf and the usage
    "leaf-moved": (
        "warning",
        "Pi takes the last line for the leaf. Branch to the newer message to go on from there.",
    ),
    "stale-usage": ("info", "Estimate anew: the number is of a context that is no more."),
}
"""Severity and advice of every code."""
