"""ILIAS' "Download all returned files": a folder for each student, perhaps in a team's.

`Exercise_42/Lima_Ana_alima_301/session.py`: last name, first name, login and id. A file
that was late has that before its name, and a name uploaded again has ` (2)` behind it.
"""

import re
from collections.abc import Sequence

from coursekit.grading.intake.layouts.placement import Layout, Placement, Student
from coursekit.grading.intake.member import Member
from coursekit.grading.intake.source import Source

_NAMED = re.compile(r"(?P<last>[^_]+)_(?P<first>[^_]+)_(?P<login>.+)_(?P<id>\d+)", re.DOTALL)
_LATE = re.compile(r"Late Submission - ")
_PERHAPS_LATE = re.compile(r"[^.]+ - ")
_AGAIN = re.compile(r" ?\((\d+)\)(?=\.[^.]*$|$)")
_DEEPEST = 4


def _places(source: Source, members: Sequence[Member]) -> list[Placement | None]:
    students = _students(members)
    return [_place(member, students) for member in members]


def _students(members: Sequence[Member]) -> set[tuple[str, ...]]:
    """The students' folders: the highest that have such a name, but for one around them all."""
    names: dict[int, set[tuple[str, ...]]] = {}
    for member in members:
        folders = member.path if member.is_folder else member.path[:-1]
        for depth, part in enumerate(folders[:_DEEPEST]):
            if _NAMED.fullmatch(part):
                names.setdefault(depth, set()).add(folders[: depth + 1])
    found: set[tuple[str, ...]] = set()
    for depth, folders_there in sorted(names.items()):
        # An exercise around them all may have such a name too, and many such folders in it.
        deeper = max((len(names[each]) for each in names if each > depth), default=0)
        if len(folders_there) > 1 or deeper <= 1:
            found |= {
                folder
                for folder in folders_there
                if not any(folder[:length] in found for length in range(1, depth + 1))
            }
    return found


def _place(member: Member, students: set[tuple[str, ...]]) -> Placement | None:
    for length in range(1, min(len(member.path), _DEEPEST) + 1):
        folder = member.path[:length]
        if folder in students:
            match = _NAMED.fullmatch(folder[-1])
            assert match is not None
            student = Student(f"{match['first']} {match['last']}", match["login"])
            return _in_folder(member, student, member.path[length:])
    return None


def _in_folder(member: Member, student: Student, path: tuple[str, ...]) -> Placement:
    if not path or member.is_folder:
        return Placement(student, path)
    late = bool(_LATE.match(path[0]))
    name = _LATE.sub("", path[0], count=1)
    # Another language's word for it can't be told from a word of the student's.
    perhaps = _PERHAPS_LATE.match(name) is not None
    again = _AGAIN.search(name)
    version = int(again[1]) if again else 1
    return Placement(student, (name, *path[1:]), version=version, late=None if perhaps else late)


ILIAS = Layout("ilias", _places)
