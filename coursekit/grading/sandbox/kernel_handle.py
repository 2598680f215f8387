"""The handle of a kernel behind its own walls: how to reach it, and how to end it."""

import contextlib
import os
import select
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from coursekit.grading.sandbox import cgroup

Connection: TypeAlias = dict[str, str | int]
"""How to reach a kernel, as a Jupyter connection file says it; `key` is a text."""


class KernelHandle:
    """A kernel behind its own walls, and its folder here."""

    def __init__(
        self,
        folder: Path,
        key: str,
        pidfd: int,
        pid: int,
        group: cgroup.MemoryGroup | None,
        end_others: Callable[[], None],
    ) -> None:
        self.folder = folder
        self.key = key
        self.pidfd = pidfd
        self.pid = pid
        self.group = group
        self._end_others = end_others

    def connection(self) -> Connection:
        """How to reach the kernel."""
        names = ("shell", "iopub", "stdin", "control", "hb")
        ports: Connection = {f"{name}_port": number for number, name in enumerate(names, start=1)}
        return ports | {
            "transport": "ipc",
            "ip": str(self.folder / "k"),
            "key": self.key,
            "signature_scheme": "hmac-sha256",
        }

    def ended(self) -> bool:
        """Whether the kernel is gone, however it ended."""
        return bool(select.select([self.pidfd], [], [], 0)[0])

    def kill(self) -> None:
        """End everything behind the walls, and clear up; may be called again."""
        if self.pidfd < 0:
            return
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)
        select.select([self.pidfd], [], [], 5.0)
        os.close(self.pidfd)
        self.pidfd = -1
        self._end_others()
        if self.group is not None:
            self.group.remove()
        shutil.rmtree(self.folder, ignore_errors=True)
