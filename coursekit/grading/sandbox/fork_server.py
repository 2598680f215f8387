"""The client of a fork server: a process with its imports done that forks on request.

The sandbox's launcher and the nbval worker are two of these. One that ends is started anew.
"""

import json
import socket
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence

_START_SECONDS = 60.0
_END_SECONDS = 5.0


class ForkServer:
    """One such process and the socket on which it takes requests, from any thread.

    `command` returns the command line for the number of its end of the socket; the
    process says "warm" there when it is ready, and ends when the socket is closed.
    """

    def __init__(
        self,
        command: Callable[[int], Sequence[str]],
        environment: Mapping[str, str],
        error: type[Exception],
    ) -> None:
        self._command = command
        self._environment = environment
        self._error = error
        self._process: subprocess.Popen[bytes] | None = None
        self._sending = threading.Lock()

    def start(self) -> None:
        """Start the process and wait until it is warm; raises the error it was made with."""
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                self._command(theirs.fileno()),
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env=self._environment,
                cwd="/",
            )
        self._control.settimeout(_START_SECONDS)
        try:
            reply = self._control.recv(64)
        except OSError:
            reply = b""
        if reply != b"warm":
            words = self._last_words()
            self.end()
            raise self._error(f"it did not start: {words}")

    def ask(self, request: Mapping[str, object], files: Sequence[int]) -> socket.socket:
        """Send a request; returns the socket on which the answers come.

        `files` are descriptors to go with it. Raises `OSError` when it can't be sent.
        """
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        with theirs, self._sending:
            if self._process is None or self._process.poll() is not None:
                self.end()
                self.start()
            message = json.dumps(request).encode()
            socket.send_fds(self._control, [message], [theirs.fileno(), *files])
        ours.settimeout(_START_SECONDS)
        return ours

    def end(self) -> None:
        """End the process; may be called again."""
        if self._process is None:
            return
        self._control.close()  # at which it ends
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stderr is not None:
            self._process.stderr.close()
        self._process = None

    def _last_words(self) -> str:
        assert self._process is not None
        assert self._process.stderr is not None
        self._process.kill()
        return self._process.stderr.read(2000).decode("utf-8", "replace").strip() or "no answer"
