"""The runner of a submission: kernels and workers until each check has ended somehow.

A run has one budget of wall time. When a kernel ends, hangs, or takes too much, the
station under way is marked with that, and the others go on in a fresh kernel. Where
other checks ran in that kernel before, one of them may have left a timer or a thread
behind: then the station is first tried again, in a kernel in which none did.
"""

import hashlib
import select
import socket
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from coursekit.grading.comparison import similarity
from coursekit.grading.comparison.pool import ComparisonError, WorkerHandle, WorkerPool
from coursekit.grading.graded_notebook import Station, document, needs
from coursekit.grading.sandbox import memory
from coursekit.grading.sandbox.kernel_handle import KernelHandle
from coursekit.grading.sandbox.limits import Limits
from coursekit.grading.sandbox.walls import Walls, WallsError

ATTEMPTS = 3
"""How often a submission is tried when this machine is at fault."""

_TICK = 0.05  # seconds between two looks at memory
_NBVAL_SECONDS = 10.0  # until nbval has found the kernel
_GRACE = 0.5  # seconds that results may trail behind a kernel's end


EarlyEnd: TypeAlias = Literal["time", "memory", "exit", "output"]
"""How a station ends whose cells did not all run: which limit it met, or that Python ended."""


@dataclass
class StationResult:
    """What came of one station: nbval's verdict per cell, what was shown, how it ended.

    `refusals` is what refusals say, as it was shown. `ended` is None when all cells ran;
    `before` is the same of a first try. `while_loading` names the module whose import ended it.
    """

    verdicts: list[bool] = field(default_factory=list)
    observed: list[str | None] = field(default_factory=list)
    refusals: list[str | None] = field(default_factory=list)
    notes: list[str | None] = field(default_factory=list)
    printed: str = ""
    ended: EarlyEnd | None = None
    before: EarlyEnd | None = None
    while_loading: str | None = None


@dataclass(frozen=True)
class RunResult:
    """What came of a run: each station, by name, and the code's fingerprints if they came."""

    stations: dict[str, StationResult]
    fingerprints: dict[str, str] | None


class MachineFault(Exception):
    """This machine could not do a run; the submission has nothing to do with it."""


class Runner:
    """Runs submissions against one plan; may be used by several threads."""

    def __init__(
        self, stations: Sequence[Station], walls: Walls, workers: WorkerPool, folder: Path
    ) -> None:
        self._stations = list(stations)
        self._walls = walls
        self._workers = workers
        self._folder = folder
        self._writing = threading.Lock()

    def run(self, answers: Mapping[str, bytes]) -> RunResult:
        """What comes of each station; raises `MachineFault` after `ATTEMPTS` tries."""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return self._run(answers)
            except (WallsError, ComparisonError, OSError) as problem:
                if attempt == ATTEMPTS:
                    raise MachineFault(str(problem)) from problem
                time.sleep(0.5 * attempt)
        raise AssertionError

    def _run(self, answers: Mapping[str, bytes]) -> RunResult:
        limits = self._walls.limits
        budget = time.monotonic() + limits.seconds
        results: dict[str, StationResult] = {}
        fingerprints: dict[str, str] | None = None
        pending = self._stations
        allowed = limits.check_seconds
        while pending:
            kernel = self._walls.kernel(answers)
            try:
                notebook = self._notebook(pending)
                queries = similarity.file_queries(kernel.folder / "answers", answers)
                worker = self._workers.start(notebook, kernel, queries)
                try:
                    watch = _Watch(worker, kernel, pending, allowed, limits, budget)
                    ended = watch.watch(results)
                    if ended is None:
                        fingerprints = watch.fingerprints or worker.fingerprints()
                finally:
                    worker.kill()
            finally:
                kernel.kill()
            if ended is None:
                break
            if ended == "time":
                allowed = limits.later_check_seconds
            pending = _mark(ended, pending, results, over=time.monotonic() >= budget)
        return RunResult(results, fingerprints)

    def _notebook(self, stations: Sequence[Station]) -> Path:
        """The notebook of these stations as a file."""
        name = hashlib.sha256(" ".join(each.name for each in stations).encode()).hexdigest()[:16]
        path = self._folder / f"{name}.ipynb"
        with self._writing:
            if not path.exists():
                path.write_text(document(stations))
        return path


