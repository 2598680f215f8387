"""Starters: the finished answers with the labs' bodies taken out."""

import ast
import io

from coursekit.check.course import Course

_LAB_NOT_DONE = '''

class LabNotDone(NotImplementedError):
    """Raised where a lab is still to be written; the message names the lab."""
'''


def make_starter(course: Course, module: str) -> str:
    """The starter of a module (`context.py`) of finished answers, as text.

    Each exercise's function keeps its signature and docstring and raises `LabNotDone`, which
    the first module defines. What is imported from the reference comes from the starters.
    """
    reference = course.reference_source(module).read_text(encoding="utf-8")
    labels = stub_labels(course)
    lines = list(io.StringIO(reference))  # split on \n alone, as ast counts lines
    defines = course.stubs_after if module == course.modules[0] else None
    # From the end to the start, so that the line numbers before an edit stay right.
    for node in reversed(ast.parse(reference).body):
        if isinstance(node, ast.FunctionDef) and node.name in labels:
            docstring = node.body[0]
            lines[docstring.end_lineno : node.end_lineno] = [
                f'    raise LabNotDone("{labels[node.name]}: {node.name} is not written yet")\n',
            ]
        elif isinstance(node, ast.ImportFrom) and str(node.module).startswith(course.reference):
            _import_from_starters(course, lines, node)
        elif isinstance(node, ast.ClassDef) and node.name == defines:
            lines[node.end_lineno : node.end_lineno] = _LAB_NOT_DONE.splitlines(keepends=True)
    return "".join(lines)


def stub_labels(course: Course) -> dict[str, str]:
    """How a stub calls its exercise, by function name."""
    labels = {lab.function: f"Lab {lab.id}" for lab in course.labs}
    if course.transfer is not None:
        labels[course.transfer.function] = "The transfer exercise"
    return labels


def write_starters(course: Course) -> None:
    """Write the starters of a course anew."""
    for module in course.modules:
        (course.starters / module).write_text(make_starter(course, module), encoding="utf-8")


def _import_from_starters(course: Course, lines: list[str], node: ast.ImportFrom) -> None:
    """Import from the learner's module; from the first, `LabNotDone` among the sorted names."""
    own = str(node.module).removeprefix(f"{course.reference}.")
    if f"{own}.py" == course.modules[0]:
        before = [alias for alias in node.names if alias.name < "LabNotDone"]
        if node.end_lineno == node.lineno:
            names = [ast.unparse(alias) for alias in node.names]
            names.insert(len(before), "LabNotDone")
            lines[node.lineno - 1] = f"from {own} import {', '.join(names)}\n"
            return
        lines.insert(before[-1].lineno if before else node.lineno, "    LabNotDone,\n")
    lines[node.lineno - 1] = lines[node.lineno - 1].replace(str(node.module), own)
