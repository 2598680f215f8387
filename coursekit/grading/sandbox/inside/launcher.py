"""The launcher of kernels, a fork server: imports are done once, walls are made for each.

Started inside the outer sandbox as `python launcher.py FD MODE`. On the socket FD come
requests, one message each: JSON, and a socket for the answers. On that socket the
new kernel's first process says how far it is, and waits where it must be let on:

    "made" + a pidfd    the kernel's first process exists     waits for "enter"
    "ready"             sockets bound, folder sealed, capabilities gone
    "failed: ..."       the walls could not be raised

Without walls, what a kernel started does not end with it: a request with `end` kills
all of a user, and is answered with "ended". When the socket is closed, so are all.

This process stays single-threaded and reads no student byte, nor does a kernel
before it is "ready".
"""

import json
import os
import signal
import socket
import sys
import time
from types import ModuleType
from typing import TYPE_CHECKING, TypedDict, final

if TYPE_CHECKING:  # inside they are files beside this one
    from coursekit.grading.sandbox.inside import confinement
else:
    import confinement


@final
class KernelRequest(TypedDict):
    """A kernel to launch.

    `folder` is the name of its folder among all, `home` that folder's path outside. `uid`
    is the user to become, `key` the secret that signs its messages.
    """

    folder: str
    home: str
    uid: int
    key: str
    limits: confinement.ProcessLimits


@final
class EndRequest(TypedDict):
    """A user all of whose processes are to be ended."""

    end: int


def main() -> None:
    """Serve until the other end of the socket is closed."""
    control = socket.socket(fileno=int(sys.argv[1]))
    walled = sys.argv[2] == "bwrap"
    if walled:
        confinement.die_with_parent()
    _warm_up()
    control.send(b"warm")
    users: set[int] = set()
    while True:
        message, files, _, _ = socket.recv_fds(control, 65536, 1)
        confinement.reap()
        if not message:
            for user in users:
                _end(user)
            os._exit(0)
        request: KernelRequest | EndRequest = json.loads(message)
        reply = socket.socket(fileno=files[0])
        if "end" in request:
            _end(request["end"])
            users.discard(request["end"])
            reply.send(b"ended")
            reply.close()
            continue
        if not walled:
            users.add(request["uid"])
        child = os.fork()
        if child == 0:
            control.close()
            try:
                _make(request, reply, walled)
            except BaseException as error:
                reply.send(f"failed: {type(error).__name__}: {error}".encode())
            os._exit(1)
        reply.close()


def _end(user: int) -> None:
    """Kill every process of a user, at one stroke: none is quick enough to get away."""
    child = os.fork()
    if child == 0:
        try:
            confinement.become(user)
            os.kill(-1, signal.SIGKILL)
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    deadline = time.monotonic() + _GONE_SECONDS
    while confinement.has_processes(user) and time.monotonic() < deadline:
        time.sleep(0.01)


_GONE_SECONDS = 10.0  # on a busy computer, what was killed takes a moment to be gone


def _warm_up() -> None:
    """Import what every kernel needs; no thread is started and no socket opened."""
    import gc
    import importlib

    # What observes lies flat beside this file, and imports its parts by their full names.
    for name in ("coursekit", "coursekit.check"):
        package = sys.modules[name] = ModuleType(name)
        package.__path__ = [os.path.dirname(__file__)]
    for name in ("kernel", *_LATE):
        importlib.import_module(name)
    observing = importlib.import_module("coursekit.check.observing")
    observing.hide_coursekit()
    gc.collect()
    gc.freeze()


_LATE = ("linecache", "tempfile", "unicodedata")
"""What a kernel would import by itself in each run."""


def _make(request: KernelRequest, reply: socket.socket, walled: bool) -> None:
    """Enter new walls, leave their first process behind, and end."""
    if walled:
        confinement.enter(request["folder"])
        first = os.fork()
        if first:
            socket.send_fds(reply, [b"made"], [os.pidfd_open(first)])
            os._exit(0)
    else:
        confinement.die_with_parent()
        socket.send_fds(reply, [b"made"], [os.pidfd_open(os.getpid())])
    os.setsid()
    try:
        _first_process(request, reply, walled)
    except BaseException as error:
        reply.send(f"failed: {type(error).__name__}: {error}".encode())
    os._exit(1)


def _first_process(request: KernelRequest, reply: socket.socket, walled: bool) -> None:
    """Start the kernel, seal its folder, then wait: when this ends, all in here ends."""
    if reply.recv(16) != b"enter":
        os._exit(1)
    if walled:
        confinement.furnish(request["limits"]["scratch"])
    bound, report_to = os.pipe()
    wait_on, let_on = os.pipe()
    kernel = os.fork()
    if kernel == 0:
        reply.close()
        os.close(bound)
        os.close(let_on)
        try:
            _kernel(request, walled, report_to, wait_on)
        except BaseException as error:
            os.write(report_to, f"{type(error).__name__}: {error}".encode()[:500])
        os._exit(1)
    os.close(report_to)
    os.close(wait_on)
    report = os.read(bound, 500)
    if report != b"bound":
        raise RuntimeError(f"the kernel did not start: {report.decode() or 'it ended'}")
    os.close(bound)
    if walled:
        confinement.seal()
        confinement.drop_bounding()
        if os.getuid() == 0:
            confinement.become(request["uid"])
        confinement.drop_capabilities()
    reply.send(b"ready")
    reply.close()
    os.write(let_on, b"g")
    while True:
        ended, status = os.wait()
        if ended == kernel:
            os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def _kernel(request: KernelRequest, walled: bool, report_to: int, wait_on: int) -> None:
    """The kernel itself: small rights first, then sockets, then the first cell."""
    home = confinement.KERNEL if walled else request["home"]
    if walled:
        confinement.drop(request["uid"])
    else:
        confinement.become(request["uid"])
        confinement.die_with_parent()
    confinement.limit(request["limits"])
    confinement.refuse_calls()
    scratch = "/tmp" if walled else os.path.join(home, "scratch")
    os.environ.clear()
    os.environ.update(
        HOME=scratch,
        TMPDIR=scratch,
        IPYTHONDIR=os.path.join(scratch, ".ipython"),
        PATH="/usr/bin:/bin",
        LANG="C.UTF-8",
    )
    os.chdir(scratch)
    os.umask(0)
    for number in (0, 1, 2):
        os.dup2(os.open(os.devnull, os.O_RDWR), number)
    sys.path[:] = [os.path.join(home, "answers"), *sys.path[1:]]  # in place of the programs here
    if TYPE_CHECKING:
        from coursekit.grading.sandbox.inside import kernel
    else:
        import kernel
    answers = kernel.bound(home, request["key"])
    os.write(report_to, b"bound")
    os.close(report_to)
    if os.read(wait_on, 1) != b"g":
        os._exit(1)
    os.close(wait_on)
    os.umask(0o077)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    answers.serve()


if __name__ == "__main__":
    main()
