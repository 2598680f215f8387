"""Every private part of ipykernel that the kernel here overrides or reaches for.

All of it is written for ipykernel 7.4. Each method names what it touches and why; a test
outside looks whether those parts are still what they were.
"""

from collections.abc import Mapping
from typing import Any

import traitlets
from ipykernel.kernelbase import Kernel


class SynchronousKernel(Kernel):
    """ipykernel's kernel on plain sockets: no threads, no event loop, fewer messages."""

    _execute_sleep = 0
    """ipykernel 7.4, the trait `_execute_sleep`: half a millisecond after each cell that lets
    output through; ours is sent before the reply."""

    shell_stream = traitlets.Any()
    """ipykernel 7.4, the trait `shell_stream`: typed as a stream, which wants an event loop;
    a socket does, for `dispatch_shell` only sends on it."""

    def answer_messages(self) -> None:
        """Answer the messages on `shell_stream`, one after the other, for ever.

        ipykernel 7.4: `dispatch_shell` is awaited by an event loop. Nothing in it waits for
        anything here, so one step of the coroutine takes it to its end.
        """
        shell: Any = self.shell_stream
        while True:
            message = shell.recv_multipart(copy=False)
            try:
                self.dispatch_shell(message).send(None)
            except StopIteration:
                continue

    def publish(self, kind: str, content: Mapping[str, object]) -> None:
        """Send a message about the request under way.

        ipykernel 7.4, `get_parent("shell")`: the request; `iopub_socket`: a socket here.
        """
        parent = self.get_parent("shell")  # type: ignore[no-untyped-call]
        session: Any = self.session
        session.send(self.iopub_socket, kind, content, parent=parent)

    def _publish_execute_input(self, *args: object, **kwargs: object) -> None:
        """Leave out ipykernel 7.4's message with the cell's source: nobody wants it back."""

    def _publish_status(self, status: str, *args: object, **kwargs: object) -> None:
        """Leave out ipykernel 7.4's `busy`, which nbval passes over; `idle` ends a cell."""
        if status != "busy":
            super()._publish_status(status, *args, **kwargs)  # type: ignore[no-untyped-call]

    def _abort_queues(self, *args: object, **kwargs: object) -> None:
        """Leave out what ipykernel 7.4 does after an error: the cells that follow are others'."""
