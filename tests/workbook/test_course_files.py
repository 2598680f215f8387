"""The files that come with a practice folder, and their marks."""

import json
from pathlib import Path

import pytest

from coursekit.course import COURSE
from coursekit.workbook import course_files
from coursekit.workbook.course_files import mark_of


def test_every_file_of_the_course_is_there_and_no_answer_is_among_them() -> None:
    sources = course_files.course_files(COURSE)
    assert all(source.is_file() for source in sources.values())
    assert not sources.keys() & {*COURSE.modules}
    assert "tests/test_labs.py" in sources


def test_a_notebook_that_was_run_has_another_whole_and_the_same_text(tmp_path: Path) -> None:
    path = tmp_path / "a.ipynb"
    cell = {"cell_type": "code", "source": ["1\n", "2"], "outputs": []}
    path.write_text(json.dumps({"cells": [cell]}))
    before = mark_of(path)
    path.write_text(json.dumps({"cells": [cell | {"source": "1\n2", "outputs": ["2"]}]}))
    after = mark_of(path)
    assert before is not None
    assert after is not None
    assert before.text == after.text
    assert before.whole != after.whole
    assert mark_of(tmp_path / "gone") is None


@pytest.mark.parametrize(
    ("earlier", "later"), [("0.9.0", "0.10.0"), ("1.0", "1.0.1"), ("0.1.0", "1.0rc1")]
)
def test_releases_are_compared_by_their_numbers(
    earlier: str, later: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(course_files, "RELEASE", earlier)
    assert course_files.is_newer(later)
    monkeypatch.setattr(course_files, "RELEASE", later)
    assert not course_files.is_newer(earlier)
    assert not course_files.is_newer(None)
