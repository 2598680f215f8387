"""Text for 80 columns: the checkpoint card of the course, and of one lab."""

import re
import textwrap
from collections.abc import Iterable

from coursekit.workbook import manifest
from coursekit.workbook.manifest import Lab

WIDTH = 80
_INDENT = " " * 4


class Told:
    """Text that a notebook cell shows as it is."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def course_card() -> str:
    """Goal, files, start and end, first red light, commands, evidence."""
    card = manifest.checkpoint()
    return "\n\n".join(
        [
            f"Checkpoint: {card.title}",
            _part("Goal", [card.goal]),
            _part("Before you begin", [card.before]),
            _part("Files", [", ".join(card.files)]),
            _part("Start", [card.start]),
            _part("End", [card.end]),
            _part("First step", [card.first_step]),
            _part("First red light", [card.first_red]),
            _part("Commands", card.commands),
            _part("Evidence", [card.evidence]),
            _part("Labs", [f"{lab.id}  {lab.title}" for lab in manifest.exercises()]),
        ]
    )


def lab_card(lab: Lab) -> str:
    """One lab's goal, place, steps, checks, command and evidence."""
    parts = [
        f"Lab {lab.id}: {lab.title}" if lab.checks else f"{lab.id}: {lab.title}",
        _part("Goal", [lab.goal]),
        _part("Write", [f"{lab.function} in {lab.module}; its notebook is {lab.notebook}"]),
        _part("Steps", [f"{i}. {step}" for i, step in enumerate(lab.steps, start=1)]),
    ]
    if lab.checks:
        parts.append(_part("Checks", [f"{check.name}  {check.title}" for check in lab.checks]))
        parts.append(_part("Run", [f"coursekit check {lab.id}"]))
    parts.append(_part("Evidence", [lab.evidence]))
    return "\n\n".join(parts)


def wrapped(text: str) -> str:
    """Paragraphs broken into lines of at most 80 characters."""
    return "\n\n".join(textwrap.fill(part, WIDTH) for part in text.split("\n\n"))


def _part(head: str, lines: Iterable[str]) -> str:
    told = []
    for line in lines:
        number = re.match(r"\d+\. ", line)
        below = _INDENT + " " * len(number[0] if number else "")
        told.append(textwrap.fill(line, WIDTH, initial_indent=_INDENT, subsequent_indent=below))
    return "\n".join([head, *told])
