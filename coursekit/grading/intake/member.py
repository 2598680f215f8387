"""Members: the files of a source, each with its path and a way to read it."""

from dataclasses import dataclass, field
from typing import Protocol

from coursekit.grading.regular_file import Unreadable

NOT_ENTERED = {
    ".git": "git's own records, never read",
    ".hg": "Mercurial's own records",
    ".svn": "Subversion's own records",
    ".venv": "an environment, not an answer",
    "venv": "an environment, not an answer",
    "node_modules": "an environment, not an answer",
    "__pycache__": "Python's own records",
    ".ipynb_checkpoints": "Jupyter's own records",
    "__MACOSX": "macOS's own records",
}
"""Folders that hold no answers: not entered, each with the reason."""

MARKS_ENVIRONMENT = "pyvenv.cfg"
"""A file that stands at the top of an environment of Python."""


class Reader(Protocol):
    """What a member's bytes come from."""

    def read(self, limit: int) -> bytes:
        """The bytes. Raises `Unreadable`, for more than `limit` of them too."""


@dataclass(frozen=True)
class Member:
    """A file of a source, or a folder, which matters where it is empty.

    `refusal` says why it is not read and `aside` why it is no answer, where that is so.
    `count` is how many files it stands for: a folder that is not entered may be many.
    """

    path: tuple[str, ...]
    reader: Reader | None = field(default=None, repr=False, compare=False)
    refusal: str = ""
    aside: str = ""
    outside: bool = False
    is_folder: bool = False
    count: int = 1

    @property
    def shown(self) -> str:
        """The path as text."""
        return "/".join(self.path)

    def read(self, limit: int) -> bytes:
        """The bytes. Raises `Unreadable` with the reason when they can't be had."""
        if self.refusal or self.reader is None:
            raise Unreadable(self.refusal or "is no file")
        return self.reader.read(limit)
