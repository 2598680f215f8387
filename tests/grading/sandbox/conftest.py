"""Walls that stand for the tests of a module, and a kernel behind them."""

from collections.abc import Iterator

import pytest

from coursekit.course import COURSE
from coursekit.grading.sandbox.kernel_handle import KernelHandle
from coursekit.grading.sandbox.limits import Limits
from coursekit.grading.sandbox.walls import Walls


@pytest.fixture(scope="module")
def raised() -> Iterator[Walls]:
    with Walls("bwrap", Limits(), COURSE.observations) as each:
        yield each


@pytest.fixture
def kernel(raised: Walls) -> Iterator[KernelHandle]:
    each = raised.kernel({"session.py": b"", "context.py": b""})
    yield each
    each.kill()
