"""Reading one file, whatever lies in its place."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from coursekit.grading.regular_file import Unreadable, read_regular


def linked(path: Path) -> None:
    (path.parent / "other").write_bytes(b"secret")
    path.symlink_to(path.parent / "other")


def hard_linked(path: Path) -> None:
    (path.parent / "other").write_bytes(b"secret")
    os.link(path.parent / "other", path)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (linked, "is a link, which is not followed"),
        (hard_linked, "has a second name elsewhere"),
        (os.mkfifo, "is no regular file"),
    ],
)
def test_what_is_no_file_of_its_own_is_not_read(
    tmp_path: Path, make: Callable[[Path], None], why: str
) -> None:
    make(tmp_path / "session.py")
    with pytest.raises(Unreadable, match=why):
        read_regular(tmp_path / "session.py", 10)


def test_a_file_is_read_up_to_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "session.py"
    path.write_bytes(b"#" * 1_000)
    assert read_regular(path, 1_000) == b"#" * 1_000
    with pytest.raises(Unreadable, match="is larger than 999 bytes"):
        read_regular(path, 999)


def test_of_a_file_that_is_not_there_the_system_speaks(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_regular(tmp_path / "session.py", 10)