def _mark(
    why: EarlyEnd, pending: Sequence[Station], results: dict[str, StationResult], over: bool
) -> list[Station]:
    """Note how the station under way ended; return those that are still to run.

    A module that ends the kernel while it loads ends every station that needs it.
    When the budget is `over`, nothing is left to run. If checks ran before it, the station
    under way is to run once more, as the first.
    """
    at = next(
        i for i, each in enumerate(pending) if len(_verdicts(results, each)) < len(each.cells)
    )
    broken = pending[at]
    if not over and any(each.is_check for each in pending[:at]):
        results[broken.name] = StationResult(before=why)
        return list(pending[at:])
    left = []
    for station in pending[at:]:
        stuck = station is broken or over
        loading = None if broken.is_check else broken.name
        if loading is not None and needs(station, loading):
            stuck = True
        if stuck:
            one = results.setdefault(station.name, StationResult())
            one.ended, one.while_loading = why, loading
        else:
            left.append(station)
    return left


def _verdicts(results: Mapping[str, StationResult], station: Station) -> list[bool]:
    return results[station.name].verdicts if station.name in results else []


class _Watch:
    """Reads a worker's results, and says when a limit is reached.

    Memory is the kernel's cgroup's to watch; where there is none, it is looked at here.
    """

    def __init__(
        self,
        worker: WorkerHandle,
        kernel: KernelHandle,
        stations: Sequence[Station],
        allowed: float,
        limits: Limits,
        budget: float,
    ) -> None:
        self._worker = worker
        self._kernel = kernel
        self._allowed = allowed
        self._limits = limits
        self._budget = budget
        self._places = [station for station in stations for _ in station.cells]
        self._under_way = stations[0]
        self._until = time.monotonic() + _NBVAL_SECONDS + allowed
        self._done = 0
        self.fingerprints: dict[str, str] | None = None

    def watch(self, results: dict[str, StationResult]) -> EarlyEnd | None:
        """Fill `results`; None when all cells ran, else why it ended before."""
        kernel_ended = 0.0
        looked = 0.0
        while True:
            now = time.monotonic()
            late = now >= min(self._until, self._budget)
            if kernel_ended and now >= kernel_ended + _GRACE:
                return self._how_it_ended()
            if now >= looked + _TICK:
                looked = now
                if self._holds_too_much():
                    return "memory"
            files: list[socket.socket | int] = [self._worker.results]
            if not kernel_ended:
                files.append(self._kernel.pidfd)
            ready, _, _ = select.select(files, [], [], 0 if late else _TICK)
            if self._worker.results in ready:
                flooded = self._take(results)
                if self._done == len(self._places):
                    return None
                if flooded:
                    return "output"
                if self._worker.at_end:
                    if self._kernel.ended():
                        return self._how_it_ended()
                    raise ComparisonError("nbval ended before the notebook did")
            elif late:  # and no result waits, so it is not this process that was late
                return "time"
            elif self._kernel.pidfd in ready:
                kernel_ended = now

    def _holds_too_much(self) -> bool:
        if self._kernel.group is not None:
            return self._kernel.group.overflowed()
        return memory.held(self._kernel.pid) > self._limits.memory

    def _how_it_ended(self) -> EarlyEnd:
        group = self._kernel.group
        return "memory" if group is not None and group.overflowed() else "exit"

    def _take(self, results: dict[str, StationResult]) -> bool:
        """Take the lines that have come; whether one says that there was too much."""
        for line in self._worker.lines():
            if line["kind"] == "flooded":
                return True
            if line["kind"] == "fingerprints":
                self.fingerprints = line["digests"]
                continue
            if line["kind"] == "begun":
                self._until = time.monotonic() + self._allowed
                continue
            if line["kind"] == "fault":
                raise ComparisonError(f"nbval could not begin: {line['message']}")
            one = results.setdefault(self._places[line["cell"]].name, StationResult())
            self._done += 1
            if self._done < len(self._places):
                following = self._places[self._done]
                if following is not self._under_way:
                    self._under_way = following
                    self._until = time.monotonic() + self._allowed
            one.verdicts.append(line["passed"])
            one.observed.append(line["observed"])
            one.refusals.append(line["refusals"])
            one.notes.append(line["note"])
            one.printed = (one.printed + line["printed"])[:2000]
        return False
