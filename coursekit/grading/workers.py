"""Starting workers: one warm process that forks nbval for each notebook."""

import contextlib
import json
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from coursekit.grading.limits import WORKER_MEMORY, Limits
from coursekit.grading.walls import Kernel
from coursekit.grading.warm_process import WarmProcess

_FINGERPRINT_SECONDS = 10.0


class WorkerError(Exception):
    """nbval could not do its work: a fault of this machine, not of a submission."""


class Workers:
    """The warm process that forks workers; a context manager."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._warm = WarmProcess(_command, _environment(), WorkerError)

    def __enter__(self) -> "Workers":
        self._warm.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._warm.end()

    def start(self, notebook: Path, kernel: Kernel, asked: Sequence[Mapping[str, Any]]) -> "Worker":
        """Let nbval run a notebook in a kernel; raises `WorkerError`.

        `asked` is as in `fingerprints`, with the `file` in place of its source.
        """
        request = {
            "notebook": str(notebook),
            "asked": asked,
            "connection": kernel.connection(),
            "memory": WORKER_MEMORY,
            "message": self._limits.message,
            "received": self._limits.received,
        }
        return self._fork(request, [kernel.pidfd])

    def fingerprints(self, asked: Sequence[Mapping[str, Any]]) -> dict[str, str]:
        """A digest for each function, of code that may not be parsed here.

        `asked` has, for each file, its `source` (bytes as latin-1), the `functions` and
        the names `given` to everyone. What can't be parsed in time has none.
        """
        worker = self._fork({"memory": WORKER_MEMORY}, [])
        try:
            worker.results.setblocking(True)
            worker.results.settimeout(_FINGERPRINT_SECONDS)
            worker.results.sendall(json.dumps(asked).encode())
            worker.results.shutdown(socket.SHUT_WR)
            with worker.results.makefile("rb") as file:
                told = json.loads(file.readline() or b'{"found": {}}')
        except OSError:  # it took too long, or ended
            return {}
        finally:
            worker.kill()
        found: dict[str, str] = told["found"]
        return found

    def _fork(self, request: Mapping[str, Any], files: list[int]) -> "Worker":
        try:
            ours = self._warm.ask(request, files)
            _, sent, _, _ = socket.recv_fds(ours, 1, 1)
        except OSError as problem:
            raise WorkerError(f"the worker does not answer: {problem}") from problem
        if not sent:
            ours.close()
            raise WorkerError("the worker ended before it began")
        ours.setblocking(False)
        return Worker(ours, sent[0])


class Worker:
    """One nbval at work: lines of results, until it ends or is ended."""

    def __init__(self, results: socket.socket, pidfd: int) -> None:
        self.results = results
        self._pidfd = pidfd
        self._rest = b""
        self.at_end = False

    def lines(self) -> list[dict[str, Any]]:
        """The results that have come since; sets `at_end` when there will be no more."""
        try:
            chunk = self.results.recv(1 << 20)
        except BlockingIOError:
            return []
        except OSError:
            chunk = b""
        self.at_end = not chunk
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        return [json.loads(line) for line in lines]

    def found(self) -> dict[str, str] | None:
        """The fingerprints that come at the end; None if they don't."""
        deadline = time.monotonic() + _FINGERPRINT_SECONDS
        while not self.at_end and time.monotonic() < deadline:
            select.select([self.results], [], [], 0.1)
            for line in self.lines():
                if "found" in line:
                    return dict(line["found"])
        return None

    def kill(self) -> None:
        """End the worker."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
        select.select([self._pidfd], [], [], 5.0)
        os.close(self._pidfd)
        self.results.close()


def _command(control: int) -> list[str]:
    return [sys.executable, "-P", "-m", "coursekit.grading.worker", str(control)]


def _environment() -> dict[str, str]:
    """The environment without what pytest or Jupyter would take from it."""
    kept = {
        key: value
        for key, value in os.environ.items()
        if key == "PYTHONPATH"
        or not key.startswith(("PYTEST", "JUPYTER", "JPY", "IPYTHON", "PYTHON", "COV"))
    }
    return kept | {
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "JUPYTER_PATH": str(Path(__file__).parent / "jupyter"),
        "JUPYTER_PLATFORM_DIRS": "1",
    }
