"""Practice folders to run notebooks in, and what fails there."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from coursekit.course import COURSE
from coursekit.workbook import answer_files, practice
from tests.notebooks.stored_notebooks import Failures, stored


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "notebook" in metafunc.fixturenames:
        found = stored()
        metafunc.parametrize("notebook", found, ids=[each.name for each in found])


@pytest.fixture
def untouched(tmp_path: Path) -> Path:
    return practice.make(COURSE, tmp_path / "practice")


@pytest.fixture
def finished(untouched: Path) -> Path:
    for lab in COURSE.exercises:
        answer_files.reveal(COURSE, untouched, lab)
    return untouched


@pytest.fixture(scope="session")
def nbval_failures() -> Failures:
    """Runs `pytest --nbval *.ipynb` in a practice folder, as its README says.

    Gives the cells that failed: notebook, and place among its code cells. `path` is the
    PATH to run with, in place of this process's.
    """

    def run(folder: Path, path: str | None = None) -> set[tuple[str, int]]:
        names = sorted(path.name for path in folder.glob("*.ipynb"))
        options = ["-rA", "-q", "--tb=no", "-p", "no:cacheprovider"]
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "--nbval", *names, *options],
            cwd=folder,
            env=os.environ if path is None else {**os.environ, "PATH": path},
            capture_output=True,
            text=True,
        )
        assert done.returncode in (0, 1), done.stdout + done.stderr
        ended = re.findall(r"^(PASSED|FAILED|ERROR) (\S+?)::.*?Cell (\d+)", done.stdout, re.M)
        ran = {(name, int(number)) for _, name, number in ended}
        assert ran == {(each.name, at) for each in stored() for at in range(len(each.code))}
        return {(name, int(number)) for how, name, number in ended if how != "PASSED"}

    return run
