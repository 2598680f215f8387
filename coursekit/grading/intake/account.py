"""The account of an intake: what became of each file, and how each student stands."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from coursekit.check.protocol import JsonObject

Fate = Literal["taken", "set aside", "not understood"]
FATES: tuple[Fate, ...] = ("taken", "set aside", "not understood")

Status = Literal["complete", "incomplete", "ambiguous", "nothing"]


@dataclass(frozen=True)
class FileAccount:
    """What became of one file, or of all in a folder that was not entered, and why."""

    path: str
    fate: Fate
    why: str = ""
    count: int = 1

    def to_json(self) -> JsonObject:
        """The line as JSON."""
        return {"path": self.path, "fate": self.fate, "why": self.why, "count": self.count}


@dataclass(frozen=True)
class StudentAccount:
    """How a student stands; `folder` is the name in the folder of submissions.

    `late` is None where the platform doesn't say; `attempts` are all, the oldest first,
    and the last counts. `missing` are the answers for which there is no file.
    """

    folder: str
    name: str
    id: str
    status: Status
    late: bool | None
    attempts: Sequence[str]
    missing: Sequence[str]
    files: Sequence[FileAccount] = field(repr=False)

    def to_json(self) -> JsonObject:
        """The student as JSON."""
        return {
            "student": self.folder,
            "name": self.name,
            "id": self.id,
            "status": self.status,
            "late": self.late,
            "attempts": list(self.attempts),
            "missing": list(self.missing),
            "files": [each.to_json() for each in self.files],
        }


@dataclass(frozen=True)
class Account:
    """All of a source: by student, and what is no student's."""

    layout: str
    students: Sequence[StudentAccount]
    others: Sequence[FileAccount]

    def files(self) -> list[FileAccount]:
        """Every file's line."""
        return [*(line for each in self.students for line in each.files), *self.others]

    def counts(self) -> dict[Fate, int]:
        """How many files met each fate."""
        return {
            fate: sum(each.count for each in self.files() if each.fate == fate) for fate in FATES
        }

    def to_json(self) -> JsonObject:
        """The account as JSON."""
        counts = {str(fate): number for fate, number in self.counts().items()}
        return {
            "layout": self.layout,
            "counts": {
                "files": sum(counts.values()),
                **counts,
            },
            "students": [each.to_json() for each in self.students],
            "others": [each.to_json() for each in self.others],
        }
