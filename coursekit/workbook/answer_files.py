"""A learner's answers as files: filling a lab in, starting one over, and a fingerprint."""

import zlib
from collections.abc import Sequence
from pathlib import Path

from coursekit.check.course import Course, Lab
from coursekit.check.source_text import function_source, has_function, splice_function
from coursekit.workbook.file_writing import keep_backup, write_atomically
from coursekit.workbook.progress import Progress


def reveal(course: Course, folder: Path, lab: Lab) -> Path | None:
    """Put the reference's function into the answers; the rest of the file stays.

    The progress file remembers it. Returns the backup of what was there, or None
    if only a stub was replaced. Raises `SpliceError` if the file can't be read.
    """
    return _replace(course, folder, lab, course.reference_source(lab.module), revealed=True)


def reset(course: Course, folder: Path, lab: Lab) -> Path | None:
    """Put the starter's stub back; the rest of the file stays.

    Returns the backup of what was there, or None if the stub was untouched. Raises
    `SpliceError` if the file can't be read.
    """
    return _replace(course, folder, lab, course.starters / lab.module, revealed=False)


def fingerprint(folder: Path, modules: Sequence[str]) -> str:
    """A short text that changes whenever one of these files of the answers does."""
    sums = []
    for module in modules:
        path = folder / module
        sums.append(f"{zlib.crc32(path.read_bytes()):08x}" if path.is_file() else "-")
    return ".".join(sums)


def _replace(
    course: Course, folder: Path, lab: Lab, source: Path, *, revealed: bool
) -> Path | None:
    path = folder / lab.module
    starter = course.starters / lab.module
    old = path.read_bytes() if path.is_file() else starter.read_bytes()
    wanted = function_source(source.read_bytes(), lab.function, source.name)
    new = splice_function(old, lab.function, wanted, lab.module)
    # Read before writing: a damaged progress file must stop us while nothing is changed.
    progress = Progress(folder)
    # A file that is the starter but for revealed functions has nothing to lose.
    backup = None
    ours = has_function(old, lab, starter, course.reference_source(lab.module))
    if path.is_file() and new != old and not ours:
        backup = keep_backup(path)
    write_atomically(path, new)
    progress.mark_revealed(lab.id, revealed)
    progress.forget_checks(check.name for check in lab.checks)
    progress.save()
    return backup
