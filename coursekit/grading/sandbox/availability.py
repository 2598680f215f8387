"""Which isolation this computer offers, and what to do where it offers none."""

import os
import shutil
import sys

from coursekit.check.coursekit_error import CoursekitError
from coursekit.course import COURSE
from coursekit.grading.sandbox.limits import Limits
from coursekit.grading.sandbox.walls import Isolation, Walls, WallsError
from coursekit.workbook.doctor import Requirement

WEAKER = (
    "Without bubblewrap a submission can read and change this computer. In a container "
    "that forbids namespaces, as root, --isolation process is there: it is weaker."
)


def choose(option: str) -> Isolation:
    """The isolation for `auto`, `bwrap` or `process`; `CoursekitError` if it isn't there."""
    if option == "process":
        if os.geteuid() != 0:
            raise CoursekitError(
                "--isolation process runs answers as another user, which only root can do. "
                "Install bubblewrap and leave the option out."
            )
        return "process"
    problem = _missing()
    if problem:
        raise CoursekitError(f"{problem} {WEAKER}")
    return "bwrap"


def examine() -> Requirement:
    """For the doctor: which isolation works here, and what it leaves open."""
    problem = _without_bwrap()
    if not problem:
        text = (
            "grading: bubblewrap works; answers see no file, network or process of this "
            "computer; a hole in the Linux kernel stays open to them"
        )
        return Requirement("isolation", "good", text)
    text = f"grading: {problem}"
    if sys.platform.startswith("linux") and os.geteuid() == 0:
        text += (
            " --isolation process is left, as another user: answers can then read this "
            "computer's files and use its network"
        )
    return Requirement("isolation", "optional", text)


def _missing() -> str:
    """What bubblewrap lacks here, in a sentence; empty if it is there."""
    if not sys.platform.startswith("linux"):
        return "bubblewrap needs Linux."
    if shutil.which("bwrap") is None:
        return "bubblewrap is not installed: apt install bubblewrap (or dnf, pacman)."
    return ""


def _without_bwrap() -> str:
    """Why bubblewrap can't be used here, in a sentence; empty if it can."""
    if problem := _missing():
        return problem
    try:
        with Walls("bwrap", Limits(), COURSE.observations):
            return ""
    except WallsError as problem:
        return f"bubblewrap does not work here: {problem}."
