"""nbgrader's course folder: `submitted/STUDENT/ASSIGNMENT/`, with the time in a file."""

from collections.abc import Sequence

from coursekit.grading.intake.layouts.placement import Layout, Placement, Student
from coursekit.grading.intake.member import Member
from coursekit.grading.intake.source import Source

_STEP = "submitted"
_RECORD = "timestamp.txt"
_DEEPEST = 3


def _places(source: Source, members: Sequence[Member]) -> list[Placement | None]:
    inside = source.is_folder and source.name == _STEP
    return [_place(member, inside) for member in members]


def _place(member: Member, inside: bool) -> Placement | None:
    path = member.path
    if not inside:
        if _STEP not in path[:_DEEPEST]:
            return None
        path = path[path.index(_STEP) + 1 :]
    if not path or (len(path) == 1 and not member.is_folder) or path[0].startswith("."):
        return None
    aside = "nbgrader's own record" if path[2:] == (_RECORD,) else ""
    return Placement(Student(path[0], path[0]), path[1:], aside=aside)


NBGRADER = Layout("nbgrader", _places)
