"""What the course asks for, and one lab, on a page of 80 columns."""

import re
import textwrap
from collections.abc import Iterable

from coursekit.check.course import Course, Lab
from coursekit.workbook.shown_text import WIDTH

_INDENT = " " * 4


def course_text(course: Course) -> str:
    """Goal, files, start and end, first red light, commands, evidence."""
    checkpoint = course.checkpoint
    return "\n\n".join(
        [
            f"Checkpoint: {checkpoint.title}",
            _part("Goal", [checkpoint.goal]),
            _part("Before you begin", [checkpoint.before]),
            _part("Files", [", ".join(checkpoint.files)]),
            _part("Start", [checkpoint.start]),
            _part("End", [checkpoint.end]),
            _part("First step", [checkpoint.first_step]),
            _part("First red light", [checkpoint.first_red]),
            _part("Commands", checkpoint.commands),
            _part("Evidence", [checkpoint.evidence]),
            _part("Labs", [f"{lab.id}  {lab.title}" for lab in course.exercises]),
        ]
    )


def lab_text(lab: Lab) -> str:
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


def _part(head: str, lines: Iterable[str]) -> str:
    parts = []
    for line in lines:
        number = re.match(r"\d+\. ", line)
        below = _INDENT + " " * len(number[0] if number else "")
        parts.append(textwrap.fill(line, WIDTH, initial_indent=_INDENT, subsequent_indent=below))
    return "\n".join([head, *parts])
