"""Canvas' "Download Submissions": one flat folder.

`byronada_LATE_101_5003_session-1.py` is the student's sortable name, `LATE` if it was, the
ids of user and file, and the file's name, to which Canvas adds `-1`, `-2` when a student
uploads the same name again. An anonymous submission has no name and `anon_` before the id.
"""

import re
from collections.abc import Sequence

from coursekit.grading.intake.layouts.placement import Layout, Placement, Student
from coursekit.grading.intake.member import Member
from coursekit.grading.intake.source import Source

_NAMED = re.compile(
    r"(?:(?P<name>\w*?)_)??(?P<late>LATE_)?(?P<id>\d+|anon_[A-Za-z0-9]+)_"
    r"(?:(?P<file_id>\d+)_(?P<file>.+)|(?P<kind>text|link)\.html)",
    re.DOTALL,
)
_DEEPEST = 2


def _places(source: Source, members: Sequence[Member]) -> list[Placement | None]:
    return [None if member.is_folder else _place(member) for member in members]


def _place(member: Member) -> Placement | None:
    for depth, part in enumerate(member.path[:_DEEPEST]):
        found = _NAMED.fullmatch(part)
        if found is None:
            continue
        student = Student(found["name"] or found["id"], found["id"])
        late = bool(found["late"])
        if found["kind"]:
            aside = "online text" if found["kind"] == "text" else "a link to a page"
            return Placement(student, member.path[depth:], late=late, aside=aside)
        path = (found["file"], *member.path[depth + 1 :])
        return Placement(student, path, version=int(found["file_id"]), late=late)
    return None


CANVAS = Layout("canvas", _places)
