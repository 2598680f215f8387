"""Placements: whose a file is, as a layout reads it from the file's path."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from coursekit.grading.intake.member import Member
from coursekit.grading.intake.source import Source


@dataclass(frozen=True)
class Student:
    """A student as a platform names one; `id` tells two of one name apart."""

    name: str
    id: str = ""


@dataclass(frozen=True)
class Placement:
    """Where a file belongs: to whom, where in the submission, and to which attempt.

    `attempt` sorts as time does. `version` orders uploads of one file, where the platform
    numbers files and not attempts. `late` is None where the platform doesn't say.
    """

    student: Student
    path: tuple[str, ...]
    attempt: str = ""
    version: int = 0
    late: bool | None = None
    aside: str = ""


@dataclass(frozen=True)
class Layout:
    """A way to lay a class out: its name, and the placement of each member, None if it has none."""

    name: str
    places: Callable[[Source, Sequence[Member]], list[Placement | None]]
