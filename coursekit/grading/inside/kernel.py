"""The kernel that answers run in: ipykernel's message handling around the bench.

It has the bench's two functions and nothing else that a cell could name: a cell is
one expression, and what it gives is shown as it says itself. There is no shell around
it that looks for magics, transforms syntax trees and asks a dozen formatters; that is
half of what grading costs, and all of what an answer could patch. It has one thread
and reads one message at a time.
"""

import asyncio
import contextlib
import io
import logging
import sys
from collections.abc import Iterator
from typing import Any

import bench  # type: ignore[import-not-found]
import observer  # type: ignore[import-not-found]
import traitlets
import zmq
from ipykernel.kernelbase import Kernel
from jupyter_client.session import Session

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


class AnswersKernel(Kernel):
    """A kernel that says what a cell gives and when it is done, and leaves out the rest."""

    implementation = "coursekit"
    implementation_version = "1"
    banner = ""
    language_info = {"name": "python", "mimetype": "text/x-python", "file_extension": ".py"}  # noqa: RUF012
    _execute_sleep = 0

    shell_stream = traitlets.Any()  # a socket: a stream on one would want an event loop

    others: list[Any]
    printed: "Printed"
    streams: tuple[Any, Any]
    """What answers have for standard output and error; they may put others there."""

    def serve(self) -> None:
        """Answer messages, one after the other, for ever."""
        self._control_lock = asyncio.Lock()
        self.space = bench.ready(observer)
        shell: Any = self.shell_stream
        while True:
            message = shell.recv_multipart(copy=False)
            # Nothing in it waits for anything, so it needs no event loop to come to its end.
            try:
                self.dispatch_shell(message).send(None)
            except StopIteration:
                continue

    async def do_execute(self, code: str, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Show what the expression gives; an error is told by its name alone."""
        reply: dict[str, Any] = {"status": "ok", "payload": [], "user_expressions": {}}
        try:
            with self._their_streams():
                shown = eval(code, self.space)
            if shown is not None:
                result = {"data": shown._repr_mimebundle_(), "metadata": {}}
                self._publish("execute_result", result | {"execution_count": self.execution_count})
        except BaseException as error:
            told = {"ename": type(error).__name__, "evalue": "", "traceback": []}
            self._publish("error", told)
            reply |= {"status": "error"} | told
        text = self.printed.taken()
        if text:
            self._publish("stream", {"name": "stdout", "text": text})
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

    def _publish(self, kind: str, content: dict[str, Any]) -> None:
        parent = self.get_parent("shell")  # type: ignore[no-untyped-call]
        session: Any = self.session
        session.send(self.iopub_socket, kind, content, parent=parent)

    def _publish_execute_input(self, *args: Any, **kwargs: Any) -> None:
        """Nobody wants a cell's source back."""

    def _publish_status(self, status: str, *args: Any, **kwargs: Any) -> None:
        if status != "busy":
            super()._publish_status(status, *args, **kwargs)  # type: ignore[no-untyped-call]

    def _abort_queues(self, *args: Any, **kwargs: Any) -> None:
        """The cells that follow are other checks."""


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
        stream: Any = io.TextIOWrapper(self, encoding="utf-8", errors="backslashreplace")
        stream.mode = "w"
        text: io.TextIOWrapper = stream
        return text

    def writable(self) -> bool:
        """It is."""
        return True

    def fileno(self) -> int:
        """Standard output, which is /dev/null."""
        return 1

    def close(self) -> None:
        """It can't be: other cells print, too."""

    def write(self, data: Any) -> int:
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
