"""A learner's answers: filling one lab in, starting one over, and a fingerprint."""

import zlib
from collections.abc import Sequence
from pathlib import Path

from coursekit.workbook import content
from coursekit.workbook.files import keep_backup, write_atomically
from coursekit.workbook.manifest import Lab
from coursekit.workbook.progress import Progress
from coursekit.workbook.stubs import MODULES, SpliceError, function_source, splice_function


def reveal(folder: Path, lab: Lab) -> Path | None:
    """Put the reference's function into the answers; the rest of the file stays.

    The progress file remembers it. Gives the backup of what was there, or None
    if only a stub was replaced. Raises `SpliceError` if the file can't be read.
    """
    return _replace(folder, lab, content.reference(lab.module), revealed=True)


def reset(folder: Path, lab: Lab) -> Path | None:
    """Put the starter's stub back; the rest of the file stays.

    Gives the backup of what was there, or None if the stub was untouched. Raises
    `SpliceError` if the file can't be read.
    """
    return _replace(folder, lab, content.starters() / lab.module, revealed=False)


def is_stub(folder: Path, lab: Lab) -> bool:
    """Whether the lab's function is still the starter's, untouched."""
    path = folder / lab.module
    return path.is_file() and _is_one_of(path.read_bytes(), lab, content.starters() / lab.module)


def fingerprint(folder: Path, modules: Sequence[str] = MODULES) -> str:
    """A short text that changes whenever one of these files of the answers does."""
    sums = []
    for module in modules:
        path = folder / module
        sums.append(f"{zlib.crc32(path.read_bytes()):08x}" if path.is_file() else "-")
    return ".".join(sums)


def _replace(folder: Path, lab: Lab, source: Path, *, revealed: bool) -> Path | None:
    path = folder / lab.module
    starter = (content.starters() / lab.module).read_bytes()
    old = path.read_bytes() if path.is_file() else starter
    wanted = function_source(source.read_bytes(), lab.function, source.name)
    new = splice_function(old, lab.function, wanted, lab.module)
    # Read before writing: a damaged progress file must stop us while nothing is changed.
    progress = Progress(folder)
    # A file that is the starter but for revealed functions has nothing to lose.
    backup = None
    if path.is_file() and new != old and not _is_given(old, lab):
        backup = keep_backup(path)
    write_atomically(path, new)
    progress.mark_revealed(lab.id, revealed)
    progress.forget_checks(check.name for check in lab.checks)
    progress.save()
    return backup


def _is_given(source: bytes, lab: Lab) -> bool:
    """Whether the lab's function is the course's own text, stub or reference."""
    return _is_one_of(source, lab, content.starters() / lab.module, content.reference(lab.module))


def _is_one_of(source: bytes, lab: Lab, *givens: Path) -> bool:
    try:
        there = function_source(source, lab.function, lab.module).split()
    except SpliceError:  # a file that is broken, or lacks the function
        return False
    return any(
        there == function_source(given.read_bytes(), lab.function, given.name).split()
        for given in givens
    )
