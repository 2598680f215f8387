"""Which course a practice folder is of: the built-in one, or one that its progress file names."""

from pathlib import Path

from coursekit.check.course import Course, load_course
from coursekit.check.coursekit_error import CoursekitError
from coursekit.course import COURSE
from coursekit.workbook import practice
from coursekit.workbook.practice import NoPracticeFolder
from coursekit.workbook.progress import Progress


def course_of(folder: Path) -> Course:
    """The course that a practice folder was made from.

    Raises `CoursekitError` if it is one that is no longer where it was. A progress file
    that can't be read names none: checks run and JupyterLab opens all the same, and what
    needs the rest of the file says what is wrong with it.
    """
    try:
        named = Progress(folder).course
    except (CoursekitError, OSError):
        named = None
    return COURSE if named is None else load_course(Path(named))


def course_at(folder: Path | None) -> Course:
    """The course whose package lies in `folder`, by default the built-in one."""
    return COURSE if folder is None else load_course(folder)


def course_here() -> Course:
    """The course of the practice folder that one stands in; outside of any, the built-in one."""
    try:
        return course_of(practice.find())
    except NoPracticeFolder:
        return COURSE
