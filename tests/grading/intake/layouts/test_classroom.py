"""Whose a file in a folder of checkouts is."""

from coursekit.grading.intake.layouts.placement import Student
from tests.grading.intake.layouts.placed import place, places


def test_classroom_takes_the_assignment_off_only_where_it_is_known() -> None:
    tree = ["lab-1-submissions/lab-1-ada/.git", "lab-1-submissions/lab-1-ada/a.py"]
    assert place("classroom", tree[1], tree[0]).student == Student("ada", "lab-1-ada")
    assert place("classroom", "lab-1-ada/a.py", "lab-1-ada/.git").student.name == "lab-1-ada"
    found = places("classroom", "x-ada/.git", "x-ada/a.py", "x-bob/a.py", name="x-submissions")
    assert [each and each.student.name for each in found] == ["ada", "ada", "bob"]
