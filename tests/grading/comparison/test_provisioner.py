"""The provisioner: it starts no kernel, sees the end of the one there is, and can end it."""

import asyncio
import os
import subprocess
import sys

import pytest

from coursekit.grading.comparison import provisioner
from coursekit.grading.comparison.provisioner import WalledKernel


def test_it_ends_the_process_that_was_handed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WalledKernel, "handed_over", None, raising=False)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        pidfd = os.pidfd_open(process.pid)
        provisioner.hand_over(pidfd, {"ip": "/nowhere/k", "key": "secret"})
        os.close(pidfd)
        kernel = WalledKernel()
        assert not kernel.has_process
        assert asyncio.run(kernel.poll()) is None
        asyncio.run(kernel.kill())
        assert asyncio.run(kernel.wait()) == 0
        assert process.wait() == -9
    os.close(WalledKernel.handed_over[0])
