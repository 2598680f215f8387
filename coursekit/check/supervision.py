"""Run the steps of cases beside saved answer files, in a fresh process.

One process serves all checks asked for. If the answer ends it, or keeps it too
long, the check under way gets that as its observation and the others go on in a
new process.
"""

import contextlib
import json
import linecache
import os
import queue
import re
import signal
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING

from coursekit.check.case import Case
from coursekit.check.course import Course
from coursekit.check.protocol import Ended, EndedBy, Observation, Place, observation_from_json

if TYPE_CHECKING:
    import subprocess

TIME_LIMIT = 5.0
"""Seconds that the steps of one check may take together."""

LATER_TIME_LIMIT = 2.0
"""The same, once another check has taken too long: it is likely the same endless loop."""

OUTPUT_LIMIT = 1_000_000
"""Bytes that the answer may print in one process; above that it is stopped."""

PRINTED = 2_000
"""Bytes of the answer's output that are kept for the reader."""

_ROOT = str(Path(__file__).resolve().parents[2])
_START = "import sys; sys.path.insert(0, sys.argv[1])\n"
_START += "from coursekit.check.fresh_process import main; del sys.path[0]; "
_START += "main(sys.argv[2], sys.argv[3], float(sys.argv[4]))"

_GRACE = 1.0  # seconds that the process has to say where it was when its time was up


class Observed:
    """What came of each check's steps, and what the answer printed meanwhile."""

    def __init__(self) -> None:
        self.steps: dict[str, list[Observation]] = {}
        self.printed = ""


def observe_answers(course: Course, cases: Sequence[Case], folder: Path) -> Observed:
    """Run the cases beside the answers in `folder`.

    A check that ended early has an `Ended` as its last observation, with the newest line of
    the answer where that is known.
    """
    seen = Observed()
    left = list(cases)
    limit = TIME_LIMIT
    while left:
        ended = _run(course, left, folder, seen, limit)
        if ended is None:
            break
        if ended.by == "time":
            limit = LATER_TIME_LIMIT
        # A module that never finishes loading would stop every check that needs it.
        stuck = [case for case in left if ended.loading and _needs(course, case, ended.loading)]
        for case in stuck or _unfinished(left, seen)[:1]:
            seen.steps.setdefault(case.check, []).append(ended)
        left = [case for case in _unfinished(left, seen) if case not in stuck]
    return seen


def _needs(course: Course, case: Case, module: str) -> bool:
    return course.needs(course.lab_of(case.check).module, f"{module}.py")


def _unfinished(cases: Sequence[Case], seen: Observed) -> list[Case]:
    """The cases that lack observations and were not ended."""
    return [
        case
        for case in cases
        if len(done := seen.steps.get(case.check, [])) < len(case.steps)
        and not (done and isinstance(done[-1], Ended))
    ]


def _run(
    course: Course, cases: Sequence[Case], folder: Path, seen: Observed, limit: float
) -> Ended | None:
    """One process. None when all went through, else the observation that ended it."""
    requests = [[case.check, [step.request.to_json() for step in case.steps]] for case in cases]
    import subprocess  # no sooner: where there are no processes, the rest is of use

    arguments = [_ROOT, str(course.observations), str(folder), str(limit)]
    child = subprocess.Popen(
        [sys.executable, "-P", "-X", "utf8", "-c", _START, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stderr is not None
    lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    printed = _Printed(child.stderr, child)
    readers = [
        threading.Thread(target=task, daemon=True)
        for task in (lambda: _pump(child.stdout, lines), printed.read)
    ]
    for reader in readers:
        reader.start()
    by: EndedBy | None = None
    loading: str | None = None
    stack: list[str] = []
    for case in cases:
        seen.steps[case.check] = []
    try:
        # The answer may end before it has read everything.
        with contextlib.suppress(BrokenPipeError), child.stdin:
            child.stdin.write(json.dumps(requests).encode())
        wanted = sum(len(case.steps) for case in cases)
        under_way = cases[0].check
        deadline = time.monotonic() + limit + _GRACE
        while wanted:
            line = lines.get(timeout=max(0.0, deadline - time.monotonic()))
            if line is None:
                by = _ended_by(child, printed, stack)
                break
            if not line.startswith(b"["):  # of the stack when time was up
                stack.append(line.decode("utf-8", "replace"))
                continue
            match json.loads(line):
                case ["loading", module]:
                    loading = module
                case ["loaded", _]:
                    loading = None
                case ["step", check, observation]:
                    seen.steps[check].append(observation_from_json(observation))
                    wanted -= 1
                    if check != under_way:
                        under_way = check
                        deadline = time.monotonic() + limit + _GRACE
    except queue.Empty:
        by = "output" if printed.flooded else "time"
    finally:
        _stop(child, readers)
    seen.printed = (seen.printed + printed.text())[:PRINTED]
    return None if by is None else Ended(by, loading, _place(course, stack, folder))


def _ended_by(child: "subprocess.Popen[bytes]", printed: "_Printed", stack: list[str]) -> EndedBy:
    """What ended a process that writes no more lines and was not stopped."""
    if stack:
        return "time"
    import subprocess

    # Its pipe may close a moment before it is gone.
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(_GRACE)
    if printed.flooded:
        return "output"
    # An interrupt that the answer raised itself ends the process by that signal.
    code = child.returncode or 0
    return "crash" if code < 0 and code != -signal.SIGINT else "exit"


def _place(course: Course, stack: list[str], folder: Path) -> Place | None:
    """The newest line of the answer in a stack as `faulthandler` writes it."""
    for line in stack:
        found = re.match(r'  File "(.*)", line (\d+) in ', line)
        if found and os.path.basename(found[1]) in course.modules:
            name, number = os.path.basename(found[1]), int(found[2])
            source = linecache.getline(str(folder / name), number).strip()
            return Place(name, number, source)
    return None


def _stop(child: "subprocess.Popen[bytes]", readers: Sequence[threading.Thread]) -> None:
    """End the process with whatever it started, and close what it wrote to."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
    child.kill()
    child.wait()
    for reader, pipe in zip(readers, (child.stdout, child.stderr), strict=True):
        reader.join(_GRACE)
        # A process that left the group may hold the pipe; it must not hold us.
        if pipe is not None and not reader.is_alive():
            pipe.close()


def _pump(pipe: IO[bytes] | None, lines: "queue.SimpleQueue[bytes | None]") -> None:
    assert pipe is not None
    for line in pipe:
        lines.put(line)
    lines.put(None)


class _Printed:
    """Reads what the answer prints, keeps its beginning, and stops a flood."""

    def __init__(self, pipe: IO[bytes], child: "subprocess.Popen[bytes]") -> None:
        self._pipe = pipe
        self._child = child
        self._kept = b""
        self._bytes = 0

    @property
    def flooded(self) -> bool:
        return self._bytes > OUTPUT_LIMIT

    def read(self) -> None:
        while chunk := self._pipe.read1(65536):  # type: ignore[attr-defined]
            self._bytes += len(chunk)
            self._kept += chunk[: PRINTED - len(self._kept)]
            if self.flooded:
                self._child.kill()

    def text(self) -> str:
        return self._kept.decode("utf-8", "replace")
