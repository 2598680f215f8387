"""Flags, lab by lab: code that is the reference's, or a classmate's, but for names and layout."""

import ast
import threading
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TypeAlias

from coursekit.check.course import Course
from coursekit.grading.comparison.fingerprint import fingerprints
from coursekit.grading.comparison.wire import CodeQuery, FileQuery, SourceQuery
from coursekit.grading.reports import safe_text

_NAMES_SHOWN = 3


Flags: TypeAlias = Mapping[str, Mapping[str, str]]
"""For each student, by lab, whose code it is like, in words."""


def source_queries(course: Course, answers: Mapping[str, bytes]) -> list[SourceQuery]:
    """What to ask a throw-away process about a submission's code."""
    return [
        {**query, "source": answers[module].decode("latin-1")}
        for module, query in _queries(course).items()
        if module in answers
    ]


def file_queries(course: Course, folder: Path, answers: Mapping[str, bytes]) -> list[FileQuery]:
    """The same for code that lies in a folder."""
    return [
        {**query, "file": str(folder / module)}
        for module, query in _queries(course).items()
        if module in answers
    ]


@cache
def reference(course: Course) -> dict[str, str]:
    """The reference's digests, by function."""
    found: dict[str, str] = {}
    for module, query in _queries(course).items():
        source = course.reference_source(module).read_bytes()
        found |= fingerprints(source, query["functions"], query["starter_names"])
    return found


def find_flags(course: Course, digests: Mapping[str, Mapping[str, str]]) -> Flags:
    """The flags of a class from each student's digests."""
    ours = reference(course)
    flagged: dict[str, dict[str, str]] = {student: {} for student in digests}
    for lab in course.labs:
        alike: defaultdict[str, list[str]] = defaultdict(list)
        for student, found in digests.items():
            if lab.function in found:
                alike[found[lab.function]].append(student)
        for digest, students in alike.items():
            for student in students:
                others = [each for each in students if each != student]
                if digest == ours.get(lab.function):
                    flagged[student][lab.id] = "as the reference"
                elif others:
                    flagged[student][lab.id] = f"as {_named(others)}"
    return flagged


def in_one_line(flags: Mapping[str, str]) -> str:
    """A student's flags for a table."""
    return "; ".join(f"{lab} {flag}" for lab, flag in flags.items())


def _named(students: Sequence[str]) -> str:
    names = ", ".join(safe_text.line(each, 60) for each in sorted(students)[:_NAMES_SHOWN])
    more = len(students) - _NAMES_SHOWN
    return f"{names} and {more} more" if more > 0 else names


def _queries(course: Course) -> dict[str, CodeQuery]:
    # Submissions are graded in threads, and two of them in `ast.parse` at a time make
    # Python 3.11 fail (SystemError: AST constructor recursion depth mismatch).
    with _PARSING:
        return _read_starters(course)


_PARSING = threading.Lock()


@cache
def _read_starters(course: Course) -> dict[str, CodeQuery]:
    """For each module, the labs' functions in it and the top-level names of its starter."""
    queries: dict[str, CodeQuery] = {}
    for module in course.modules:
        functions = [lab.function for lab in course.labs if lab.module == module]
        starter = ast.parse((course.starters / module).read_bytes())
        starter_names = [
            node.name for node in starter.body if isinstance(node, ast.FunctionDef | ast.ClassDef)
        ]
        queries[module] = {"functions": functions, "starter_names": starter_names}
    return queries
