"""A practice folder of the tiny course, and the binary to run in it."""

import subprocess
import sys
from pathlib import Path
from typing import Protocol

import pytest

from coursekit.check.course import Course, load_course

TINY = Path(__file__).parents[1] / "tiny_course"


class Run(Protocol):
    """Runs `coursekit …` in a folder."""

    def __call__(self, *words: object, cwd: Path = ...) -> subprocess.CompletedProcess[str]:
        """The process, which has ended."""
        ...


@pytest.fixture(scope="session")
def course() -> Course:
    return load_course(TINY)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def run(*words: object, cwd: Path = tmp_path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "coursekit.cli", *map(str, words)]
        return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120)

    return run


@pytest.fixture
def folder(run: Run, tmp_path: Path) -> Path:
    """A new practice folder."""
    made = run("practice", "mine", "--course", TINY)
    assert made.returncode == 0, made.stderr
    return tmp_path / "mine"
