"""The kernel that answers run in: ipykernel's message handling around the bench.

It has the bench's two functions and nothing else that a cell could name: a cell is
one expression, and its result is shown as it says itself. There is no shell around
it that looks for magics, transforms syntax trees and asks a dozen formatters; that is
half of what grading costs, and all of what an answer could patch. It has one thread
and reads one message at a time.
"""

import contextlib
import io
import logging
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, TextIO

import zmq
from jupyter_client.session import Session

from coursekit.check.observing import load_observations

if TYPE_CHECKING:  # inside they are files beside this one
    from _typeshed import ReadableBuffer

    from coursekit.grading.sandbox.inside import bench
    from coursekit.grading.sandbox.inside.overrides import SynchronousKernel
else:
    import bench
    from overrides import SynchronousKernel

OBSERVATIONS = load_observations(os.path.join(os.path.dirname(__file__), "observations.py"))
"""What the course looks at."""

PRINTED = 1_000_000
"""Bytes that a kernel's answers may print; what is more is dropped."""


def bound(folder: str, key: str) -> "AnswersKernel":
    """A kernel whose sockets stand in `folder`, as `k-1` to `k-5`, and wait."""
    context = zmq.Context()
    sockets = []
    for number, kind in enumerate((zmq.ROUTER, zmq.PUB, zmq.ROUTER, zmq.ROUTER, zmq.ROUTER), 1):
        socket = context.socket(kind)
        socket.linger = 0
        socket.bind(f"ipc://{folder}/k-{number}")
        sockets.append(socket)
    printed = Printed()
    sys.stdout = sys.stderr = printed.stream()
    kernel: AnswersKernel = AnswersKernel.instance(
        session=Session(key=key.encode()),
        shell_stream=sockets[0],
        iopub_socket=sockets[1],
        log=_no_log(),
    )
    # Bound, so that nobody waits for them, and not read: nobody asks for input, and the
    # supervisor sees the end of a process by itself.
    kernel.others = sockets[2:]
    kernel.printed = printed
    kernel.streams = printed.stream(), printed.stream()
    return kernel


class AnswersKernel(SynchronousKernel):
    """A kernel that says what a cell returns and when it is done, and leaves out the rest."""

    implementation = "coursekit"
    implementation_version = "1"
    banner = ""
    language_info = {"name": "python", "mimetype": "text/x-python", "file_extension": ".py"}  # noqa: RUF012

    others: list[zmq.Socket[bytes]]
    printed: "Printed"
    streams: tuple[TextIO, TextIO]
    """What answers have for standard output and error; they may put others there."""

    def serve(self) -> None:
        """Answer messages, one after the other, for ever."""
        answers = bench.Bench(OBSERVATIONS)
        self.space = {"load": answers.load, "look": answers.look}
        self.answer_messages()

    async def do_execute(self, code: str, *args: object, **kwargs: object) -> dict[str, object]:
        """Show what the expression returns; of an error only its name is sent."""
        reply: dict[str, object] = {"status": "ok", "payload": [], "user_expressions": {}}
        try:
            with self._their_streams():
                shown: bench.Shown | None = eval(code, self.space)
            if shown is not None:
                result = {"data": shown._repr_mimebundle_(), "metadata": {}}
                self.publish("execute_result", result | {"execution_count": self.execution_count})
        except BaseException as error:
            content: dict[str, object] = {
                "ename": type(error).__name__,
                "evalue": "",
                "traceback": [],
            }
            self.publish("error", content)
            reply |= content | {"status": "error"}
        text = self.printed.taken()
        if text:
            self.publish("stream", {"name": "stdout", "text": text})
        return reply | {"execution_count": self.execution_count}

    @contextlib.contextmanager
    def _their_streams(self) -> Iterator[None]:
        """Between cells the streams are ours: those of answers may be closed, or no streams."""
        ours = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = self.streams
        try:
            yield
        finally:
            self.streams = sys.stdout, sys.stderr
            sys.stdout, sys.stderr = ours
            for stream in self.streams:
                with contextlib.suppress(BaseException):
                    stream.flush()


class Printed(io.BufferedIOBase):
    """What answers print and warn: kept for the end of the cell, and costing nothing.

    It stays open whatever is done to a stream on it. Its descriptor leads nowhere.
    """

    name = "<printed>"

    def __init__(self) -> None:
        self._left = PRINTED
        self._parts: list[bytes] = []

    def stream(self) -> io.TextIOWrapper:
        """A text stream that ends up here when flushed; half characters are written out."""
        stream = io.TextIOWrapper(self, encoding="utf-8", errors="backslashreplace")
        stream.mode = "w"  # type: ignore[misc]  # as those of Python have it
        return stream

    def writable(self) -> bool:
        """It is."""
        return True

    def fileno(self) -> int:
        """Standard output, which is /dev/null."""
        return 1

    def close(self) -> None:
        """It can't be: other cells print, too."""

    def write(self, data: "ReadableBuffer") -> int:
        """Keep the bytes, as long as there is room."""
        text = bytes(data)
        kept = text[: self._left]
        if kept:
            self._left -= len(kept)
            self._parts.append(kept)
        return len(text)

    def taken(self) -> str:
        """What was written since the last time."""
        parts, self._parts = self._parts, []
        return b"".join(parts).decode("utf-8", "replace")


def _no_log() -> logging.Logger:
    log = logging.getLogger("kernel")
    log.setLevel(logging.CRITICAL + 1)
    log.propagate = False
    return log
