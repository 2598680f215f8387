"""How much a source may hold, and how deep its archives may lie."""

from pathlib import Path

import pytest

from coursekit.check.coursekit_error import CoursekitError
from coursekit.course import COURSE
from coursekit.grading.intake import source as source_module
from coursekit.grading.intake.collect import collect
from tests.grading.intake.class_maker import in_folder, zipped
from tests.grading.intake.hostile_class import GOOD, collected, not_understood


def test_one_students_zip_does_not_fill_the_class(tmp_path: Path) -> None:
    many = {f"data/{number}": b"" for number in range(10_001)}
    environment = {f".venv/{number}": b"" for number in range(10_001)}
    files = GOOD | {
        "Ana.zip": zipped(many),
        "Ben.zip": zipped(environment | {"session.py": b"s", "context.py": b"c"}),
    }
    account = collected(in_folder(files, tmp_path / "in" / "class"))
    assert not_understood(account) == {"Ana.zip": "has more than 10,000 files"}
    assert [each.status for each in account.students] == ["nothing", "complete", "complete"]
    assert account.counts()["set aside"] == 10_001


def test_a_folder_of_too_many_files_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_module, "MOST_MEMBERS", 3)
    place = in_folder(GOOD, tmp_path / "in" / "class")
    assert len(collected(place).students) == 1
    (place / "Zoë" / "more.txt").write_text("")
    with pytest.raises(CoursekitError, match="holds more than 3 files, most of them in 'Zoë'"):
        collect(COURSE, place, tmp_path / "again")


def test_a_zip_bomb_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "in"
    bomb = zipped({"session.py": bytes(150_000_000)})
    account = collected(in_folder(GOOD | {"Ana.zip": bomb}, place / "class"))
    assert not_understood(account) == {"Ana.zip": "unpacks to more than 100,000,000 bytes"}


def test_archives_in_archives_end_somewhere(tmp_path: Path) -> None:
    packed = zipped({"session.py": b"s"})
    for _ in range(4):
        packed = zipped({"in.zip": packed})
    account = collected(in_folder(GOOD | {"Ana.zip": packed}, tmp_path / "in" / "class"))
    assert "lies too deep" in not_understood(account)["Ana.zip/in.zip/in.zip"]
