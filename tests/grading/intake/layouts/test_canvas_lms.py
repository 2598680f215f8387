"""Whose a file of Canvas' download is."""

import pytest

from coursekit.grading.intake.layouts.placement import Placement, Student
from tests.grading.intake.layouts.placed import place, places


@pytest.mark.parametrize(
    ("path", "student", "file", "version", "late"),
    [
        ("byronada_101_5003_session.py", Student("byronada", "101"), "session.py", 5003, False),
        ("byronada_LATE_101_5003_a-1.py", Student("byronada", "101"), "a-1.py", 5003, True),
        ("李雷_101_5003_a_1_2_b.py", Student("李雷", "101"), "a_1_2_b.py", 5003, False),
        ("o_neil_101_5003_a.py", Student("o_neil", "101"), "a.py", 5003, False),
        ("anon_x7Yz_5003_a.py", Student("anon_x7Yz", "anon_x7Yz"), "a.py", 5003, False),
        ("LATE_anon_x7Yz_5003_a.py", Student("anon_x7Yz", "anon_x7Yz"), "a.py", 5003, True),
        ("late_LATE_101_5003_.coursekit.json", Student("late", "101"), ".coursekit.json", 5003, 1),
    ],
)
def test_canvas(path: str, student: Student, file: str, version: int, late: bool) -> None:
    found = place("canvas", path)
    assert found == Placement(student, (file,), version=version, late=bool(late))


def test_canvas_texts_are_set_aside() -> None:
    assert place("canvas", "byronada_LATE_101_text.html").aside == "online text"
    assert place("canvas", "byronada_101_link.html").student == Student("byronada", "101")
    assert places("canvas", "notes.txt", "session.py", "lab_11_2.py") == [None] * 3
