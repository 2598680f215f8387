"""Jupyter's kernel provisioner for a kernel that stands behind walls already.

nbval starts kernels through jupyter_client, which asks a provisioner. This one starts
nothing: the supervisor raised the walls and hands over a descriptor of the process
and the connection. It can end that process and see that it has ended, no more.
"""

import asyncio
import os
import select
import signal
from contextlib import suppress
from typing import Any, ClassVar

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning.provisioner_base import KernelProvisionerBase

from coursekit.grading.sandbox.kernel_handle import Connection

NAME = "coursekit-walls"
"""What the kernel spec calls this provisioner."""

REFERENCE = f"{__name__}:WalledKernel"
"""Where it is, as an entry point says it."""


class WalledKernel(KernelProvisionerBase):
    """The kernel of this process; there is one, and it is not started again."""

    handed_over: ClassVar[tuple[int, Connection]]
    """Set before nbval starts: the process's descriptor and the connection."""

    @property
    def has_process(self) -> bool:
        """Whether there is something to end."""
        return bool(self.connection_info)

    async def poll(self) -> int | None:
        """None while the kernel lives."""
        pidfd, _ = self.handed_over
        return 0 if select.select([pidfd], [], [], 0)[0] else None

    async def wait(self) -> int | None:
        """Wait for the kernel's end."""
        while await self.poll() is None:
            await asyncio.sleep(0.01)
        return 0

    async def send_signal(self, signum: int) -> None:
        """Send a signal to the first process behind the walls: SIGKILL ends them all."""
        pidfd, _ = self.handed_over
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(pidfd, signum)

    async def kill(self, restart: bool = False) -> None:
        """End the kernel."""
        await self.send_signal(signal.SIGKILL)

    async def terminate(self, restart: bool = False) -> None:
        """End the kernel; it is not asked first."""
        await self.kill()

    async def launch_kernel(self, cmd: list[str], **kwargs: object) -> KernelConnectionInfo:
        """Return the connection of the kernel that is there."""
        return self.connection_info

    async def cleanup(self, restart: bool = False) -> None:
        """Nothing is left behind here: the supervisor clears up."""

    async def pre_launch(self, **kwargs: object) -> dict[str, Any]:
        """Take over the connection that the supervisor made."""
        _, connection = self.handed_over
        assert self.parent is not None
        info: Any = connection | {"key": str(connection["key"]).encode()}
        self.connection_info = info
        # Jupyter writes the connection to a file; in there nobody can change it any more.
        self.parent.connection_file = os.path.join(os.path.dirname(str(connection["ip"])), "c.json")
        return await super().pre_launch(cmd=[], **kwargs)


def hand_over(pidfd: int, connection: Connection) -> None:
    """Make this kernel the one that is provided."""
    WalledKernel.handed_over = (os.dup(pidfd), connection)
