"""Finding submissions and reading them, whatever lies there."""

import os
import zipfile
from pathlib import Path

import pytest

from coursekit.check.coursekit_error import CoursekitError
from coursekit.course import COURSE
from coursekit.grading.submission import LARGEST, Submission, find
from coursekit.workbook import progress


def folder(place: Path, **files: bytes) -> Path:
    place.mkdir(parents=True)
    for name, content in (files or {"session__py": b"s", "context__py": b"c"}).items():
        (place / name.replace("__", ".")).write_bytes(content)
    return place


def test_names_are_kept(tmp_path: Path) -> None:
    names = ["Ana O'Neil", "李 雷", "=cmd()", "Zoë"]
    for name in names:
        folder(tmp_path / name)
    found = [place.read(COURSE) for place in find(tmp_path)]
    assert sorted(each.student for each in found) == sorted(names)
    assert all(each.answers(COURSE) == {"session.py": b"s", "context.py": b"c"} for each in found)


def test_control_characters_in_a_name_are_spelled_out(tmp_path: Path) -> None:
    folder(tmp_path / "a\x1b[31m\nb")
    assert [place.student for place in find(tmp_path)] == ["a\\x1b[31m\\x0ab"]


def test_a_name_that_is_no_text_is_spelled_out(tmp_path: Path) -> None:
    os.mkdir(os.fsencode(tmp_path) + b"/caf\xe9")
    assert [place.student for place in find(tmp_path)] == ["caf\\xe9"]


def test_a_zip_and_a_folder_of_one_name_are_refused(tmp_path: Path) -> None:
    folder(tmp_path / "Ana")
    (tmp_path / "Ana.zip").write_bytes(b"")
    with pytest.raises(CoursekitError, match="two submissions of 'Ana'"):
        find(tmp_path)


def test_an_empty_folder_says_what_belongs_there(tmp_path: Path) -> None:
    with pytest.raises(CoursekitError, match="a folder or a zip for each student"):
        find(tmp_path)
    with pytest.raises(CoursekitError, match="There is no folder"):
        find(tmp_path / "nowhere")


def test_answers_one_folder_down_are_found(tmp_path: Path) -> None:
    folder(tmp_path / "Ana" / "handed in" / "practice")
    assert find(tmp_path)[0].read(COURSE).answers(COURSE) == {
        "session.py": b"s",
        "context.py": b"c",
    }


def test_no_folder_that_is_a_link_is_entered(tmp_path: Path) -> None:
    elsewhere = folder(tmp_path / ".elsewhere")
    (tmp_path / "Ana").mkdir()
    (tmp_path / "Ana" / "practice").symlink_to(elsewhere)
    (tmp_path / "Ben").symlink_to(elsewhere)
    found = {place.student: place.read(COURSE) for place in find(tmp_path)}
    assert found["Ana"].files == {}
    assert found["Ben"].files == {}
    assert "link" in found["Ben"].problems[0]


@pytest.mark.parametrize(("size", "is_read"), [(LARGEST, True), (LARGEST + 1, False)])
def test_files_are_read_up_to_a_size(tmp_path: Path, size: int, is_read: bool) -> None:
    folder(tmp_path / "Ana", session__py=b"#" * size, context__py=b"c")
    submission = find(tmp_path)[0].read(COURSE)
    assert ("session.py" in submission.files) == is_read
    assert bool(submission.problems) != is_read


def test_only_the_three_files_are_read(tmp_path: Path) -> None:
    folder(
        tmp_path / "Ana",
        session__py=b"s",
        context__py=b"c",
        conftest__py=b"x",
        __coursekit__json=b"{}",
    )
    assert set(find(tmp_path)[0].read(COURSE).files) == {
        "session.py",
        "context.py",
        ".coursekit.json",
    }


def test_a_zip_is_read_and_nothing_is_unpacked(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "Ana.zip", "w") as archive:
        archive.writestr("../session.py", "bad")
        archive.writestr("in/session.py", "s")
        archive.writestr("in\\context.py", "c")
    submission = find(tmp_path)[0].read(COURSE)
    assert submission.answers(COURSE) == {"session.py": b"s", "context.py": b"c"}
    assert [each.name for each in tmp_path.iterdir()] == ["Ana.zip"]


def test_an_unusual_packing_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "Ana.zip", "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("session.py", "s")
        archive.writestr("context.py", "c")
    submission = find(tmp_path)[0].read(COURSE)
    assert submission.files == {}
    assert "unusual" in submission.problems[0]


@pytest.mark.parametrize(
    ("content", "number"),
    [
        (b'{"predictions": {"leaf-back": 1, "old-field": "a"}}', 2),
        (b'{"predictions": {"leaf-back": [], "old-field": "z"}}', 0),  # no answers to them
        (b'{"predictions": {"made up": 1, "leaf-back": 5}}', 1),
        (b"{}", 0),
        (b'{"predictions": [1, 2]}', 0),
        (b"[1]", 0),
        (b"{", 0),
        (b"\xff", 0),
        (b"[" * 200_000, 0),
        (b'{"predictions": ' + b"9" * 10_000 + b"}", 0),
    ],
)
def test_stored_predictions_are_counted_and_never_an_error(content: bytes, number: int) -> None:
    assert Submission("Ana", {progress.FILE: content}).predictions(COURSE) == number
    assert Submission("Ana", {}).predictions(COURSE) == 0
