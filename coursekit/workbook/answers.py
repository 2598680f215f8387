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
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from coursekit.workbook.cases import Case
from coursekit.workbook.stubs import MODULES

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
_START += "from coursekit.workbook.child import main; del sys.path[0]; "
_START += "main(sys.argv[2], float(sys.argv[3]))"

_GRACE = 1.0  # seconds that the process has to tell where it was when its time was up


class Observations:
    """What came of each check's steps, and what the answer printed meanwhile."""

    def __init__(self) -> None:
        self.steps: dict[str, list[dict[str, Any]]] = {}
        self.printed = ""


def observe_answers(cases: Sequence[Case], folder: Path) -> Observations:
    """Run the cases beside `folder`'s session.py and context.py.

    A check that ended early has, as its last observation, `{"ended": why, "loading":
    module or None}` with why one of "time", "output", "exit" or "crash", and a note of
    the newest line of the answer where that is known.
    """
    seen = Observations()
    waiting = list(cases)
    limit = TIME_LIMIT
    while waiting:
        ended = _run(waiting, folder, seen, limit)
        if ended is None:
            break
        if ended["ended"] == "time":
            limit = LATER_TIME_LIMIT
        # A module that never finishes loading would stop every check that needs it.
        loading = ended["loading"]
        stuck = [
            case for case in waiting if loading == "session" or (loading and _needs_context(case))
        ]
        for case in stuck or _unfinished(waiting, seen)[:1]:
            seen.steps.setdefault(case.check, []).append(ended)
        waiting = [case for case in _unfinished(waiting, seen) if case not in stuck]
    return seen


def _needs_context(case: Case) -> bool:
    from coursekit.workbook import manifest

    return manifest.lab_of(case.check).module == "context.py"


def _unfinished(cases: Sequence[Case], seen: Observations) -> list[Case]:
    """The cases that lack observations and were not ended."""
    return [
        case
        for case in cases
        if len(done := seen.steps.get(case.check, [])) < len(case.steps)
        and not (done and "ended" in done[-1])
    ]


def _run(
    cases: Sequence[Case], folder: Path, seen: Observations, limit: float
) -> dict[str, Any] | None:
    """One process. None when all went through, else the observation that ended it."""
    asks = [[case.check, [step.ask for step in case.steps]] for case in cases]
    child = subprocess.Popen(
        [sys.executable, "-P", "-X", "utf8", "-c", _START, _ROOT, str(folder), str(limit)],
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
    why: str | None = None
    loading: str | None = None
    stack: list[str] = []
    for case in cases:
        seen.steps[case.check] = []
    try:
        # The answer may end before it has read everything.
        with contextlib.suppress(BrokenPipeError), child.stdin:
            child.stdin.write(json.dumps(asks).encode())
        wanted = sum(len(case.steps) for case in cases)
        under_way = cases[0].check
        deadline = time.monotonic() + limit + _GRACE
        while wanted:
            line = lines.get(timeout=max(0.0, deadline - time.monotonic()))
            if line is None:
                why = _why_ended(child, printed, stack)
                break
            if not line.startswith(b"["):  # of a stack, told when time was up
                stack.append(line.decode("utf-8", "replace"))
                continue
            match json.loads(line):
                case ["loading", module]:
                    loading = module
                case ["loaded", _]:
                    loading = None
                case ["step", check, observation]:
                    seen.steps[check].append(observation)
                    wanted -= 1
                    if check != under_way:
                        under_way = check
                        deadline = time.monotonic() + limit + _GRACE
    except queue.Empty:
        why = "output" if printed.flooded else "time"
    finally:
        _stop(child, readers)
    seen.printed = (seen.printed + printed.text())[:PRINTED]
    if why is None:
        return None
    ended = {"ended": why, "loading": loading}
    return ended | {"note": note} if (note := _place(stack, folder)) else ended


def _why_ended(child: "subprocess.Popen[bytes]", printed: "_Printed", stack: list[str]) -> str:
    """Why a process that nobody stopped gives no more lines."""
    if stack:
        return "time"
    # Its pipe may close a moment before it is gone.
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(_GRACE)
    if printed.flooded:
        return "output"
    # An interrupt that the answer raised itself ends the process by that signal.
    code = child.returncode or 0
    return "crash" if code < 0 and code != -signal.SIGINT else "exit"


def _place(stack: list[str], folder: Path) -> dict[str, Any]:
    """The newest line of the answer in a stack as `faulthandler` writes it."""
    for line in stack:
        found = re.match(r'  File "(.*)", line (\d+) in ', line)
        if found and os.path.basename(found[1]) in MODULES:
            name, number = os.path.basename(found[1]), int(found[2])
            source = linecache.getline(str(folder / name), number).strip()
            return {"file": name, "line": number, "source": source}
    return {}


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
