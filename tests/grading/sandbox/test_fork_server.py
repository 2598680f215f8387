"""Fork servers, the launcher's and the worker's."""

import pytest

from coursekit.course import COURSE
from coursekit.grading.comparison.pool import WorkerPool
from coursekit.grading.sandbox.limits import Limits
from coursekit.grading.sandbox.walls import Walls

bwrap = pytest.mark.bwrap


@bwrap
def test_a_warm_process_that_was_killed_is_started_anew() -> None:
    with Walls("bwrap", Limits(), COURSE.observations) as raised, WorkerPool(Limits()) as workers:
        for warm in (raised._launcher, workers._server):
            assert warm._process is not None
            warm._process.kill()
            warm._process.wait()
        raised.kernel({}).kill()
        assert workers.fingerprints([{"source": "", "functions": [], "starter_names": []}]) == {}
