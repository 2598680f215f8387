"""Submissions: finding them, and reading three small files of each, whatever lies there.

Nothing of a submission is written to disk, followed as a link, or parsed here.
"""

import json
import os
import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from coursekit.check.course import Course
from coursekit.check.coursekit_error import CoursekitError
from coursekit.grading.regular_file import Unreadable, read_regular
from coursekit.workbook import progress
from coursekit.workbook.predictions import judge_stored

LARGEST = 1_000_000
"""Bytes that a file of a submission may have."""

_ZIP_SIZE = 50_000_000
_ZIP_ENTRIES = 10_000
_ZIP_BYTES = 100_000_000
_DEEPEST = 4  # folders that may stand between a submission and its files


@dataclass(frozen=True)
class Submission:
    """What one student handed in: the files read, and what could not be read."""

    student: str
    files: Mapping[str, bytes] = field(repr=False)
    problems: tuple[str, ...] = ()

    def answers(self, course: Course) -> dict[str, bytes]:
        """The answer modules that were read."""
        return {name: self.files[name] for name in course.modules if name in self.files}

    def predictions(self, course: Course) -> int:
        """How many of the course's predictions are stored; none when the file can't be read."""
        try:
            stored: object = json.loads(self.files.get(progress.FILE, b"{}"))
        except (ValueError, RecursionError):
            return 0
        made = stored.get("predictions") if isinstance(stored, dict) else None
        return len(judge_stored(course, made)) if isinstance(made, dict) else 0


@dataclass(frozen=True)
class SubmissionPlace:
    """Where a submission lies: a folder or a zip, and the student's name."""

    student: str
    path: Path

    def read(self, course: Course) -> Submission:
        """Read the submission; what can't be read becomes a problem in words."""
        if self.path.is_symlink():
            return Submission(
                self.student, {}, ("the submission is a link, which is not followed",)
            )
        if self.path.is_dir():
            return _read_folder(self.student, self.path, course.modules)
        return _read_zip(self.student, self.path, course.modules)


def find(folder: Path) -> list[SubmissionPlace]:
    """The submissions in a folder, by student: each folder and each zip in it is one.

    A hidden file or folder is none. Raises `CoursekitError` when there are none, or
    two of one student.
    """
    if not folder.is_dir():
        raise CoursekitError(
            f"There is no folder {folder}. Name the folder that holds submissions."
        )
    places: dict[str, SubmissionPlace] = {}
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.name == "__MACOSX":
            continue
        is_zip = path.suffix.lower() == ".zip"
        if not (is_zip or path.is_dir() or path.is_symlink()):
            continue
        student = _student(path.stem if is_zip else path.name)
        if student in places:
            raise CoursekitError(
                f"{folder} has two submissions of {student!r}: {places[student].path.name!r} "
                f"and {path.name!r}. Take one away."
            )
        places[student] = SubmissionPlace(student, path)
    if not places:
        raise CoursekitError(
            f"{folder} holds no submissions: a submission is a folder or a zip for each student."
        )
    return [places[student] for student in sorted(places)]


def _student(name: str) -> str:
    """A file name as a student's name: one spelling, and characters that can be written."""
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    text = unicodedata.normalize("NFC", text)
    return "".join(each if each.isprintable() else f"\\x{ord(each):02x}" for each in text).strip()


# --- folders ----------------------------------------------------------------------


def _read_folder(student: str, folder: Path, modules: Sequence[str]) -> Submission:
    files: dict[str, bytes] = {}
    problems: list[str] = []
    base = _base_in(folder, modules)
    for name in (*modules, progress.FILE):
        try:
            files[name] = read_regular(base / name, LARGEST)
        except FileNotFoundError:
            if name in modules:
                problems.append(f"{name} is missing")
        except Unreadable as refused:
            problems.append(f"{name} {refused}")
        except OSError as problem:
            problems.append(f"{name} can't be read: {problem.strerror}")
    return Submission(student, files, tuple(problems))


def _base_in(folder: Path, modules: Sequence[str]) -> Path:
    """Where the answers stand: here, or in the one folder that has them."""
    level = [folder]
    for _ in range(_DEEPEST):
        holding = [each for each in level if _holds_answers(each, modules)]
        if holding:
            return holding[0]
        level = [inner for each in level for inner in _folders_in(each)]
    return folder


def _holds_answers(folder: Path, modules: Sequence[str]) -> bool:
    return any(os.path.lexists(folder / name) for name in modules)


def _folders_in(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            names = [
                each.name
                for each in entries
                if each.is_dir(follow_symlinks=False) and not each.name.startswith((".", "__"))
            ]
    except OSError:
        return []
    return [folder / name for name in sorted(names)[:100]]


# --- zips -------------------------------------------------------------------------


def _read_zip(student: str, path: Path, modules: Sequence[str]) -> Submission:
    try:
        if path.stat().st_size > _ZIP_SIZE:
            return Submission(student, {}, (f"the zip is larger than {_ZIP_SIZE:,} bytes",))
        with zipfile.ZipFile(path) as archive:
            return _read_archive(student, archive, modules)
    except (OSError, ValueError, NotImplementedError, RuntimeError, EOFError) as problem:
        return Submission(student, {}, (f"the zip can't be read: {problem}",))
    except (zipfile.BadZipFile, zlib.error) as problem:
        return Submission(student, {}, (f"the zip is damaged: {problem}",))


def _read_archive(student: str, archive: zipfile.ZipFile, modules: Sequence[str]) -> Submission:
    entries = archive.infolist()
    if len(entries) > _ZIP_ENTRIES or sum(each.file_size for each in entries) > _ZIP_BYTES:
        return Submission(student, {}, ("the zip holds more than a submission may",))
    base = _base_of(entries, modules)
    files: dict[str, bytes] = {}
    problems: list[str] = []
    for name in (*modules, progress.FILE):
        found = [each for each in entries if _inside(each) == base / name]
        try:
            if len(found) > 1:
                raise Unreadable("is in the zip more than once")
            if found:
                files[name] = _read_member(archive, found[0])
            elif name in modules:
                problems.append(f"{name} is missing")
        except Unreadable as refused:
            problems.append(f"{name} {refused}")
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            RuntimeError,
            NotImplementedError,
        ) as problem:
            problems.append(f"{name} is damaged in the zip: {problem}")
    return Submission(student, files, tuple(problems))


def _read_member(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    mode = entry.external_attr >> 16
    if stat.S_ISLNK(mode):
        raise Unreadable("is a link, which is not followed")
    if mode and stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        raise Unreadable("is no regular file")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise Unreadable("is packed in an unusual way: make the zip anew")
    with archive.open(entry) as file:  # the size it declares may be a lie
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise Unreadable(f"is larger than {LARGEST:,} bytes")
    return content


def _base_of(entries: list[zipfile.ZipInfo], modules: Sequence[str]) -> PurePosixPath:
    """The highest folder of the zip that has answers."""
    bases = {
        path.parent
        for each in entries
        if (path := _inside(each)).name in modules and not _unwanted(path)
    }
    return min(bases, key=lambda base: (len(base.parts), str(base)), default=PurePosixPath("."))


def _unwanted(path: PurePosixPath) -> bool:
    return (
        path.is_absolute()
        or len(path.parts) > _DEEPEST + 1
        or any(part == ".." or part.startswith(("__MACOSX", ".")) for part in path.parts[:-1])
    )


def _inside(entry: zipfile.ZipInfo) -> PurePosixPath:
    return PurePosixPath(entry.filename.replace("\\", "/"))
