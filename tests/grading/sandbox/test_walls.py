"""The walls themselves: what stands between a kernel and everything else."""

import ast
import os
import queue
import select
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from coursekit.check.errors import CoursekitError
from coursekit.course import COURSE
from coursekit.grading.comparison.pool import WorkerPool
from coursekit.grading.sandbox import availability, cgroup, memory, run_folder, runtime, walls
from coursekit.grading.sandbox.kernel_handle import KernelHandle
from coursekit.grading.sandbox.limits import Limits
from coursekit.grading.sandbox.walls import Walls

bwrap = pytest.mark.bwrap


@pytest.fixture(scope="module")
def raised() -> Iterator[Walls]:
    with Walls("bwrap", Limits(), COURSE.observations) as each:
        yield each


@pytest.fixture
def kernel(raised: Walls) -> Iterator[KernelHandle]:
    each = raised.kernel({"session.py": b"", "context.py": b""})
    yield each
    each.kill()


def execute(kernel: KernelHandle, code: str) -> str:
    """What statements print when the kernel runs them."""
    from jupyter_client.blocking.client import BlockingKernelClient

    client = BlockingKernelClient()
    client.load_connection_info(kernel.connection())  # type: ignore[arg-type]
    client.start_channels(stdin=False, hb=False, control=False)
    said: list[str] = []
    try:
        _until_heard(client)

        def hook(message: dict[str, Any]) -> None:
            said.append(str(message["content"].get("text", message["content"].get("ename", ""))))

        client.execute_interactive(f"exec({code!r}, {{}})", timeout=30, output_hook=hook)
    finally:
        client.stop_channels()
        client.context.term()
    return "".join(said)


def _until_heard(client: Any) -> None:
    """Ask until an answer comes on the channel that may connect later than the other."""
    for _ in range(30):
        client.kernel_info(reply=True, timeout=30)
        try:
            client.get_iopub_msg(timeout=1)
        except queue.Empty:
            continue
        return
    raise AssertionError("the kernel does not answer")


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
def test_nobody_behind_the_walls_is_anybody(kernel: KernelHandle) -> None:
    for pid in memory.family(kernel.pid):
        status = Path(f"/proc/{pid}/status").read_text().splitlines()
        told = dict(line.split(":\t", 1) for line in status if ":\t" in line)
        assert int(told["CapEff"], 16) == int(told["CapPrm"], 16) == int(told["CapBnd"], 16) == 0
        assert told["NoNewPrivs"] == "1"
        assert set(told["Uid"].split()) == {told["Uid"].split()[0]}
        assert os.geteuid() or int(told["Uid"].split()[0]) >= walls.ANSWERS_UID


