"""The walls themselves: what stands between a kernel and everything else."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from coursekit.grading.sandbox import memory
from coursekit.grading.sandbox.kernel_handle import KernelHandle
from coursekit.grading.sandbox.walls import Walls
from tests.grading.sandbox.kernel_client import execute

bwrap = pytest.mark.bwrap


@bwrap
def test_a_kernel_has_namespaces_of_its_own(kernel: KernelHandle) -> None:
    ours = {each.name: os.readlink(each) for each in Path("/proc/self/ns").iterdir()}
    theirs = Path(f"/proc/{memory.family(kernel.pid)[-1]}/ns")
    for name in ("user", "pid", "mnt", "ipc", "uts", "net"):
        assert os.readlink(theirs / name) != ours[name]


@bwrap
def test_two_kernels_share_no_namespace(raised: Walls, kernel: KernelHandle) -> None:
    other = raised.kernel({})
    try:
        for name in ("user", "pid", "mnt", "ipc", "uts", "net"):
            one, two = (
                os.readlink(f"/proc/{memory.family(each.pid)[-1]}/ns/{name}")
                for each in (kernel, other)
            )
            assert one != two
    finally:
        other.kill()


@bwrap
def test_what_can_be_seen_and_written(kernel: KernelHandle) -> None:
    printed = execute(
        kernel,
        """
import os
print(sorted(os.listdir("/")))
print(sorted(os.listdir("/dev")), sorted(os.listdir("/kernel")), os.listdir("/kernels"))
places = "/ /dev /kernel /kernel/answers /proc/sys/kernel /usr/lib /env/site /tmp"
for place in places.split():
    try:
        open(os.path.join(place, "new"), "w").close()
        print("wrote", place)
    except OSError:
        pass
""",
    )
    seen, places, *written = printed.strip().splitlines()
    assert {"bin", "etc", "home", "mnt", "opt", "run", "srv", "sys", "var"} & set(eval(seen)) <= {
        "etc"
    }
    assert "['full', 'null', 'random', 'urandom', 'zero']" in places
    assert places.endswith("[]")
    assert written == ["wrote /tmp"]


@bwrap
def test_nothing_outlives_a_supervisor_that_is_killed() -> None:
    code = (
        "import time\n"
        "from coursekit.course import COURSE\n"
        "from coursekit.grading.sandbox.walls import Walls\n"
        "from coursekit.grading.sandbox.limits import Limits\n"
        "with Walls('bwrap', Limits(), COURSE.observations) as walls:\n"
        "    print(walls.kernel({}).pid, flush=True)\n"
        "    time.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as each:
        assert each.stdout is not None
        pid = int(each.stdout.readline())
        assert Path(f"/proc/{pid}").exists()
        each.kill()
    deadline = time.monotonic() + 10
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not Path(f"/proc/{pid}").exists()
