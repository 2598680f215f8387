"""GitHub Classroom's clones, and other git checkouts: a work tree for each student.

`gh classroom clone student-repos` makes `ASSIGNMENT-submissions/ASSIGNMENT-user/`. What is
in `.git` is neither read nor run.
"""

from collections.abc import Sequence

from coursekit.grading.intake.archive import archive_stem
from coursekit.grading.intake.layouts.placement import Layout, Placement, Student
from coursekit.grading.intake.member import Member
from coursekit.grading.intake.source import Source

_AROUND = "-submissions"
_DEEPEST = 2


def _places(source: Source, members: Sequence[Member]) -> list[Placement | None]:
    trees = {
        member.path[:-1]
        for member in members
        if member.path[-1] == ".git" and 1 < len(member.path) <= _DEEPEST + 1
    }
    # A checkout in a student's own is the student's.
    trees = {tree for tree in trees if not any(tree[:n] in trees for n in range(1, len(tree)))}
    # A clone that failed, or whose .git was lost, lies beside the others all the same.
    around = {tree[:-1] for tree in trees}
    return [_place(source, member, around) for member in members]


def _place(source: Source, member: Member, around: set[tuple[str, ...]]) -> Placement | None:
    for length in range(1, _DEEPEST + 1):
        tree = member.path[:length]
        if tree[:-1] in around and (len(member.path) > length or member.is_folder):
            if tree[-1].startswith("."):
                return None
            outer = tree[-2] if len(tree) > 1 else archive_stem(source.name)
            name = tree[-1]
            if outer.endswith(_AROUND):
                name = name.removeprefix(outer.removesuffix(_AROUND) + "-") or name
            return Placement(Student(name, tree[-1]), member.path[length:])
    return None


CLASSROOM = Layout("classroom", _places)
