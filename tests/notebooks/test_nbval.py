"""Run in a practice folder, the notebooks distinguish finished answers from missing ones."""

import shutil
import sys
from pathlib import Path

import pytest

from tests.notebooks.stored_notebooks import Failures, is_check, stored

NOISE = """

def _noisy(function):
    import functools, logging, sys, warnings

    @functools.wraps(function)
    def wrapped(*args, **kwargs):
        print("called with", id(args))
        print("and once more", file=sys.stderr)
        warnings.warn("a warning from the answer")
        logging.getLogger("answer").warning("a log line")
        return function(*args, **kwargs)

    return wrapped


print("loaded", __name__, id(object()))
"""


@pytest.mark.gate
@pytest.mark.dot
def test_with_the_reference_every_cell_passes_and_again_without_the_systems_dot(
    finished: Path, nbval_failures: Failures
) -> None:
    assert nbval_failures(finished) == set()
    python_alone = str(Path(sys.executable).parent)
    assert shutil.which("dot", path=python_alone) is None
    assert nbval_failures(finished, python_alone) == set()


def test_with_the_starters_exactly_the_check_cells_fail(
    untouched: Path, nbval_failures: Failures
) -> None:
    checks = {
        (each.name, at) for each in stored() for at, cell in enumerate(each.code) if is_check(cell)
    }
    assert nbval_failures(untouched) == checks


@pytest.mark.gate
def test_what_answers_print_and_warn_changes_nothing(
    finished: Path, nbval_failures: Failures
) -> None:
    # Every lab's function calls one of these; a flood of output would end the process.
    for module in ("session.py", "context.py"):
        with (finished / module).open("a", encoding="utf-8") as file:
            file.write(NOISE)
            file.write("parse_session_entry = _noisy(parse_session_entry)\n")
    assert nbval_failures(finished) == set()
