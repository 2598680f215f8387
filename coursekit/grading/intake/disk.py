"""The disk: what lies in a folder, whatever it is."""

import os
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from coursekit.grading.intake.member import MARKS_ENVIRONMENT, NOT_ENTERED, Member
from coursekit.grading.regular_file import Unreadable, read_regular


@dataclass(frozen=True)
class _FileReader:
    path: Path

    def read(self, limit: int) -> bytes:
        try:
            return read_regular(self.path, limit)
        except OSError as problem:
            raise Unreadable(f"can't be read: {problem.strerror}") from None


def files_in(folder: Path) -> Iterator[Member]:
    """All files and folders below a folder, in order; no link is followed."""
    todo: list[tuple[str, tuple[str, ...]]] = [(os.fspath(folder), ())]
    while todo:
        place, path = todo.pop()
        try:
            with os.scandir(place) as scanned:
                entries = sorted(scanned, key=lambda each: each.name)
        except OSError as problem:
            yield Member(path or (".",), refusal=f"can't be read: {problem.strerror}")
            continue
        inner: list[tuple[str, tuple[str, ...]]] = []
        for entry in entries:
            here = (*path, _readable(entry.name))
            if entry.is_symlink():
                yield Member(here, refusal="is a link, which is not followed")
            elif entry.is_dir(follow_symlinks=False):
                if aside := _not_entered(entry):
                    yield Member(here, aside=aside)
                else:
                    yield Member(here, is_folder=True, count=0)
                    inner.append((entry.path, here))
            elif entry.is_file(follow_symlinks=False):
                yield Member(here, _FileReader(Path(entry.path)))
            else:
                yield Member(here, refusal="is no regular file")
        todo += reversed(inner)


def _not_entered(entry: os.DirEntry[str]) -> str:
    if os.path.lexists(os.path.join(entry.path, MARKS_ENVIRONMENT)) and not _has_code(entry.path):
        return NOT_ENTERED[".venv"]
    return NOT_ENTERED.get(entry.name, "")


def _has_code(folder: str) -> bool:
    """Whether Python lies in it, as where an environment was made in the practice folder."""
    try:
        return any(name.endswith(".py") for name in os.listdir(folder))
    except OSError:
        return False


def _readable(name: str) -> str:
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    return unicodedata.normalize("NFC", text)
