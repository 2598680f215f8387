"""Whose a file of Moodle's download is."""

import pytest

from coursekit.grading.intake.layouts.placement import Student
from tests.grading.intake.layouts.placed import place


@pytest.mark.parametrize(
    ("path", "student", "inside"),
    [
        ("Ana Lima_12_assignsubmission_file_/session.py", Student("Ana Lima", "12"), "session.py"),
        ("Ana Lima_12_assignsubmission_file/session.py", Student("Ana Lima", "12"), "session.py"),
        ("x/Ana_12_assignsubmission_file_/in/a.py", Student("Ana", "12"), "in/a.py"),
        ("Ana_12_assignsubmission_file_my_code.py", Student("Ana", "12"), "my_code.py"),
        ("Default group_assignsubmission_file_/a.py", Student("Default group"), "a.py"),
        ("Team_2_3_assignsubmission_file_/a.py", Student("Team_2", "3"), "a.py"),
    ],
)
def test_moodle(path: str, student: Student, inside: str) -> None:
    found = place("moodle", path)
    assert (found.student, "/".join(found.path), found.late) == (student, inside, None)


@pytest.mark.parametrize("kind", ["onlinetext", "comments"])
def test_moodle_texts_are_the_students_and_set_aside(kind: str) -> None:
    for end in ("_/onlinetext.html", "_onlinetext.html"):
        found = place("moodle", f"Ana Lima_12_assignsubmission_{kind}{end}")
        assert found.student == Student("Ana Lima", "12")
        assert found.aside
