"""A source: everything that lies in a folder, a zip or a tar, as one list of members.

Archives in it are looked into, and each of their files is a member too. Nothing is written,
and a member is read only when it is asked for, up to a number of bytes.
"""

import io
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from coursekit.check.coursekit_error import CoursekitError
from coursekit.grading.intake.archive import (
    Archive,
    ArchiveEntry,
    is_archive,
    is_other_archive,
    open_archive,
)
from coursekit.grading.intake.disk import files_in
from coursekit.grading.intake.member import MARKS_ENVIRONMENT, NOT_ENTERED, Member
from coursekit.grading.regular_file import Unreadable
from coursekit.grading.reports import safe_text

MOST_MEMBERS = 100_000
"""Members that a whole source may have."""

MOST_OF_ONE = 10_000
"""Members that an archive inside a source may have, so that one student's fills it not."""

LARGEST_ARCHIVE = 50_000_000
"""Bytes that an archive inside a source may have."""

_LARGEST_CLASS = 2_000_000_000  # bytes of a class's tar, unpacked
_LARGEST_UNPACKED = 100_000_000  # bytes of a student's tar, unpacked, or zip, by its own word
_DEEPEST = 2  # archives in one another, inside a source


@dataclass(frozen=True)
class Source:
    """A folder or an archive of a class, and all that lies in it."""

    name: str
    is_folder: bool
    members: Sequence[Member]


@contextmanager
def open_source(path: Path) -> Iterator[Source]:
    """What lies in a folder, a zip or a tar, as long as the context lasts.

    Raises `CoursekitError` if there is nothing to open, or too much in it.
    """
    with closing(_AtHand()) as at_hand:
        if path.is_dir():
            members = _looked_into(files_in(path), at_hand)
            yield Source(path.resolve().name, True, _within_bounds(path, members))
            return
        if not path.exists():
            raise CoursekitError(
                f"There is no {path}. Name the folder, zip or tar that holds submissions."
            )
        try:
            with closing(open_archive(path.open("rb"), _LARGEST_CLASS)) as archive:
                entries = _of_entries((), archive.entries(), _Opened(archive))
                members = _looked_into(entries, at_hand)
                yield Source(path.name, False, _within_bounds(path, members))
        except Unreadable as refused:
            raise CoursekitError(f"{path} {refused}.") from None


def _within_bounds(path: Path, members: Iterator[Member]) -> list[Member]:
    found: list[Member] = []
    for member in members:
        if len(found) == MOST_MEMBERS:
            tops = Counter(each.path[0] for each in found)
            raise CoursekitError(
                f"{path} holds more than {MOST_MEMBERS:,} files, most of them in "
                f"{safe_text.line(tops.most_common(1)[0][0])!r}."
            )
        found.append(member)
    return found


# --- archives ---------------------------------------------------------------------


class _Shelf(Protocol):
    def open(self) -> Archive: ...


@dataclass(frozen=True)
class _Opened:
    archive: Archive

    def open(self) -> Archive:
        return self.archive


class _AtHand:
    """The inner archives that are open: few, for each is held in memory."""

    def __init__(self) -> None:
        # By which member it is, for two in one archive may have the same path.
        self._open: dict[int, Archive] = {}

    def archive(self, member: Member) -> Archive:
        """What an archive inside another holds; opened anew when it is not at hand."""
        if id(member) not in self._open:
            content = member.read(LARGEST_ARCHIVE)
            archive = open_archive(io.BytesIO(content), _LARGEST_UNPACKED)
            while len(self._open) >= _DEEPEST:
                self._open.pop(next(iter(self._open))).close()
            self._open[id(member)] = archive
        return self._open[id(member)]

    def close(self) -> None:
        """Let go of all of them."""
        while self._open:
            self._open.popitem()[1].close()


@dataclass(frozen=True)
class _Inner:
    member: Member
    at_hand: _AtHand

    def open(self) -> Archive:
        return self.at_hand.archive(self.member)


@dataclass(frozen=True)
class _EntryReader:
    shelf: _Shelf
    entry: ArchiveEntry

    def read(self, limit: int) -> bytes:
        return self.shelf.open().read(self.entry, limit)


def _looked_into(members: Iterator[Member], at_hand: _AtHand, depth: int = 0) -> Iterator[Member]:
    """The members, and in place of each archive what it holds."""
    for member in members:
        name = member.path[-1]
        is_file = not (member.is_folder or member.refusal or member.aside)
        if is_file and is_other_archive(name):
            yield _refused(member, "is an archive of a kind that is not opened: ask for a zip")
        elif not (is_file and is_archive(name)):
            yield member
        elif depth == _DEEPEST:
            yield _refused(member, "lies too deep: an archive in an archive in an archive")
        else:
            try:
                shelf = _Inner(member, at_hand)
                entries = shelf.open().entries()
                if not any(not entry.is_folder for entry in entries):
                    raise Unreadable("is an empty archive")
                if _said_size(entries) > _LARGEST_UNPACKED:
                    raise Unreadable(f"unpacks to more than {_LARGEST_UNPACKED:,} bytes")
                inner = list(_of_entries(member.path, entries, shelf))
                if len(inner) > MOST_OF_ONE:
                    raise Unreadable(f"has more than {MOST_OF_ONE:,} files")
            except Unreadable as refused:
                yield _refused(member, str(refused))
                continue
            yield from _looked_into(iter(inner), at_hand, depth + 1)


def _refused(member: Member, refusal: str) -> Member:
    return Member(member.path, refusal=refusal)


def _said_size(entries: Sequence[ArchiveEntry]) -> int:
    return sum(
        entry.key.size if hasattr(entry.key, "size") else entry.key.file_size
        for entry in entries
        if not entry.is_folder
    )


def _of_entries(
    base: tuple[str, ...], entries: Sequence[ArchiveEntry], shelf: _Shelf
) -> Iterator[Member]:
    marked = {entry.path[:-1] for entry in entries if entry.path[-1] == MARKS_ENVIRONMENT}
    # Where one was made in the practice folder, the answers lie beside its mark.
    with_code = {entry.path[:-1] for entry in entries if entry.path[-1].endswith(".py")}
    environments = marked - with_code - {()}
    unentered: dict[tuple[str, ...], tuple[str, int]] = {}
    for entry in entries:
        path = (*base, *(unicodedata.normalize("NFC", part) for part in entry.path))
        cut, aside = _cut(entry, environments)
        if aside:
            whole = path[: len(base) + cut]
            count = unentered.get(whole, ("", 0))[1] + (not entry.is_folder)
            unentered[whole] = (aside, count)
        elif entry.is_folder:
            yield Member(path, is_folder=True, count=0)
        else:
            yield Member(
                path,
                _EntryReader(shelf, entry),
                refusal=entry.refusal,
                # Inside a student's archive it is the student's all the same.
                outside=entry.outside and not base,
            )
    for whole, (aside, count) in unentered.items():
        yield Member(whole, aside=aside, count=count)


def _cut(entry: ArchiveEntry, environments: set[tuple[str, ...]]) -> tuple[int, str]:
    """Where on the entry's path stands a folder that is not entered, and why; 0 if none."""
    folders = len(entry.path) - (not entry.is_folder)
    for length in range(1, folders + 1):
        if entry.path[:length] in environments:
            return length, NOT_ENTERED[".venv"]
        if aside := NOT_ENTERED.get(entry.path[length - 1]):
            return length, aside
    return 0, ""