@bwrap
def test_what_can_be_seen_and_written(kernel: KernelHandle) -> None:
    told = execute(
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
    seen, places, *written = told.strip().splitlines()
    assert {"bin", "etc", "home", "mnt", "opt", "run", "srv", "sys", "var"} & set(eval(seen)) <= {
        "etc"
    }
    assert "['full', 'null', 'random', 'urandom', 'zero']" in places
    assert places.endswith("[]")
    assert written == ["wrote /tmp"]


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


@bwrap
def test_a_warm_process_that_was_killed_is_started_anew() -> None:
    with Walls("bwrap", Limits(), COURSE.observations) as raised, WorkerPool(Limits()) as workers:
        for warm in (raised._launcher, workers._server):
            assert warm._process is not None
            warm._process.kill()
            warm._process.wait()
        raised.kernel({}).kill()
        assert workers.fingerprints([{"source": "", "functions": [], "given": []}]) == {}


@bwrap
def test_nothing_outlives_a_supervisor_that_is_killed() -> None:
    code = (
        "import sys, time\n"
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


KEEPING = """
import sys, time
from coursekit.grading.sandbox import cgroup
from coursekit.grading.sandbox.limits import Limits
from coursekit.grading.sandbox.walls import Walls
with Walls("bwrap", Limits(), COURSE.observations) as walls:
    group = cgroup.create(1 << 30)
    print(walls.notebooks.parent, getattr(group, "_folder", ""), flush=True)
    time.sleep(600)
"""
"""A run that stays, and tells of its folder and of an empty memory cgroup, if there can be one."""


@bwrap
def test_what_a_killed_run_left_is_swept_by_the_next_and_no_living_run_is(raised: Walls) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", KEEPING], stdout=subprocess.PIPE, text=True
    ) as each:
        try:
            assert each.stdout is not None
            left = [Path(path) for path in each.stdout.readline().split()]
            run_folder.sweep()
            cgroup.sweep()
            assert all(path.exists() for path in left)
        finally:
            each.kill()
    assert all(path.exists() for path in left)
    with Walls("bwrap", Limits(), COURSE.observations) as other:
        assert not any(path.exists() for path in left)
        run_folder.sweep()
        assert other.notebooks.exists()
        assert raised.notebooks.exists()
    assert not other.notebooks.parent.exists()
    raised.kernel({}).kill()


def test_a_sweep_leaves_what_is_no_run_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_folder, "_PLACE", tmp_path)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "lock").touch()
    (tmp_path / "ck-link").symlink_to("elsewhere")
    (tmp_path / "ck-without-lock").mkdir()
    (tmp_path / "ck-file").touch()
    (tmp_path / "ck-dead").mkdir()
    (tmp_path / "ck-dead" / "lock").touch()
    kept = {"elsewhere", "ck-link", "ck-without-lock", "ck-file"}
    if os.geteuid() == 0:  # who can give a folder to another user
        (tmp_path / "ck-another-s").mkdir()
        (tmp_path / "ck-another-s" / "lock").touch()
        os.chown(tmp_path / "ck-another-s", 12_345, 12_345)
        kept.add("ck-another-s")
    run_folder.sweep()
    assert {path.name for path in tmp_path.iterdir()} == kept
    assert (tmp_path / "elsewhere" / "lock").exists()


@bwrap
def test_it_says_that_bubblewrap_works_and_what_it_leaves_open() -> None:
    found = availability.examine()
    assert found.state == "good"
    assert "bubblewrap works" in found.text
    assert "\n" not in found.text


def test_nothing_of_the_course_is_shown() -> None:
    shown = [source for source, _ in runtime.binds()]
    assert not [path for path in shown if "coursekit" in Path(path).name]
    package = Path(runtime.__file__).parent.parent
    assert not [path for path in shown if package.is_relative_to(path) and path not in ("/lib",)]
    assert {"ipykernel", "zmq", "IPython"} <= set(runtime.packages())
    assert not {"coursekit", "nbval", "pytest", "jupyterlab", "debugpy"} & set(runtime.packages())


def test_libraries_among_the_system_s_are_shown_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a distribution's own Python has them: a bind within a read-only one would fail."""
    folder = next(each.parent for each in Path("/usr/lib").rglob("*.so") if each.is_file())
    monkeypatch.setattr(sysconfig, "get_config_var", lambda _: str(folder))
    files = [Path(source) for source, _ in runtime.binds() if Path(source).is_file()]
    assert not [each for each in files if each.is_relative_to("/usr/lib")]


def test_programs_inside_hold_no_answers() -> None:
    """Of coursekit they may import what observes, which is there beside them."""
    programs = runtime.programs(COURSE.observations)
    for program in programs.values():
        for node in ast.walk(ast.parse(as_run(program.read_text(encoding="utf-8")))):
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("coursekit"):
                assert f"{str(node.module).replace('.', '/')}.py" in programs
    assert not [name for name in programs if "course/" in name or "lab" in name]


def as_run(source: str) -> str:
    """A program without what only a type checker reads."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = [ast.Pass()]
    return ast.unparse(tree)


def test_auto_refuses_without_bubblewrap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(CoursekitError, match="apt install bubblewrap"):
        availability.choose("auto")
    with pytest.raises(CoursekitError, match="--isolation process"):
        availability.choose("bwrap")


def test_process_isolation_is_for_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(CoursekitError, match="only root"):
        availability.choose("process")
