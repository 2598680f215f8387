"""A run: what it counts as an answer's doing, and what it does not."""

import time
from pathlib import Path

import pytest

from coursekit.course import COURSE
from coursekit.grading import runner
from coursekit.grading.comparison.pool import WorkerPool
from coursekit.grading.graded_notebook import document, plan
from coursekit.grading.runner import StationResult
from coursekit.grading.sandbox.limits import Limits
from coursekit.grading.sandbox.walls import Walls
from tests.solutions.answers import right_file

pytestmark = pytest.mark.bwrap

ANSWERS = {name: right_file(name).encode() for name in ("session.py", "context.py")}


def test_results_that_are_there_are_taken_however_late_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When this process gets no time for a while, the answers are not to blame."""
    monkeypatch.setattr(runner, "_NBVAL_SECONDS", 0.0)
    stations, limits = plan(COURSE, 5), Limits()
    notebook = tmp_path / "all.ipynb"
    notebook.write_text(document(stations))
    with Walls("bwrap", limits, COURSE.observations) as walls, WorkerPool(limits) as workers:
        kernel = walls.kernel(ANSWERS)
        worker = workers.start(notebook, kernel, [])
        try:
            seen: dict[str, StationResult] = {}
            over = time.monotonic() + limits.seconds
            watch = runner._Watch(worker, kernel, stations, limits.check_seconds, limits, over)
            time.sleep(2 * limits.check_seconds)
            assert watch.watch(seen) is None
        finally:
            worker.kill()
            kernel.kill()
    assert all(all(each.verdicts) for each in seen.values())
