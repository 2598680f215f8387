"""The pool of workers: one fork server with nbval imported, and a fork for each notebook."""

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

from coursekit.grading.comparison import wire
from coursekit.grading.sandbox.fork_server import ForkServer
from coursekit.grading.sandbox.kernel_handle import KernelHandle
from coursekit.grading.sandbox.limits import WORKER_MEMORY, Limits

_FINGERPRINT_SECONDS = 10.0


class ComparisonError(Exception):
    """nbval could not do its work: a fault of this machine, not of a submission."""


class WorkerPool:
    """The fork server that workers come from; a context manager."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._server = ForkServer(_command, environment(), ComparisonError)

    def __enter__(self) -> "WorkerPool":
        self._server.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.end()

    def start(
        self, notebook: Path, kernel: KernelHandle, queries: Sequence[wire.FileQuery]
    ) -> "WorkerHandle":
        """Let nbval run a notebook in a kernel; raises `ComparisonError`."""
        request: wire.CompareRequest = {
            "notebook": str(notebook),
            "queries": list(queries),
            "connection": kernel.connection(),
            "memory": WORKER_MEMORY,
            "message": self._limits.message,
            "received": self._limits.received,
        }
        return self._fork(request, [kernel.pidfd])

    def fingerprints(self, queries: Sequence[wire.SourceQuery]) -> dict[str, str]:
        """A digest for each function, of code that may not be parsed here.

        What can't be parsed in time has none.
        """
        request: wire.FingerprintRequest = {"memory": WORKER_MEMORY}
        worker = self._fork(request, [])
        try:
            worker.results.setblocking(True)
            worker.results.settimeout(_FINGERPRINT_SECONDS)
            worker.results.sendall(json.dumps(queries).encode())
            worker.results.shutdown(socket.SHUT_WR)
            with worker.results.makefile("rb") as file:
                line = file.readline()
        except OSError:  # it took too long, or ended
            return {}
        finally:
            worker.kill()
        result = wire.read(line) if line else None
        return result["digests"] if result and result["kind"] == "fingerprints" else {}

    def _fork(self, request: wire.WorkerRequest, files: list[int]) -> "WorkerHandle":
        try:
            ours = self._server.ask(request, files)
            _, sent, _, _ = socket.recv_fds(ours, 1, 1)
        except OSError as problem:
            raise ComparisonError(f"the worker does not answer: {problem}") from problem
        if not sent:
            ours.close()
            raise ComparisonError("the worker ended before it began")
        ours.setblocking(False)
        return WorkerHandle(ours, sent[0])


class WorkerHandle:
    """One nbval at work: lines of results, until it ends or is ended."""

    def __init__(self, results: socket.socket, pidfd: int) -> None:
        self.results = results
        self._pidfd = pidfd
        self._rest = b""
        self.at_end = False

    def lines(self) -> list[wire.ResultLine]:
        """The results that have come since; sets `at_end` when there will be no more."""
        try:
            chunk = self.results.recv(1 << 20)
        except BlockingIOError:
            return []
        except OSError:
            chunk = b""
        self.at_end = not chunk
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        return [wire.read(line) for line in lines]

    def fingerprints(self) -> dict[str, str] | None:
        """The fingerprints that come at the end; None if they don't."""
        deadline = time.monotonic() + _FINGERPRINT_SECONDS
        while not self.at_end and time.monotonic() < deadline:
            select.select([self.results], [], [], 0.1)
            for line in self.lines():
                if line["kind"] == "fingerprints":
                    return line["digests"]
        return None

    def kill(self) -> None:
        """End the worker."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
        select.select([self._pidfd], [], [], 5.0)
        os.close(self._pidfd)
        self.results.close()


def environment() -> Mapping[str, str]:
    """The environment of workers: this one without what pytest or Jupyter would take from it."""
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


def _command(control: int) -> list[str]:
    return [sys.executable, "-P", "-m", "coursekit.grading.comparison.worker", str(control)]
