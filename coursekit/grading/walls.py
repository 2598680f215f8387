"""The walls around answers: an outer sandbox that stays, and inner walls per kernel.

`Walls` starts bubblewrap once, with a warm Python process in it that sees Python,
ipykernel and an empty folder of kernels. For each kernel that process forks, and the
fork raises walls of its own (`inside/walls_inside.py`) before a student byte is
there. Killing the first process inside those walls ends everything behind them.
"""

import contextlib
import itertools
import os
import secrets
import select
import shutil
import signal
import socket
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

from coursekit.grading import cgroup, run_folder, runtime
from coursekit.grading.inside.walls_inside import has_processes
from coursekit.grading.limits import Limits
from coursekit.grading.warm_process import WarmProcess
from coursekit.workbook.doctor import Finding
from coursekit.workbook.errors import WorkbookError

Isolation = Literal["bwrap", "process"]

ANSWERS_UID = 61_357
"""As root: the first of the users that answers run as, each with no rights anywhere."""

_START = "import sys; sys.path[:0] = {paths!r}; import warm; warm.main()"


def choose(asked: str) -> Isolation:
    """The isolation for `auto`, `bwrap` or `process`; `WorkbookError` if it isn't there."""
    if asked == "process":
        if os.geteuid() != 0:
            raise WorkbookError(
                "--isolation process runs answers as another user, which only root can do. "
                "Install bubblewrap and leave the option out."
            )
        return "process"
    problem = _missing()
    if problem:
        raise WorkbookError(f"{problem} {WEAKER}")
    return "bwrap"


WEAKER = (
    "Without bubblewrap a submission can read and change this computer. In a container "
    "that forbids namespaces, as root, --isolation process is there: it is weaker."
)


def _missing() -> str:
    """What bubblewrap lacks here, in a sentence; empty if it is there."""
    if not sys.platform.startswith("linux"):
        return "bubblewrap needs Linux."
    if shutil.which("bwrap") is None:
        return "bubblewrap is not installed: apt install bubblewrap (or dnf, pacman)."
    return ""


def _without_bwrap() -> str:
    """Why bubblewrap can't be used here, in a sentence; empty if it can."""
    if problem := _missing():
        return problem
    try:
        with Walls("bwrap", Limits()):
            return ""
    except WallsError as problem:
        return f"bubblewrap does not work here: {problem}."


def look() -> Finding:
    """For the doctor: which isolation works here, and what it leaves open."""
    problem = _without_bwrap()
    if not problem:
        told = (
            "grading: bubblewrap works; answers see no file, network or process of this "
            "computer; a hole in the Linux kernel stays open to them"
        )
        return Finding("isolation", "good", told)
    told = f"grading: {problem}"
    if sys.platform.startswith("linux") and os.geteuid() == 0:
        told += (
            " --isolation process is left, as another user: answers can then read this "
            "computer's files and use its network"
        )
    return Finding("isolation", "optional", told)


class WallsError(Exception):
    """The walls could not be raised: a fault of the machine, not of a submission."""


class Kernel:
    """A kernel behind its own walls: its folder here, how to reach it, how to end it."""

    def __init__(
        self,
        folder: Path,
        key: str,
        first: int,
        group: cgroup.MemoryGroup | None,
        end_others: Callable[[], None],
    ) -> None:
        self.folder = folder
        self.key = key
        self.pidfd = first
        self.group = group
        self.pid = _pid_behind(first)
        self._end_others = end_others

    def connection(self) -> dict[str, Any]:
        """How to reach the kernel, as a Jupyter connection file says it."""
        names = ("shell", "iopub", "stdin", "control", "hb")
        return {
            "transport": "ipc",
            "ip": str(self.folder / "k"),
            "key": self.key,
            "signature_scheme": "hmac-sha256",
        } | {f"{name}_port": number for number, name in enumerate(names, start=1)}

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


