"""The errors of pi: one tree, drawn where it is defined."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import coursekit.context
from coursekit.pi import CompactionError, SummaryError, errors

_ROOM = Path(errors.__file__).parent


def test_the_tree_that_is_drawn_is_the_tree_that_is() -> None:
    drawn: dict[str, str] = {}
    above: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        match = re.match(r"([ │├└─]*)(\w+Error)\b", line)
        if match:
            depth = len(match[1]) // 4
            del above[depth:]
            if above:
                drawn[match[2]] = above[-1]
            above.append(match[2])
    classes = {
        name: value
        for name, value in vars(errors).items()
        if inspect.isclass(value) and issubclass(value, Exception) and value.__name__ == name
    }
    assert drawn == {name: value.__bases__[0].__name__ for name, value in classes.items()}


def test_no_error_is_defined_elsewhere() -> None:
    for path in _ROOM.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.ClassDef) and path.name != "errors.py":
                bases = {ast.unparse(base) for base in node.bases}
                assert not {base for base in bases if base.endswith(("Error", "Exception"))}, path


def test_the_first_name_of_a_summary_error_still_catches_it() -> None:
    assert CompactionError is SummaryError
    assert not issubclass(SummaryError, coursekit.context.CompactionError)
    error = SummaryError("history", "blank", "is blank")
    assert (error.kind, error.reason) == ("history", "blank")
    assert str(error) == "Summary of the history is blank; the session was not changed"


def test_a_malformed_value_is_an_error_that_names_the_field() -> None:
    missing = errors.malformed("this can't be counted", KeyError("name"))
    assert str(missing) == "this can't be counted: field 'name' is missing"
    assert str(errors.malformed("not this", TypeError("odd"))) == "not this: odd"


def test_a_long_cycle_is_shown_by_its_beginning() -> None:
    error = errors.CycleError([f"e{number}" for number in range(20)])
    assert len(error.ids) == 20
    assert "e7 -> ... (20 entries) -> e0" in str(error)
    assert "e8" not in str(error)
