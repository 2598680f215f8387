"""Run the steps of cases beside saved answer files, in a fresh process.

One process serves all checks asked for. If the answer ends it, or keeps it too
long, the check under way gets that as its observation and the others go on in a
new process.
"""

import json
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from coursekit.workbook.cases import Case

TIME_LIMIT = 5.0
"""Seconds that the steps of one check may take together."""

OUTPUT_LIMIT = 1_000_000
"""Bytes that the answer may print in one process; above that it is stopped."""

PRINTED = 2_000
"""Bytes of the answer's output that are kept for the reader."""

_ROOT = str(Path(__file__).resolve().parents[2])
_START = "import sys; sys.path.insert(0, sys.argv[1])\n"
_START += "from coursekit.workbook.child import main; del sys.path[0]; main(sys.argv[2])"


class Observations:
    """What came of each check's steps, and what the answer printed meanwhile."""

    def __init__(self) -> None:
        self.steps: dict[str, list[dict[str, Any]]] = {}
        self.printed = ""


def observe_answers(cases: Sequence[Case], folder: Path) -> Observations:
    """Run the cases beside `folder`'s session.py and context.py.

    A check that ended early has, as its last observation, `{"ended": why}` with why
    one of "time", "output" or "exit".
    """
    seen = Observations()
    waiting = list(cases)
    while waiting:
        ended = _run(waiting, folder, seen)
        if ended is None:
            break
        why, loading = ended
        # A module that never finishes loading would stop every check that needs it.
        stuck = [
            case for case in waiting if loading == "session" or (loading and _needs_context(case))
        ]
        for case in stuck or _unfinished(waiting, seen)[:1]:
            seen.steps.setdefault(case.check, []).append({"ended": why, "loading": loading})
        waiting = [case for case in _unfinished(waiting, seen) if case not in stuck]
    return seen


def _needs_context(case: Case) -> bool:
    return not case.check.startswith("11.1")


def _unfinished(cases: Sequence[Case], seen: Observations) -> list[Case]:
    """The cases that lack observations and were not ended."""
    return [
        case
        for case in cases
        if len(done := seen.steps.get(case.check, [])) < len(case.steps)
        and not (done and "ended" in done[-1])
    ]


def _run(cases: Sequence[Case], folder: Path, seen: Observations) -> tuple[str, str | None] | None:
    """One process. None when all went through, else why it ended and what was loading."""
    asks = [[case.check, [step.ask for step in case.steps]] for case in cases]
    child = subprocess.Popen(
        [sys.executable, "-P", "-X", "utf8", "-c", _START, _ROOT, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stderr is not None
    lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    printed = _Printed(child.stderr, child)
    for task in (lambda: _pump(child.stdout, lines), printed.read):
        threading.Thread(target=task, daemon=True).start()
    why: str | None = None
    loading: str | None = None
    for case in cases:
        seen.steps[case.check] = []
    try:
        try:
            child.stdin.write(json.dumps(asks).encode())
            child.stdin.close()
        except BrokenPipeError:
            pass
        wanted = sum(len(case.steps) for case in cases)
        under_way = cases[0].check
        deadline = time.monotonic() + TIME_LIMIT
        while wanted:
            line = lines.get(timeout=max(0.0, deadline - time.monotonic()))
            if line is None:
                why = "output" if printed.flooded else "exit"
                break
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
                        deadline = time.monotonic() + TIME_LIMIT
    except queue.Empty:
        why = "output" if printed.flooded else "time"
    finally:
        child.kill()
        child.wait()
    seen.printed = (seen.printed + printed.text())[:PRINTED]
    return None if why is None else (why, loading)


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
