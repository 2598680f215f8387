"""Whose a file in a class of folders is."""

import pytest

from coursekit.grading.intake.layouts import find_layout
from coursekit.grading.intake.member import Member
from coursekit.grading.intake.source import Source
from tests.grading.intake.layouts.placed import Content, places


@pytest.mark.parametrize(
    "paths",
    [
        ["Ana/session.py", "Ben/lab_1_2_x.py"],
        ["Ana/submissions/a.py", "Ben/a.py"],
        ["Ana_Lima/a.py", "Ben_Lee/a.py", "x_1_2_session.py/a.py"],
    ],
)
def test_a_class_in_folders_is_taken_for_nothing_else(paths: list[str]) -> None:
    members = [Member(tuple(path.split("/")), Content(b"")) for path in paths]
    layout, found = find_layout("auto", Source("class", True, members), members)
    assert layout.name == "folders"
    assert None not in found


def test_one_folder_around_a_class_in_an_archive_is_no_student() -> None:
    found = places("folders", "all/Ana/a.py", "all/Ben/a.py", "all/Cleo/", is_folder=False)
    assert [each and each.student.name for each in found] == ["Ana", "Ben", "Cleo"]
    alone = places("folders", "Ana/session.py", "Ana/in/a.py", is_folder=False)
    assert [each and each.student.name for each in alone] == ["Ana", "Ana"]
    folder = places("folders", "all/Ana/a.py", "all/Ben/a.py")
    assert [each and each.student.name for each in folder] == ["all", "all"]
