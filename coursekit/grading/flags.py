"""Flags, lab by lab: code that is the reference's, or a classmate's, but for names and layout."""

import ast
import threading
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from coursekit.grading import clean
from coursekit.grading.fingerprint import fingerprints
from coursekit.workbook import content, manifest
from coursekit.workbook.stubs import MODULES

_NAMES_SHOWN = 3


def request(answers: Mapping[str, bytes]) -> list[dict[str, Any]]:
    """What to ask a throw-away process about a submission's code."""
    return [
        {"source": answers[module].decode("latin-1"), "functions": functions, "given": given}
        for module, (functions, given) in _asked().items()
        if module in answers
    ]


def request_files(folder: Path, answers: Mapping[str, bytes]) -> list[dict[str, Any]]:
    """The same for code that lies in a folder."""
    return [
        {"file": str(folder / module), "functions": functions, "given": given}
        for module, (functions, given) in _asked().items()
        if module in answers
    ]


@cache
def reference() -> dict[str, str]:
    """The reference's digests, by function."""
    found: dict[str, str] = {}
    for module, (functions, given) in _asked().items():
        found |= fingerprints(content.reference(module).read_bytes(), functions, given)
    return found


def flags(digests: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
    """From each student's digests to flags: per student, by lab, in words."""
    ours = reference()
    told: dict[str, dict[str, str]] = {student: {} for student in digests}
    for lab in manifest.labs():
        alike: defaultdict[str, list[str]] = defaultdict(list)
        for student, found in digests.items():
            if lab.function in found:
                alike[found[lab.function]].append(student)
        for digest, students in alike.items():
            for student in students:
                others = [each for each in students if each != student]
                if digest == ours.get(lab.function):
                    told[student][lab.id] = "as the reference"
                elif others:
                    told[student][lab.id] = f"as {_named(others)}"
    return told


def in_one_line(told: Mapping[str, str]) -> str:
    """A student's flags for a table."""
    return "; ".join(f"{lab} {flag}" for lab, flag in told.items())


def _named(students: Sequence[str]) -> str:
    names = ", ".join(clean.line(each, 60) for each in sorted(students)[:_NAMES_SHOWN])
    more = len(students) - _NAMES_SHOWN
    return f"{names} and {more} more" if more > 0 else names


def _asked() -> dict[str, tuple[list[str], list[str]]]:
    # Submissions are graded in threads, and two of them in `ast.parse` at a time make
    # Python 3.11 fail (SystemError: AST constructor recursion depth mismatch).
    with _PARSING:
        return _read_starters()


_PARSING = threading.Lock()


@cache
def _read_starters() -> dict[str, tuple[list[str], list[str]]]:
    """For each module, the labs' functions in it and the top-level names of its starter."""
    asked = {}
    for module in MODULES:
        functions = [lab.function for lab in manifest.labs() if lab.module == module]
        starter = ast.parse((content.starters() / module).read_bytes())
        given = [
            node.name for node in starter.body if isinstance(node, ast.FunctionDef | ast.ClassDef)
        ]
        asked[module] = (functions, given)
    return asked
