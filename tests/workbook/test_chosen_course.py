"""Which course a practice folder is of."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from coursekit.check.coursekit_error import CoursekitError
from coursekit.course import COURSE
from coursekit.workbook.chosen_course import course_at, course_here, course_of
from coursekit.workbook.progress import FILE, Progress


@pytest.fixture
def another(tmp_path: Path) -> Iterator[Path]:
    """The package of a course without labs."""
    package = tmp_path / "another_course"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "labs.toml").write_text('lab = []\n[course]\nreference = "answers"\n')
    yield package
    sys.modules.pop(package.name, None)


def test_a_folder_is_of_the_built_in_course_unless_it_names_another(
    folder: Path, another: Path
) -> None:
    assert course_of(folder) is COURSE
    progress = Progress(folder)
    progress.mark_course(another)
    progress.save()
    found = course_of(folder)
    assert (found.folder, found.labs, found.is_built_in) == (another, (), False)
    assert course_of(folder) is found, "loaded once"


def test_a_course_that_is_no_longer_there_is_an_error(folder: Path, tmp_path: Path) -> None:
    progress = Progress(folder)
    progress.mark_course(tmp_path / "gone")
    progress.save()
    with pytest.raises(CoursekitError, match="gone is no course"):
        course_of(folder)


def test_a_damaged_progress_file_names_none(folder: Path) -> None:
    (folder / FILE).write_text("{")
    assert course_of(folder) is COURSE


def test_a_course_can_be_named_by_its_package(another: Path) -> None:
    assert course_at(None) is COURSE
    assert course_at(another).package == "another_course"


def test_here_is_the_folder_that_one_stands_in_or_else_the_built_in_course(
    folder: Path, another: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    progress = Progress(folder)
    progress.mark_course(another)
    progress.save()
    monkeypatch.chdir(folder)
    assert course_here().folder == another
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert course_here() is COURSE
