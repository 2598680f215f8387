"""Practice folders: making one, and finding the one that is meant."""

import os
from pathlib import Path

from coursekit.check.course import Course
from coursekit.check.coursekit_error import CoursekitError
from coursekit.course import COURSE
from coursekit.workbook.course_files import course_files, note_files, starters
from coursekit.workbook.progress import FILE, Progress

DEFAULT = "practice"


class NoPracticeFolder(CoursekitError):
    """There is no practice folder where one is looked for."""


def make(course: Course, folder: Path) -> Path:
    """Make a practice folder: starters, notebooks, data, checks and how to run them.

    It stands in full or not at all. Raises `CoursekitError` if anything of this
    name is there already: work is never written over.
    """
    import tempfile  # not paid for by those who only look for a folder

    folder = folder.absolute()
    if os.path.lexists(folder):
        raise CoursekitError(
            f"{folder} is there already, and a practice folder never replaces anything. "
            "Choose another name: coursekit practice practice-2"
        )
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.") as workshop:
        fresh = Path(workshop) / folder.name
        fresh.mkdir()
        _fill(course, fresh)
        # Renaming is one step; a folder that came up meanwhile makes it fail if not empty.
        fresh.rename(folder)
    return folder


def find(named: Path | None = None) -> Path:
    """The practice folder that is meant, as an absolute path.

    `named`, if it is one; else the one that you stand in, at any depth; else
    `practice` beside you. Raises `CoursekitError` saying how to make one.
    """
    if named is not None:
        if not named.is_dir():
            raise NoPracticeFolder(
                f"There is no folder {named}. Make one: coursekit practice {named}"
            )
        if not is_practice(named):
            raise NoPracticeFolder(
                f"{named} is no practice folder: neither {' nor '.join(COURSE.modules)} is there."
            )
        return named.absolute()
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / FILE).is_file():
            return folder
    if is_practice(here / DEFAULT):
        return here / DEFAULT
    raise NoPracticeFolder(
        "There is no practice folder here. Make one: coursekit practice. Or name yours: --dir DIR."
    )


def find_or_name(named: Path | None = None) -> Path:
    """The folder to open, which need not be there yet: `named`, else the one that `find`
    finds, else `practice` beside you.
    """
    if named is not None:
        return named.absolute()
    try:
        return find()
    except CoursekitError:
        return Path(DEFAULT).absolute()


def is_practice(folder: Path) -> bool:
    """Whether a folder holds answers or a progress file."""
    return any((folder / name).is_file() for name in (FILE, *COURSE.modules))


def _fill(course: Course, folder: Path) -> None:
    import shutil

    for name, source in (starters(course) | course_files(course)).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        # copyfile leaves permissions behind: an installed wheel's files may be read-only.
        shutil.copyfile(source, path)
    fresh = Progress(folder)
    if not course.is_built_in:
        fresh.mark_course(course.folder)
    note_files(course, fresh)
    fresh.save()
