"""The walls around answers: an outer sandbox that stays, and inner walls per kernel.

`Walls` starts bubblewrap once, with a launcher in it, a Python process that sees Python,
ipykernel and an empty folder of kernels. For each kernel that process forks, and the
fork raises walls of its own (`inside/confinement.py`) before a student byte is
there. Killing the first process inside those walls ends everything behind them.
"""

import contextlib
import itertools
import os
import secrets
import shutil
import socket
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from coursekit.grading.sandbox import cgroup, run_folder, runtime
from coursekit.grading.sandbox.fork_server import ForkServer
from coursekit.grading.sandbox.inside.confinement import has_processes
from coursekit.grading.sandbox.kernel_handle import KernelHandle
from coursekit.grading.sandbox.limits import Limits

if TYPE_CHECKING:  # it is a program of the inside, and can't be imported here
    from coursekit.grading.sandbox.inside.launcher import EndRequest, KernelRequest

Isolation = Literal["bwrap", "process"]

ANSWERS_UID = 61_357
"""As root: the first of the users that answers run as, each with no rights anywhere."""

_START = "import sys; sys.path[:0] = {paths!r}; import launcher; launcher.main()"


class WallsError(Exception):
    """The walls could not be raised: a fault of the machine, not of a submission."""


class Walls:
    """The outer sandbox of one run; a context manager.

    `observations` is the course's file of them. `notebooks` is a folder outside of the
    sandbox, for the run's own files.
    """

    def __init__(self, isolation: Isolation, limits: Limits, observations: Path) -> None:
        self.isolation = isolation
        self.limits = limits
        self._observations = observations
        self._numbers = itertools.count(1)
        self._numbering = threading.Lock()
        # One seed for all: a set is walked in the same order in each run.
        environment = {"LANG": "C.UTF-8", "PYTHONHASHSEED": "0"}
        self._launcher = ForkServer(
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
        for name, program in runtime.programs(self._observations).items():
            shutil.copyfile(program, self._inside / name)
        if self.isolation == "process":
            self._home.chmod(0o711)
        try:
            if self.isolation == "process" and not runtime.is_for_all():
                raise WallsError(
                    f"other users can't read {sys.executable} and its libraries, so answers "
                    "can't run as one: use a Python that is installed for everybody"
                )
            self._launcher.start()
            self.kernel({}).kill()  # what fails for the first would fail for all
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._launcher.end()
        self._folder.remove()

    def kernel(self, answers: Mapping[str, bytes]) -> KernelHandle:
        """A fresh kernel with these answer files; raises `WallsError`."""
        with self._numbering:
            number = next(self._numbers)
            while self.isolation == "process" and has_processes(_uid(number)):
                number = next(self._numbers)
        user = _uid(number)
        folder = self._kernels / f"k{number}"
        self._lay_out(folder, answers, user)
        key = secrets.token_hex(32)
        request: KernelRequest = {
            "folder": folder.name,
            "home": str(folder),
            "uid": user,
            "key": key,
            "limits": {
                "address_space": self.limits.address_space,
                "cpu": self.limits.cpu,
                "processes": self.limits.processes,
                "scratch": self.limits.scratch,
            },
        }
        try:
            with self._launcher.ask(request, []) as ours:
                reply, files, _, _ = socket.recv_fds(ours, 4096, 1)
                if not files:
                    raise WallsError(f"no walls: {_text(reply)}")
                group = cgroup.create(self.limits.memory)
                pid = _pid_behind(files[0])
                kernel = KernelHandle(folder, key, files[0], pid, group, lambda: self._end(user))
                if kernel.group is not None:
                    kernel.group.add(kernel.pid)
                ours.send(b"enter")
                reply = ours.recv(4096)
        except OSError as problem:
            raise WallsError(f"the sandbox does not answer: {problem}") from problem
        if reply != b"ready":
            kernel.kill()
            raise WallsError(f"no walls: {_text(reply)}")
        return kernel

    def _end(self, user: int) -> None:
        """End what a kernel started: behind walls that is over when its first process is."""
        if self.isolation == "process":
            request: EndRequest = {"end": user}
            with contextlib.suppress(OSError), self._launcher.ask(request, []) as ours:
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
    """The command line that starts the launcher."""
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
    # Made one by one, for a folder that a bind makes can be entered by nobody else.
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


def _text(reply: bytes) -> str:
    return reply.decode("utf-8", "replace") or "no answer"


def _pid_behind(pidfd: int) -> int:
    for line in Path(f"/proc/self/fdinfo/{pidfd}").read_text().splitlines():
        if line.startswith("Pid:"):
            return int(line.split()[1])
    raise WallsError("this system does not name a process by its descriptor")