class Walls:
    """The outer sandbox of one run; a context manager.

    `notebooks` is a folder outside of it, for the run's own files.
    """

    def __init__(self, isolation: Isolation, limits: Limits) -> None:
        self.isolation = isolation
        self.limits = limits
        self._numbers = itertools.count(1)
        self._numbering = threading.Lock()
        # One seed for all: a set is walked in the same order in each run.
        environment = {"LANG": "C.UTF-8", "PYTHONHASHSEED": "0"}
        self._warm = WarmProcess(
            lambda control: _command(self.isolation, self._home, control), environment, WallsError
        )

    def __enter__(self) -> "Walls":
        run_folder.sweep()
        cgroup.sweep()
        self._folder = run_folder.RunFolder()
        self._home = self._folder.path
        self._kernels = self._home / "kernels"
        self._kernels.mkdir(mode=0o711)
        self._inside = self._home / "inside"
        self._inside.mkdir(mode=0o755)
        self.notebooks = self._home / "notebooks"
        self.notebooks.mkdir(mode=0o700)
        for program in runtime.programs():
            shutil.copyfile(program, self._inside / program.name)
        if self.isolation == "process":
            self._home.chmod(0o711)
        try:
            if self.isolation == "process" and not runtime.is_for_all():
                raise WallsError(
                    f"other users can't read {sys.executable} and its libraries, so answers "
                    "can't run as one: use a Python that is installed for everybody"
                )
            self._warm.start()
            self.kernel({}).kill()  # what fails for the first would fail for all
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._warm.end()
        self._folder.remove()

    def kernel(self, answers: Mapping[str, bytes]) -> Kernel:
        """A fresh kernel with these answer files; raises `WallsError`."""
        with self._numbering:
            number = next(self._numbers)
            while self.isolation == "process" and has_processes(_uid(number)):
                number = next(self._numbers)
        user = _uid(number)
        folder = self._kernels / f"k{number}"
        self._lay_out(folder, answers, user)
        key = secrets.token_hex(32)
        request = {
            "folder": folder.name,
            "home": str(folder),
            "uid": user,
            "key": key,
            "limits": {
                name: getattr(self.limits, name)
                for name in ("address_space", "cpu", "processes", "scratch")
            },
        }
        try:
            with self._warm.ask(request, []) as ours:
                told, files, _, _ = socket.recv_fds(ours, 4096, 1)
                if not files:
                    raise WallsError(f"no walls: {_said(told)}")
                group = cgroup.create(self.limits.memory)
                kernel = Kernel(folder, key, files[0], group, lambda: self._end(user))
                if kernel.group is not None:
                    kernel.group.add(kernel.pid)
                ours.send(b"enter")
                told = ours.recv(4096)
        except OSError as problem:
            raise WallsError(f"the sandbox does not answer: {problem}") from problem
        if told != b"ready":
            kernel.kill()
            raise WallsError(f"no walls: {_said(told)}")
        return kernel

    def _end(self, user: int) -> None:
        """End what a kernel started: behind walls that is over when its first process is."""
        if self.isolation == "process":
            with contextlib.suppress(OSError), self._warm.ask({"end": user}, []) as ours:
                ours.recv(16)

    def _lay_out(self, folder: Path, answers: Mapping[str, bytes], user: int) -> None:
        """The kernel's folder: the answers to read, and room for its sockets."""
        folder.mkdir(mode=0o700)
        (folder / "answers").mkdir(mode=0o755)
        for name, content in answers.items():
            (folder / "answers" / name).write_bytes(content)
            (folder / "answers" / name).chmod(0o444)
        if self.isolation == "process":
            (folder / "scratch").mkdir()
            os.chown(folder / "scratch", user, user)
        if os.geteuid() == 0:
            os.chown(folder, user, user)


def _uid(number: int) -> int:
    return ANSWERS_UID + number % 4096


def _command(isolation: Isolation, home: Path, control: int) -> list[str]:
    """The command line that starts the warm process."""
    arguments = [str(control), isolation]
    if isolation == "process":
        sites = {str(each.parent) for each in runtime.packages().values()}
        paths = [str(home / "inside"), *sorted(sites)]
        return [*runtime.command(), "-c", _START.format(paths=paths), *arguments]
    paths = [runtime.INSIDE, runtime.SITE]
    start = [*runtime.command(), "-c", _START.format(paths=paths), *arguments]
    return [*_bwrap(home), "--", *start]


def _bwrap(home: Path) -> list[str]:
    command = ["bwrap", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
    command += ["--unshare-cgroup-try", "--die-with-parent", "--new-session"]
    if os.geteuid() == 0:
        # What raising inner walls takes; each kernel gives all of it up, and root with it.
        command += ["--cap-drop", "ALL"]
        for name in ("SYS_ADMIN", "SETUID", "SETGID", "SETPCAP"):
            command += ["--cap-add", f"CAP_{name}"]
    else:
        command += ["--unshare-user"]
    shown = runtime.binds()
    # Said in so many words, for a folder that a bind makes can be entered by nobody else.
    parents = {str(parent) for _, target in shown for parent in Path(target).parents}
    for folder in sorted(parents - {"/"}):
        command += ["--dir", folder]
    for source, target in shown:
        command += ["--ro-bind", source, target]
    for folder in runtime.masked():
        command += ["--size", "4096", "--tmpfs", folder, "--remount-ro", folder]
    command += ["--dir", "/dev"]
    for device in ("null", "zero", "full", "random", "urandom"):
        command += ["--dev-bind", f"/dev/{device}", f"/dev/{device}"]
    command += ["--proc", "/proc", "--dir", "/tmp", "--dir", "/kernel"]
    command += ["--ro-bind", str(home / "inside"), runtime.INSIDE]
    command += ["--bind", str(home / "kernels"), "/kernels", "--remount-ro", "/"]
    return command


def _said(told: bytes) -> str:
    return told.decode("utf-8", "replace") or "no answer"


def _pid_behind(pidfd: int) -> int:
    for line in Path(f"/proc/self/fdinfo/{pidfd}").read_text().splitlines():
        if line.startswith("Pid:"):
            return int(line.split()[1])
    raise WallsError("this system does not tell a process by its descriptor")
