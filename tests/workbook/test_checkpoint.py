"""What the course and each lab ask for, on a page."""

import pytest

from coursekit.check.course import Lab
from coursekit.course import COURSE
from coursekit.workbook import checkpoint
from coursekit.workbook.shown_text import WIDTH


def test_the_course_s_page_has_each_part_and_fits_a_terminal() -> None:
    text = checkpoint.course_text(COURSE)
    for part in ("Goal", "Files", "Start", "End", "First red light", "Commands", "Evidence"):
        assert f"\n{part}\n" in text
    assert "3/3, 3/3, 3/3, 2/2, 3/3" in text
    assert max(map(len, text.splitlines())) <= WIDTH


@pytest.mark.parametrize("lab", COURSE.exercises, ids=lambda lab: lab.id)
def test_a_lab_s_page_fits_a_terminal_and_has_its_checks(lab: Lab) -> None:
    text = checkpoint.lab_text(lab)
    assert max(map(len, text.splitlines())) <= WIDTH
    assert all(check.name in text for check in lab.checks)
    assert (f"coursekit check {lab.id}" in text) == bool(lab.checks)
    words = " ".join(text.split())
    assert all(" ".join(step.split()) in words for step in lab.steps)
