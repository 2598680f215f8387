"""Blackboard's "Assignment File Download": one flat folder, all attempts or the last.

`Assignment_user_attempt_2026-11-30-10-11-12_session.py`, and beside it a `.txt` of the same
beginning for each attempt, with the student's name, the date and what was written.
"""

import os.path
import re
from collections.abc import Sequence

from coursekit.grading.intake.layouts.placement import Layout, Placement, Student
from coursekit.grading.intake.member import Member
from coursekit.grading.intake.source import Source
from coursekit.grading.regular_file import Unreadable

_NAMED = re.compile(
    r"(?P<who>.+)_attempt_(?P<time>\d{4}(?:-\d\d){5})(?:_(?P<file>.+)|(?P<record>\.txt))",
    re.DOTALL,
)
_FIRST_LINE = re.compile(r"[^:\n]+: *(?P<name>.+?) *\((?P<user>[^()]+)\)\s*")
_LARGEST_RECORD = 100_000
_DEEPEST = 2


def _places(source: Source, members: Sequence[Member]) -> list[Placement | None]:
    found = [_match(member) for member in members]
    students = _students(members, found)
    return [None if each is None else _place(*each, students) for each in found]


def _match(member: Member) -> tuple[re.Match[str], tuple[str, ...]] | None:
    for depth, part in enumerate(member.path[:_DEEPEST]):
        if not member.is_folder and (match := _NAMED.fullmatch(part)):
            return match, member.path[depth + 1 :]
    return None


def _place(
    match: re.Match[str], inside: tuple[str, ...], students: dict[str, Student]
) -> Placement:
    student = students[match["who"]]
    if match["record"]:
        return Placement(student, (match[0],), match["time"], aside="Blackboard's own record")
    return Placement(student, (match["file"], *inside), match["time"])


def _students(
    members: Sequence[Member], found: Sequence[tuple[re.Match[str], tuple[str, ...]] | None]
) -> dict[str, Student]:
    """The student of each `Assignment_user`: as the records name it, else by what all share."""
    students: dict[str, Student] = {}
    everyone = {each[0]["who"] for each in found if each is not None}
    for member, each in zip(members, found, strict=True):
        if each is not None and each[0]["record"]:
            who = each[0]["who"]
            if student := _recorded(member, who):
                students[who] = student
    shared = os.path.commonprefix(sorted(everyone))  # noqa: RUF071
    shared = shared[: shared.rfind("_") + 1]
    for who in everyone - set(students):
        user = who[len(shared) :] if len(everyone) > 1 and shared else who.rpartition("_")[2]
        students[who] = Student(user, user)
    return students


def _recorded(member: Member, who: str) -> Student | None:
    try:
        lines = member.read(_LARGEST_RECORD).decode("utf-8-sig", "replace").splitlines()
    except Unreadable:
        return None
    match = _FIRST_LINE.fullmatch(lines[0]) if lines else None
    if match is None or not who.endswith(f"_{match['user']}"):
        return None
    return Student(match["name"], match["user"])


BLACKBOARD = Layout("blackboard", _places)
