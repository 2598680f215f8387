"""What lies in a folder: links, devices and records are not entered."""

import os
from pathlib import Path

import pytest

from coursekit.grading.intake.disk import files_in
from coursekit.grading.regular_file import Unreadable
from tests.grading.intake.class_maker import in_folder
from tests.grading.intake.hostile_class import GOOD, collected, not_understood


def test_links_and_devices_of_a_folder_are_refused(tmp_path: Path) -> None:
    place = in_folder(GOOD | {"Ana/": b"", "Ben/": b""}, tmp_path / "in" / "class")
    secret = tmp_path / "secret.py"
    secret.write_text("secret")
    (place / "Ana" / "session.py").symlink_to(secret)
    os.mkfifo(place / "Ana" / "context.py")
    os.link(secret, place / "Ben" / "session.py")
    (place / "Cleo").symlink_to(tmp_path)
    account = collected(place)
    refused = not_understood(account)
    assert "link" in refused["Ana/session.py"]
    assert refused["Ana/context.py"] == "is no regular file"
    assert "hard link" in refused["Ben/session.py"]
    assert "link" in refused["Cleo"]
    assert [each.folder for each in account.students] == ["Ana", "Ben", "Cleo", "Zoë"]


def test_files_come_in_order_and_records_are_not_entered(tmp_path: Path) -> None:
    files = {
        "b/x.py": b"",
        "a.py": b"a",
        "b/.git/HEAD": b"",
        "e/pyvenv.cfg": b"",
        "p/pyvenv.cfg": b"",
    }
    in_folder(files | {"p/session.py": b""}, tmp_path)
    found = {each.shown: each for each in files_in(tmp_path)}
    assert [*found] == ["a.py", "b", "e", "p", "b/.git", "b/x.py", "p/pyvenv.cfg", "p/session.py"]
    assert {name for name, each in found.items() if each.aside} == {"b/.git", "e"}
    assert found["a.py"].read(1) == b"a"


def test_a_file_that_goes_before_it_is_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"a")
    [member] = files_in(tmp_path)
    (tmp_path / "a.py").unlink()
    with pytest.raises(Unreadable, match="can't be read: No such file"):
        member.read(1)
