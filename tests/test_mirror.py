"""The tests mirror the house: each module has its test file, or a folder, at its own place."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "coursekit"

ELSEWHERE = {
    "check/coursekit_error.py": "an exception without a word of code",
    "course/lab_11_2.py": "tests/course/test_cases.py",
    "course/lab_11_3.py": "tests/course/test_cases.py",
    "course/lab_11_4.py": "tests/course/test_cases.py",
    "course/lab_11_5.py": "tests/course/test_cases.py",
    "grading/intake/layouts/placement.py": "types without a word of code",
    "grading/sandbox/inside/kernel.py": "tests/grading/sandbox/test_walls.py, in a real sandbox",
    "grading/sandbox/inside/launcher.py": "tests/grading/sandbox/test_walls.py, in a real sandbox",
    "pi/agent/model.py": "a protocol without a word of code",
    "pi/agent/session_events.py": "types without a word of code",
}
"""Modules that are tested at another place, or hold nothing to test, and where or why."""

MODULES = sorted(
    path.relative_to(PACKAGE).as_posix()
    for path in PACKAGE.rglob("*.py")
    if not path.name.startswith("__") and "template" not in path.parts
)


@pytest.mark.parametrize("module", MODULES)
def test_each_module_has_its_tests_at_the_mirrored_place(module: str) -> None:
    place = ROOT / "tests" / module
    mirrored = place.with_name(f"test_{place.name}").is_file() or place.with_suffix("").is_dir()
    assert mirrored != (module in ELSEWHERE)


def test_no_module_is_excused_that_is_not_there() -> None:
    assert set(ELSEWHERE) <= set(MODULES)
