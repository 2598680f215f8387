"""Archives made to harm: each is refused by name, and nothing is written outside."""

import gzip
import io
import stat
import struct
import tarfile
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from coursekit.check.coursekit_error import CoursekitError
from coursekit.grading.intake.archive import MOST_MEMBERS
from tests.grading.intake.class_maker import in_folder, tarred, zipped
from tests.grading.intake.hostile_class import (
    GOOD,
    OUTSIDE,
    collected,
    not_understood,
    of_class,
    with_entry,
    with_member,
)


@pytest.mark.parametrize("name", OUTSIDE)
def test_paths_that_lead_outside_are_refused(tmp_path: Path, name: str) -> None:
    place = tmp_path / "in"
    place.mkdir()
    packed = with_entry(zipfile.ZipInfo(name))
    account = collected(of_class(place, "class.zip", packed))
    assert [each.folder for each in account.students] == ["Zoë"]
    assert list(not_understood(account).values()) == ["its path leads outside"]


@pytest.mark.parametrize("name", OUTSIDE)
def test_paths_of_a_tar_that_lead_outside_are_refused(tmp_path: Path, name: str) -> None:
    place = tmp_path / "in"
    place.mkdir()
    account = collected(of_class(place, "class.tar", with_member(tarfile.TarInfo(name), b"x")))
    assert list(not_understood(account).values()) == ["its path leads outside"]


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_student_whose_zip_leads_outside_does_not_disappear(tmp_path: Path, name: str) -> None:
    place = tmp_path / "in"
    files = GOOD | {"Ana.zip": zipped({name: b"x"})}
    account = collected(in_folder(files, place / "class"))
    assert [each.folder for each in account.students] == ["Ana", "Zoë"]
    assert list(not_understood(account).values()) == ["its path leads outside"]


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        (tarfile.SYMTYPE, "is a link"),
        (tarfile.LNKTYPE, "is a link"),
        (tarfile.CHRTYPE, "is no regular file"),
        (tarfile.BLKTYPE, "is no regular file"),
        (tarfile.FIFOTYPE, "is no regular file"),
    ],
)
def test_links_and_devices_of_a_tar_are_refused(tmp_path: Path, kind: bytes, why: str) -> None:
    place = tmp_path / "in"
    place.mkdir()
    info = tarfile.TarInfo("Ana/session.py")
    info.type, info.linkname = kind, "/etc/passwd"
    account = collected(of_class(place, "class.tar", with_member(info)))
    assert why in not_understood(account)["Ana/session.py"]
    assert [each.folder for each in account.students] == ["Ana", "Zoë"]


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFCHR, stat.S_IFIFO])
def test_links_and_devices_of_a_zip_are_refused(tmp_path: Path, kind: int) -> None:
    place = tmp_path / "in"
    place.mkdir()
    info = zipfile.ZipInfo("Ana/session.py")
    info.external_attr = (kind | 0o644) << 16
    account = collected(of_class(place, "class.zip", with_entry(info, b"/etc/passwd")))
    why = not_understood(account)["Ana/session.py"]
    assert ("link" in why) if kind == stat.S_IFLNK else (why == "is no regular file")


def test_encrypted_members_are_refused(tmp_path: Path) -> None:
    place = tmp_path / "in"
    place.mkdir()
    packed = bytearray(zipped({"Ana/session.py": b"s", "Ana/context.py": b"c"}))
    for signature, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = packed.find(signature)
        packed[at + flags] |= 1
    account = collected(of_class(place, "class.zip", bytes(packed)))
    assert not_understood(account) == {"Ana/session.py": "is encrypted"}


def test_sparse_members_are_refused(tmp_path: Path) -> None:
    place = tmp_path / "in"
    place.mkdir()
    info = tarfile.TarInfo("Ana/session.py")
    info.pax_headers = {
        "GNU.sparse.major": "0",
        "GNU.sparse.minor": "1",
        "GNU.sparse.map": "0,1",
        "GNU.sparse.size": "1000000000000",
    }
    account = collected(of_class(place, "class.tar", with_member(info, b"x")))
    assert not_understood(account) == {"Ana/session.py": "is a sparse file"}


