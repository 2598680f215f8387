"""Practice folders: making one, and finding the one that is meant."""

import os
from pathlib import Path

from coursekit.workbook import given, progress
from coursekit.workbook.errors import WorkbookError
from coursekit.workbook.stubs import MODULES

DEFAULT = "practice"


def make(folder: Path) -> Path:
    """Make a practice folder: starters, notebooks, data, checks and how to run them.

    It stands in full or not at all. Raises `WorkbookError` if anything of this
    name is there already: work is never written over.
    """
    import tempfile  # not paid for by those who only look for a folder

    folder = folder.absolute()
    if os.path.lexists(folder):
        raise WorkbookError(
            f"{folder} is there already, and a practice folder never replaces anything. "
            "Choose another name: coursekit practice practice-2"
        )
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.") as workshop:
        fresh = Path(workshop) / folder.name
        fresh.mkdir()
        _fill(fresh)
        # Renaming is one step; a folder that came up meanwhile makes it fail if not empty.
        fresh.rename(folder)
    return folder


def find(given: Path | None = None) -> Path:
    """The practice folder that is meant, as an absolute path.

    `given`, if it is one; else the one that you stand in, at any depth; else
    `practice` beside you. Raises `WorkbookError` saying how to make one.
    """
    if given is not None:
        if not given.is_dir():
            raise WorkbookError(f"There is no folder {given}. Make one: coursekit practice {given}")
        if not is_practice(given):
            raise WorkbookError(
                f"{given} is no practice folder: neither {' nor '.join(MODULES)} is there."
            )
        return given.absolute()
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / progress.FILE).is_file():
            return folder
    if is_practice(here / DEFAULT):
        return here / DEFAULT
    raise WorkbookError(
        "There is no practice folder here. Make one: coursekit practice. Or name yours: --dir DIR."
    )


def find_or_name(given: Path | None = None) -> Path:
    """The folder to open, which need not be there yet: `given`, else the one that `find`
    finds, else `practice` beside you.
    """
    if given is not None:
        return given.absolute()
    try:
        return find()
    except WorkbookError:
        return Path(DEFAULT).absolute()


def is_practice(folder: Path) -> bool:
    """Whether a folder holds answers or a progress file."""
    return any((folder / name).is_file() for name in (progress.FILE, *MODULES))


def _fill(folder: Path) -> None:
    import shutil

    for name, source in (given.starters() | given.course_files()).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        # copyfile leaves permissions behind: an installed wheel's files may be read-only.
        shutil.copyfile(source, path)
    fresh = progress.Progress(folder)
    given.note(fresh)
    fresh.save()
