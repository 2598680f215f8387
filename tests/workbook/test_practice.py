"""Practice folders: whole or not there, never written over, found from anywhere inside."""

from pathlib import Path

import pytest

from coursekit.check.course import Course
from coursekit.check.coursekit_error import CoursekitError
from coursekit.course import COURSE
from coursekit.workbook import practice
from coursekit.workbook.course_files import course_files


def test_a_fresh_folder_is_flat_and_holds_all_it_needs(folder: Path) -> None:
    there = {path.name for path in folder.iterdir()}
    notebooks = {path.name for path in COURSE.notebooks.glob("*.ipynb")}
    assert there == notebooks | {
        *COURSE.modules,
        "data",
        "tests",
        "README.md",
        "conftest.py",
        "pytest.ini",
        ".coursekit.json",
    }
    for module in COURSE.modules:
        assert (folder / module).read_bytes() == (COURSE.starters / module).read_bytes()
    data = {path.relative_to(COURSE.data) for path in COURSE.data.rglob("[!.]*.json*")}
    assert {path.relative_to(folder / "data") for path in (folder / "data").rglob("*")} >= data
    assert (folder / "tests" / "test_labs.py").is_file()


def test_files_can_be_written_even_if_the_course_is_read_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    starters = tmp_path / "starters"
    starters.mkdir()
    for module in COURSE.modules:
        (starters / module).write_bytes((COURSE.starters / module).read_bytes())
        (starters / module).chmod(0o444)
    monkeypatch.setattr(Course, "starters", starters)
    made = practice.make(COURSE, tmp_path / "mine")
    assert all((made / module).stat().st_mode & 0o200 for module in COURSE.modules)


@pytest.mark.parametrize("kind", ["folder", "file", "dangling link"])
def test_what_is_there_already_is_never_touched(tmp_path: Path, kind: str) -> None:
    taken = tmp_path / "practice"
    if kind == "folder":
        taken.mkdir()
    elif kind == "file":
        taken.write_text("mine")
    else:
        taken.symlink_to(tmp_path / "nowhere")
    with pytest.raises(CoursekitError, match=r"practice is there already.*Choose another name"):
        practice.make(COURSE, taken)
    assert [path.name for path in tmp_path.iterdir()] == ["practice"]
    if kind == "folder":
        assert list(taken.iterdir()) == []


def test_a_folder_that_could_not_be_filled_is_not_there_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = course_files(COURSE) | {"data/last.jsonl": tmp_path / "gone"}
    monkeypatch.setattr(practice, "course_files", lambda course: files)
    with pytest.raises(FileNotFoundError):
        practice.make(COURSE, tmp_path / "practice")
    assert list(tmp_path.iterdir()) == []


def test_parents_of_a_new_folder_are_made(tmp_path: Path) -> None:
    assert (practice.make(COURSE, tmp_path / "a" / "b") / "session.py").is_file()


def test_the_folder_you_stand_in_is_found_at_any_depth(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for inside in (folder, folder / "tests", folder / "data"):
        monkeypatch.chdir(inside)
        assert practice.find() == folder


def test_else_the_one_called_practice_beside_you_is_found(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    assert practice.find() == folder
    (folder / ".coursekit.json").unlink()
    assert practice.find() == folder


def test_a_named_folder_goes_before_the_one_you_stand_in(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = practice.make(COURSE, tmp_path / "other")
    monkeypatch.chdir(folder)
    assert practice.find(Path("../other")).resolve() == other


def test_where_there_is_none_the_error_says_how_to_make_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CoursekitError, match="Make one: coursekit practice"):
        practice.find()
    with pytest.raises(CoursekitError, match="no folder gone"):
        practice.find(Path("gone"))
    with pytest.raises(CoursekitError, match=r"neither session\.py nor context\.py"):
        practice.find(tmp_path)
