"""Whose a file in nbgrader's course folder is."""

from tests.grading.intake.layouts.placed import place, places


def test_nbgrader() -> None:
    found = place("nbgrader", "course/submitted/ada/lab/in/a.py")
    assert (found.student.id, found.path) == ("ada", ("lab", "in", "a.py"))
    assert place("nbgrader", "submitted/ada/lab/timestamp.txt").aside
    assert places("nbgrader", "ada/lab/a.py", name="submitted")[0] is not None
    assert places("nbgrader", "source/lab/a.py") == [None]
