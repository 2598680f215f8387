"""Folders: a folder, a zip or a tar for each student, named as the student is called."""

from collections.abc import Sequence

from coursekit.grading.intake.archive import archive_stem
from coursekit.grading.intake.layouts.placement import Layout, Placement, Student
from coursekit.grading.intake.member import NOT_ENTERED, Member
from coursekit.grading.intake.source import Source


def _outer(source: Source, members: Sequence[Member]) -> int:
    """How many folders stand around a class: 1 if an archive has all of it in one folder."""
    kept = [member for member in members if not member.aside]
    tops = {member.path[0] for member in kept}
    inside = {member.path[1] for member in kept if len(member.path) > 2 or _holds(member)}
    loose = any(len(member.path) <= 2 and not _holds(member) for member in kept)
    return int(not source.is_folder and len(tops) == 1 and len(inside) > 1 and not loose)


def _holds(member: Member) -> bool:
    return member.is_folder and len(member.path) == 2


def _places(source: Source, members: Sequence[Member]) -> list[Placement | None]:
    skipped = _outer(source, members)
    return [_place(member, skipped) for member in members]


def _place(member: Member, skipped: int) -> Placement | None:
    path = member.path[skipped:]
    if not path or path[0].startswith("."):
        return None
    name = path[0]
    if len(path) > 1:
        return Placement(Student(archive_stem(name)), path[1:])
    if member.is_folder or (member.aside and name not in NOT_ENTERED):
        return Placement(Student(name), ())
    if member.refusal and _is_a_submission(member):
        return Placement(Student(archive_stem(name)), path)
    return None


def _is_a_submission(member: Member) -> bool:
    """Whether what is refused would have been one: an archive, or a link without a file's name."""
    name = member.path[-1]
    return archive_stem(name) != name or "." not in name or "archive" in member.refusal


FOLDERS = Layout("folders", _places)
