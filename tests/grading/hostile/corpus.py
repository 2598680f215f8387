"""The corpus: hostile and broken submissions, each with what grading must make of it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from coursekit.course import COURSE
from tests.solutions.answers import right_file

Build: TypeAlias = Callable[[Path], None]
"""Makes the submission at a path: a folder, or a file there."""


@dataclass(frozen=True)
class Hostile:
    """A submission, and the status and number of passed checks that it must get.

    `quick` ones run in every test run, the others in the gate.
    """

    name: str
    build: Build
    status: str
    total: int
    quick: bool = False

    @property
    def is_zip(self) -> bool:
        """Whether it is handed in as a zip."""
        return self.name.startswith("zip")


CORPUS: list[Hostile] = []


def add(name: str, build: Build, status: str, total: int, *, quick: bool = False) -> None:
    """Take a submission in."""
    assert name not in {each.name for each in CORPUS}
    CORPUS.append(Hostile(name, build, status, total, quick))


def starter(module: str) -> str:
    """A starter's text."""
    return (COURSE.starters / module).read_text(encoding="utf-8")


def right(session: str = "", context: str = "", **files: str) -> Build:
    """Right answers with something at the end of each file, and other files beside them."""
    return written(
        right_file("session.py") + session,
        right_file("context.py") + context,
        files,
    )


def unwritten(session: str = "", context: str = "", **files: str) -> Build:
    """The starters, nothing written, with something at the end of each file."""
    return written(starter("session.py") + session, starter("context.py") + context, files)


def written(session: str, context: str, files: dict[str, str] | None = None) -> Build:
    """These two files, and others by name; `__` in a keyword stands for a dot."""

    def build(place: Path) -> None:
        place.mkdir()
        (place / "session.py").write_text(session, encoding="utf-8")
        (place / "context.py").write_text(context, encoding="utf-8")
        for name, text in (files or {}).items():
            path = place / name.replace("__", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    return build


def grouping(body: str) -> str:
    """A `group_interactions` in place of the right one: labs 11.2 to 11.5 need it."""
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    return f"\n\ndef group_interactions(entries):\n{lines}"


KEEP = "\n\n_right_groups = group_interactions\n"
"""Keeps the right function for one that does something beside it."""


def beside(body: str) -> str:
    """A `group_interactions` that does something, then what is right."""
    return KEEP + grouping(f"{body.strip()}\nreturn _right_groups(entries)")


def all_functions(body: str) -> tuple[str, str]:
    """All five functions with one body, for `session.py` and `context.py`."""
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    session = f"\n\ndef parse_compaction(*a, **k):\n{lines}"
    context = "".join(
        f"\n\ndef {name}(*a, **k):\n{lines}"
        for name in ("group_interactions", "build_context", "create_compaction_entry", "restore")
    )
    return session, context