@pytest.mark.parametrize("inside", [False, True])
def test_a_zip_of_very_many_members_is_refused(tmp_path: Path, inside: bool) -> None:
    place = tmp_path / "in"
    place.mkdir()
    packed = _many_members(MOST_MEMBERS + 1)
    if inside:
        account = collected(in_folder({"Zoë/session.py": b"s", "Ana.zip": packed}, place / "class"))
        assert "more than 100,000" in not_understood(account)["Ana.zip"]
        assert [each.folder for each in account.students] == ["Ana", "Zoë"]
    else:
        with pytest.raises(CoursekitError, match=r"class\.zip has more than 100,000 members"):
            collected(of_class(place, "class.zip", packed))
        assert not (place / "out").exists()


def _many_members(number: int) -> bytes:
    """A zip's table that names one file very often, which needs few bytes."""
    local = struct.pack("<4s5H3I2H", b"PK\x03\x04", 20, 0, 0, 0, 33, 0, 0, 0, 1, 0) + b"a"
    head = struct.pack("<4s6H3I5H2I", b"PK\x01\x02", 20, 20, 0, 0, 0, 33, 0, 0, 0, 1, *[0] * 6)
    table = (head + b"a") * number
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 65535, 65535, len(table), len(local), 0)
    return local + table + end


def test_a_table_of_millions_is_refused_unread(tmp_path: Path) -> None:
    place = tmp_path / "in"
    place.mkdir()
    path = of_class(place, "class.zip", _many_members(1_000_000))
    tracemalloc.start()
    try:
        with pytest.raises(CoursekitError, match="more than 100,000 members"):
            collected(path)
        assert tracemalloc.get_traced_memory()[1] < 60_000_000
    finally:
        tracemalloc.stop()


def test_a_tar_of_very_many_members_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "in"
    place.mkdir()
    header = tarfile.TarInfo("a").tobuf()
    packed = gzip.compress(header * (MOST_MEMBERS + 1), 1)
    with pytest.raises(CoursekitError, match="more than 100,000 members"):
        collected(of_class(place, "class.tar.gz", packed))


def test_a_zip_that_lies_about_its_size_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "in"
    bomb = bytearray(zipped({"session.py": bytes(50_000_000)}))
    for signature, size in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = bomb.find(signature)
        bomb[at + size : at + size + 4] = struct.pack("<I", 10)
    account = collected(in_folder(GOOD | {"Ana.zip": bytes(bomb)}, place / "class"))
    assert "damaged" in not_understood(account)["Ana.zip/session.py"]


@pytest.mark.parametrize("cut", [100, 600, 1_300])
def test_a_tar_that_ends_too_early_is_refused(tmp_path: Path, cut: int) -> None:
    packed = tarred({"session.py": b"s" * 600, "context.py": b"c" * 600}, "")
    source = in_folder(GOOD | {"Ana.tar": packed[:cut]}, tmp_path / "in" / "class")
    [why] = not_understood(collected(source)).values()
    assert why


def test_a_damaged_zip_is_named(tmp_path: Path) -> None:
    files = GOOD | {"Ana.zip": b"PK\x03\x04 no more", "Ben.zip": b""}
    account = collected(in_folder(files, tmp_path / "in" / "class"))
    assert set(not_understood(account)) == {"Ana.zip", "Ben.zip"}
    assert [each.folder for each in account.students] == ["Ana", "Ben", "Zoë"]


def test_two_members_of_one_name_are_ambiguous(tmp_path: Path) -> None:
    place = tmp_path / "in"
    place.mkdir()
    buffer = io.BytesIO(zipped(GOOD))
    with zipfile.ZipFile(buffer, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("Zoë/session.py", "other")
    account = collected(of_class(place, "class.zip", buffer.getvalue()))
    assert [each.status for each in account.students] == ["ambiguous"]


def test_names_written_by_a_chinese_windows_are_read(tmp_path: Path) -> None:
    place = tmp_path / "in"
    place.mkdir()
    packed = zipped({"XXXX/session.py": b"s", "YYY/session.py": b"s"})
    packed = packed.replace(b"XXXX", "李雷".encode("gbk")).replace(b"YYY", "Zoë".encode("cp437"))
    account = collected(of_class(place, "class.zip", packed))
    assert {each.folder for each in account.students} == {"李雷", "Zoë"}
