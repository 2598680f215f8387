"""What a kernel's processes may do: they have no rights, and are nobody."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from coursekit.grading.sandbox import memory, walls
from coursekit.grading.sandbox.inside import confinement
from coursekit.grading.sandbox.kernel_handle import KernelHandle

bwrap = pytest.mark.bwrap


@bwrap
def test_nobody_behind_the_walls_is_anybody(kernel: KernelHandle) -> None:
    for pid in memory.family(kernel.pid):
        status = Path(f"/proc/{pid}/status").read_text().splitlines()
        fields = dict(line.split(":\t", 1) for line in status if ":\t" in line)
        assert {int(fields[each], 16) for each in ("CapEff", "CapPrm", "CapBnd")} == {0}
        assert fields["NoNewPrivs"] == "1"
        assert set(fields["Uid"].split()) == {fields["Uid"].split()[0]}
        assert os.geteuid() or int(fields["Uid"].split()[0]) >= walls.ANSWERS_UID


def test_a_user_has_processes_until_they_have_ended() -> None:
    assert confinement.has_processes(os.getuid())
    assert not confinement.has_processes(4_000_000_000)


def test_ended_children_are_taken_leave_of_and_others_not_waited_for() -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as living:
        confinement.reap()
        with pytest.raises(ChildProcessError):
            os.waitpid(ended.pid, 0)
        assert living.poll() is None
    ended.wait()
