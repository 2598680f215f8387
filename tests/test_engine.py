"""The mechanism, the workbook and the grader name no function of a course: any course will do."""

import re
from pathlib import Path

import pytest

from coursekit.check.course import load_course
from coursekit.course import COURSE

PACKAGE = Path(__file__).parent.parent / "coursekit"
COURSES = (COURSE, load_course(Path(__file__).parent / "tiny_course"))
FUNCTIONS = sorted(lab.function for course in COURSES for lab in course.exercises)


def test_the_functions_are_those_that_learners_write() -> None:
    assert {
        "build_context",
        "create_compaction_entry",
        "group_interactions",
        "parse_compaction",
        "restore",
        "running_mean",
    } <= {*FUNCTIONS}


@pytest.mark.parametrize("room", ["check", "workbook", "grading"])
def test_no_function_of_a_course_is_named(room: str) -> None:
    """In code, strings and comments alike, whatever the kind of file."""
    words = re.compile(rf"\b({'|'.join(FUNCTIONS)})\b")
    files = [path for path in (PACKAGE / room).rglob("*") if path.is_file()]
    assert len(files) > 10
    found = [
        f"{path.relative_to(PACKAGE)}:{number}: {line.strip()}"
        for path in files
        if path.suffix != ".pyc"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if words.search(line)
    ]
    assert found == []
