"""The labs as `labs.toml` describes them: the one place that names them all."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from coursekit.workbook.errors import WorkbookError


@dataclass(frozen=True)
class Check:
    """One of the 14: its name (`11.2/1`) and what it asks, as a clause."""

    name: str
    title: str


@dataclass(frozen=True)
class Lab:
    """A function to write: where it stands, how it is checked, what helps.

    `module` is the file to write in; `builds_on` are the ids of the labs without which
    its checks can't pass. `steps` are short forms of those in the function's docstring;
    `hints` go from a question, to the rule, to a sketch in words. The transfer exercise
    is a `Lab` without checks.
    """

    id: str
    title: str
    goal: str
    module: str
    function: str
    builds_on: tuple[str, ...]
    notebook: str
    steps: tuple[str, ...]
    hints: tuple[str, ...]
    evidence: str
    checks: tuple[Check, ...]


@dataclass(frozen=True)
class Checkpoint:
    """The card of the whole course."""

    title: str
    goal: str
    before: str
    files: tuple[str, ...]
    start: str
    end: str
    first_step: str
    first_red: str
    commands: tuple[str, ...]
    evidence: str


def labs() -> tuple[Lab, ...]:
    """The five labs, in order."""
    return tuple(_lab(table) for table in _read()["lab"])


def transfer() -> Lab:
    """The optional transfer exercise, outside the 14 checks."""
    return _lab(_read()["transfer"])


def exercises() -> tuple[Lab, ...]:
    """The five labs, then the transfer exercise: every function that a starter leaves open."""
    return (*labs(), transfer())


def checkpoint() -> Checkpoint:
    """The card of the whole course."""
    table = dict(_read()["checkpoint"])
    table["files"] = tuple(table["files"])
    table["commands"] = tuple(table["commands"])
    return Checkpoint(**_stripped(table))


def find(lab_id: str, among: Iterable[Lab] | None = None) -> Lab:
    """The lab of this id, of all exercises or of those given.

    Raises `WorkbookError` listing the ids that would do.
    """
    known = tuple(exercises() if among is None else among)
    for lab in known:
        if lab.id == lab_id:
            return lab
    if lab_id == transfer().id:
        raise WorkbookError(
            f"The {lab_id} has no checks; its notebook {transfer().notebook} compares."
        )
    raise WorkbookError(
        f"There is no lab {lab_id!r} here. Choose from {', '.join(lab.id for lab in known)}."
    )


def choose(lab_ids: Iterable[str]) -> tuple[Lab, ...]:
    """The labs of these ids, each once, in the order asked; all five when there are none.

    Raises `WorkbookError` as `find` does.
    """
    known = labs()
    return tuple(find(lab_id, known) for lab_id in dict.fromkeys(lab_ids)) or known


def lab_of(check: str) -> Lab:
    """The lab of a check, by the check's name (`11.2/1`)."""
    return find(check.partition("/")[0])


def labels() -> dict[str, str]:
    """How a stub calls its exercise, by function name."""
    named = {lab.function: f"Lab {lab.id}" for lab in labs()}
    return named | {transfer().function: "The transfer exercise"}


@cache
def _read() -> dict[str, Any]:
    text = (Path(__file__).parent / "labs.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _lab(table: Mapping[str, Any]) -> Lab:
    fields = dict(table)
    fields["builds_on"] = tuple(fields.get("builds_on", ()))
    fields["steps"] = tuple(fields["steps"])
    fields["hints"] = tuple(fields["hints"])
    fields["checks"] = tuple(Check(**each) for each in fields.get("checks", ()))
    return Lab(**_stripped(fields))


def _stripped(fields: dict[str, Any]) -> dict[str, Any]:
    return {key: each.strip() if isinstance(each, str) else each for key, each in fields.items()}
