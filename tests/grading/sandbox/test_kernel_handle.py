"""A kernel's handle: its end is noticed, and ends everything behind the walls."""

import os
import select
import signal
import time
from pathlib import Path

import pytest

from coursekit.grading.sandbox import memory
from coursekit.grading.sandbox.kernel_handle import KernelHandle
from tests.grading.sandbox.kernel_client import execute

bwrap = pytest.mark.bwrap


@bwrap
def test_killing_the_first_process_ends_all(kernel: KernelHandle) -> None:
    execute(
        kernel,
        """
import os, time
for _ in range(3):
    if os.fork() == 0:
        time.sleep(600)
print(1)
""",
    )
    family = memory.family(kernel.pid)
    assert len(family) >= 5
    kernel.kill()
    deadline = time.monotonic() + 10
    while any(Path(f"/proc/{pid}").exists() for pid in family) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(Path(f"/proc/{pid}").exists() for pid in family)


@bwrap
def test_an_ended_kernel_is_noticed_at_once(kernel: KernelHandle) -> None:
    assert not kernel.ended()
    os.kill(memory.family(kernel.pid)[-1], signal.SIGKILL)
    assert select.select([kernel.pidfd], [], [], 10.0)[0]
    assert kernel.ended()
