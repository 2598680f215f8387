"""What is shown inside: Python and its libraries, and nothing of the course."""

import ast
import sysconfig
from pathlib import Path

import pytest

from coursekit.course import COURSE
from coursekit.grading.sandbox import runtime


def test_nothing_of_the_course_is_shown() -> None:
    shown = [source for source, _ in runtime.binds()]
    assert not [path for path in shown if "coursekit" in Path(path).name]
    package = Path(runtime.__file__).parent.parent
    assert not [path for path in shown if package.is_relative_to(path) and path not in ("/lib",)]
    assert {"ipykernel", "zmq", "IPython"} <= set(runtime.packages())
    assert not {"coursekit", "nbval", "pytest", "jupyterlab", "debugpy"} & set(runtime.packages())


def test_libraries_among_the_system_s_are_shown_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a distribution's own Python has them: a bind within a read-only one would fail."""
    folder = next(each.parent for each in Path("/usr/lib").rglob("*.so") if each.is_file())
    monkeypatch.setattr(sysconfig, "get_config_var", lambda _: str(folder))
    files = [Path(source) for source, _ in runtime.binds() if Path(source).is_file()]
    assert not [each for each in files if each.is_relative_to("/usr/lib")]


def test_programs_inside_hold_no_answers() -> None:
    """Of coursekit they import what observes alone, which is there beside them."""
    programs = runtime.programs(COURSE.observations)
    for program in programs.values():
        for node in ast.walk(ast.parse(as_run(program.read_text(encoding="utf-8")))):
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("coursekit"):
                assert node.module in ("coursekit.check.observing", "coursekit.check.protocol")
    assert not [name for name in programs if "coursekit" in name]


def as_run(source: str) -> str:
    """A program without what only a type checker reads."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = [ast.Pass()]
    return ast.unparse(tree)
