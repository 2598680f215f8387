"""Memory cgroups: what the kernel says of one, in both of its versions."""

import subprocess
import sys
from pathlib import Path

import pytest

from coursekit.grading.sandbox import cgroup
from tests.grading.hostile.hogging import COUNTED


@pytest.mark.parametrize(
    ("file", "text", "overflowed"),
    [
        ("memory.events", "low 0\nhigh 0\nmax 12\noom 1\noom_kill 1\n", True),
        ("memory.events", "low 0\nhigh 0\nmax 12\noom 0\noom_kill 0\n", False),
        ("memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n", True),
        ("memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 0\n", False),
        ("other", "oom_kill 1\n", False),
    ],
)
def test_a_group_overflowed_when_a_process_was_killed_for_it(
    file: str, text: str, overflowed: bool, tmp_path: Path
) -> None:
    (tmp_path / file).write_text(text)
    assert cgroup.MemoryGroup(tmp_path).overflowed() == overflowed


def test_a_group_kills_what_holds_too_much_and_is_removed() -> None:
    group = cgroup.create(32 << 20)
    assert (group is not None) == COUNTED
    if group is None:
        return
    code = "input(); kept = bytearray(b'x' * (256 << 20))"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE) as process:
        group.add(process.pid)
        process.communicate(b"\n")
    assert process.returncode == -9
    assert group.overflowed()
    assert group.remove()
    assert not group.remove()
