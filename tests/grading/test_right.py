"""Right answers in every style get all 14 from grading, at many variants."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from coursekit.course import COURSE
from coursekit.grading.comparison.pool import WorkerPool
from coursekit.grading.graded_notebook import plan
from coursekit.grading.runner import Runner
from coursekit.grading.sandbox.limits import Limits
from coursekit.grading.sandbox.walls import Walls
from coursekit.grading.verdict import judge_run, status
from tests.solutions.answers import STYLES, in_style

pytestmark = [pytest.mark.bwrap, pytest.mark.gate]

VARIANTS = [0, 1, *range(20_000, 20_018)]


@pytest.fixture(scope="module")
def tools() -> Iterator[tuple[Walls, WorkerPool]]:
    with Walls("bwrap", Limits(), COURSE.observations) as walls, WorkerPool(Limits()) as workers:
        yield walls, workers


def answers(style: str) -> dict[str, bytes]:
    """A style's answers as they are handed in."""
    return {module: in_style(style).text(module).encode() for module in COURSE.modules}


@pytest.mark.parametrize("variant", VARIANTS)
def test_right_answers_get_all(
    variant: int, tools: tuple[Walls, WorkerPool], tmp_path: Path
) -> None:
    stations = plan(COURSE, variant)
    runner = Runner(COURSE, stations, *tools, tmp_path)
    with ThreadPoolExecutor(2) as pool:
        runs = pool.map(lambda style: runner.run(answers(style)).stations, STYLES)
        for style, seen in zip(STYLES, runs, strict=True):
            failed = [
                f"{style} {each.check}: {each.message}"
                for each in judge_run(COURSE, stations, seen, show_expected=True)
                if not each.passed
            ]
            assert not failed, failed[0]
            assert status(stations, seen) == "ok"
