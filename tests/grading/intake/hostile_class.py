"""Classes made to harm, and the account of collecting one."""

import io
import tarfile
import zipfile
from pathlib import Path

from coursekit.course import COURSE
from coursekit.grading.intake.account import Account
from coursekit.grading.intake.collect import ACCOUNT, TABLE, collect
from tests.grading.intake.class_maker import zipped

GOOD = {"Zoë/session.py": b"s", "Zoë/context.py": b"c"}


OUTSIDE = [
    "../../session.py",
    "Ana/../../session.py",
    "/tmp/session.py",
    "C:\\session.py",
    "..\\session.py",
    "//host/share/session.py",
]


def collected(source: Path) -> Account:
    """The account; besides the folder of submissions nothing may have come to be."""
    out = source.parent / "out"
    before = {path for path in source.parent.parent.rglob("*") if out not in path.parents}
    account = collect(COURSE, source, out, "folders")
    after = {path for path in source.parent.parent.rglob("*") if out not in path.parents}
    assert after - before == {out}
    written = {path.name for path in out.rglob("*") if path.is_file()}
    assert written <= {"session.py", "context.py", ".coursekit.json", ACCOUNT, TABLE}
    return account


def not_understood(account: Account) -> dict[str, str]:
    return {each.path: each.why for each in account.files() if each.fate == "not understood"}


def of_class(place: Path, name: str, content: bytes) -> Path:
    (place / name).write_bytes(content)
    return place / name


def with_entry(info: zipfile.ZipInfo, content: bytes = b"x") -> bytes:
    buffer = io.BytesIO(zipped(GOOD))
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.writestr(info, content)
    return buffer.getvalue()


def with_member(info: tarfile.TarInfo, content: bytes = b"") -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, each in GOOD.items():
            good = tarfile.TarInfo(name)
            good.size = len(each)
            archive.addfile(good, io.BytesIO(each))
        info.size = len(content)
        archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()
