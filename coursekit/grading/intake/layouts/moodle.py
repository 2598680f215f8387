"""Moodle's "Download all submissions": folders, or files that carry the folder's name.

`Ana Lima_1234567_assignsubmission_file_/session.py` (since 4.1 without the last `_`), or
`Ana Lima_1234567_assignsubmission_file_session.py`. A group stands in a student's place.
Only the newest attempt is in the download, and nothing says that one was late.
"""

import re
from collections.abc import Sequence

from coursekit.grading.intake.layouts.placement import Layout, Placement, Student
from coursekit.grading.intake.member import Member
from coursekit.grading.intake.source import Source

_NAMED = re.compile(
    r"(?P<name>.+?)(?:_(?P<id>\d+))?_assignsubmission_(?P<kind>[a-z]+)(?:_(?P<file>.*))?",
    re.DOTALL,
)
_DEEPEST = 3


def _places(source: Source, members: Sequence[Member]) -> list[Placement | None]:
    return [_place(member) for member in members]


def _place(member: Member) -> Placement | None:
    for depth, part in enumerate(member.path[:_DEEPEST]):
        if found := _NAMED.fullmatch(part):
            student = Student(found["name"], found["id"] or "")
            inside = member.path[depth + 1 :]
            path = (found["file"], *inside) if found["file"] else inside
            aside = "" if found["kind"] == "file" else _aside(found["kind"])
            return Placement(student, path, aside=aside)
    return None


def _aside(kind: str) -> str:
    return "online text" if kind == "onlinetext" else f"Moodle's {kind}, not a file"


MOODLE = Layout("moodle", _places)
