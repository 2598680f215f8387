"""Grading many submissions in one run, for tests that look at different ones."""

from collections.abc import Iterable
from pathlib import Path

from coursekit.course import COURSE
from coursekit.grading.grade import GradeOptions, grade
from coursekit.grading.record import StudentRecord
from tests.grading.hostile import Hostile

VARIANT = 20_261_130
"""A variant that no hostile submission knows."""

TIMEOUT = 48.0
"""Seconds for one submission: short, for many hang on purpose, but not on a busy computer."""

MEMORY = 256
"""Mebibytes for one submission: what fills them is through before its time is up."""


def graded(corpus: Iterable[Hostile], folder: Path) -> dict[str, StudentRecord]:
    """The records by submission name; the report is in `folder / "report"`."""
    submissions = folder / "submissions"
    submissions.mkdir()
    for each in corpus:
        each.build(submissions / (f"{each.name}.zip" if each.is_zip else each.name))
    asked = GradeOptions(
        COURSE, submissions, folder / "report", variant=VARIANT, timeout=TIMEOUT, memory=MEMORY
    )
    return {record.student: record for record in grade(asked)}
