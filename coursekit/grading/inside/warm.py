"""A warm process that forks kernels: imports are done once, walls are made for each.

Started inside the outer sandbox as `python warm.py FD MODE`. On the socket FD come
requests, one message each: JSON, and a socket for the answers. On that socket the
new kernel's first process says how far it is, and waits where it must be let on:

    "made" + a pidfd    the kernel's first process exists     waits for "enter"
    "ready"             sockets bound, folder sealed, capabilities gone
    "failed: ..."       the walls could not be raised

This process stays single-threaded and reads no student byte, nor does a kernel
before it is "ready".
"""

import json
import os
import signal
import socket
import sys
from typing import Any

import walls_inside as walls  # type: ignore[import-not-found]


def main() -> None:
    """Serve until the other end of the socket is closed."""
    control = socket.socket(fileno=int(sys.argv[1]))
    walled = sys.argv[2] == "bwrap"
    walls.die_with_parent()
    _warm_up()
    control.send(b"warm")
    while True:
        message, files, _, _ = socket.recv_fds(control, 65536, 1)
        walls.reap()
        if not message:
            os._exit(0)
        reply = socket.socket(fileno=files[0])
        child = os.fork()
        if child == 0:
            control.close()
            try:
                _make(json.loads(message), reply, walled)
            except BaseException as error:
                reply.send(f"failed: {type(error).__name__}: {error}".encode())
            os._exit(1)
        reply.close()


def _warm_up() -> None:
    """Import what every kernel needs; no thread is started and no socket opened."""
    import gc
    import importlib
    import zlib

    import bench  # type: ignore[import-not-found]  # noqa: F401
    import ipykernel.compiler
    import ipykernel.debugger
    import ipykernel.ipkernel
    import ipykernel.kernelapp
    import ipykernel.zmqshell
    import observer  # type: ignore[import-not-found]  # noqa: F401

    # It names each cell's source for a debugger, and takes longer over that in plain
    # Python than the cell takes to run.
    ipykernel.compiler.murmur2_x86 = lambda text, seed: zlib.crc32(text.encode(), seed & 0xFFFFFFFF)
    for name in _LATE:
        importlib.import_module(name)
    _tame_output()
    gc.collect()
    gc.freeze()


_LATE = (
    "faulthandler",
    "IPython.core.completerlib",
    "IPython.core.debugger",
    "IPython.core.logger",
    "IPython.core.oinspect",
    "IPython.extensions.storemagic",
    "pdb",
    "tornado.platform.asyncio",
    "unicodedata",
)
"""What a kernel would import by itself while it starts."""

PRINTED = 1_000_000
"""Characters that a kernel's answers may print; what is more is dropped."""


def _tame_output() -> None:
    """Let nothing that is printed cost anything: not half characters, not any amount."""
    from contextlib import nullcontext

    from ipykernel.iostream import OutStream
    from IPython.core.interactiveshell import InteractiveShell

    # It would keep all that is printed, for a history that there is none of here.
    shells: Any = InteractiveShell
    shells._tee = lambda self, channel: nullcontext()
    streams: Any = OutStream
    write, flush = streams.write, streams.flush
    left = PRINTED

    def tame(self: Any, text: str) -> Any:
        nonlocal left
        if not isinstance(text, str):
            return write(self, text)  # which says what is wrong with that
        if left <= 0:
            return len(text)
        text = text[:left]
        left -= len(text)
        self.holds_text = True
        # A message with half a character in it could not be sent, and would block the rest.
        return write(self, text.encode("utf-8", "backslashreplace").decode())

    def flush_text(self: Any) -> None:
        # Flushed several times in each cell, at the price of a change of threads each time.
        if getattr(self, "holds_text", False):
            self.holds_text = False
            flush(self)

    streams.write, streams.flush = tame, flush_text


def _make(request: dict[str, Any], reply: socket.socket, walled: bool) -> None:
    """Enter new walls, leave their first process behind, and end."""
    if walled:
        walls.enter(request["folder"])
        first = os.fork()
        if first:
            socket.send_fds(reply, [b"made"], [os.pidfd_open(first)])
            os._exit(0)
    else:
        walls.die_with_parent()
        socket.send_fds(reply, [b"made"], [os.pidfd_open(os.getpid())])
    os.setsid()
    try:
        _first_process(request, reply, walled)
    except BaseException as error:
        reply.send(f"failed: {type(error).__name__}: {error}".encode())
    os._exit(1)


def _first_process(request: dict[str, Any], reply: socket.socket, walled: bool) -> None:
    """Start the kernel, seal its folder, then wait: when this ends, all in here ends."""
    if reply.recv(16) != b"enter":
        os._exit(1)
    if walled:
        walls.furnish(request["limits"]["scratch"])
    bound, tell_bound = os.pipe()
    wait_on, let_on = os.pipe()
    kernel = os.fork()
    if kernel == 0:
        reply.close()
        os.close(bound)
        os.close(let_on)
        try:
            _kernel(request, walled, tell_bound, wait_on)
        except BaseException as error:
            os.write(tell_bound, f"{type(error).__name__}: {error}".encode()[:500])
        os._exit(1)
    os.close(tell_bound)
    os.close(wait_on)
    told = os.read(bound, 500)
    if told != b"bound":
        raise RuntimeError(f"the kernel did not start: {told.decode() or 'it ended'}")
    os.close(bound)
    if walled:
        walls.seal()
        walls.drop_bounding()
        if os.getuid() == 0:
            walls.become(request["uid"])
        walls.drop_capabilities()
    reply.send(b"ready")
    reply.close()
    os.write(let_on, b"g")
    while True:
        ended, status = os.wait()
        if ended == kernel:
            os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def _kernel(request: dict[str, Any], walled: bool, tell_bound: int, wait_on: int) -> None:
    """The kernel itself: small rights first, then sockets, then the first cell."""
    home = walls.KERNEL if walled else request["home"]
    if walled:
        walls.drop(request["uid"])
    else:
        walls.become(request["uid"])
        walls.die_with_parent()
    walls.limit(request["limits"])
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
    app = _application(request, home)
    os.write(tell_bound, b"bound")
    os.close(tell_bound)
    if os.read(wait_on, 1) != b"g":
        os._exit(1)
    os.close(wait_on)
    os.umask(0o077)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    app.start()


def _application(request: dict[str, Any], home: str) -> Any:
    import bench
    import observer
    from ipykernel.ipkernel import IPythonKernel
    from ipykernel.kernelapp import IPKernelApp
    from traitlets.config import Config

    class Application(IPKernelApp):
        """A kernel whose connection was agreed on beforehand, and that has one thread less."""

        def init_connection_file(self) -> None:
            """Nothing to read: the connection came with the request."""

        def write_connection_file(self, **kwargs: Any) -> None:
            """Nothing to write: the other side knows the connection already."""

        def parse_command_line(self, argv: Any = None) -> None:
            """No command line."""

        def init_crash_handler(self) -> None:
            """No report is written anywhere."""

        def init_poller(self) -> None:
            """No parent to watch: the first process ends with its supervisor."""

        def init_gui_pylab(self) -> None:
            """No windows."""

        def init_control(self, context: Any) -> None:
            """The control channel; without a thread of its own for the shell channel."""
            super().init_control(context)  # type: ignore[no-untyped-call]
            self.shell_channel_thread = None

    class Kernel(IPythonKernel):
        """A kernel that says what it shows and when it is done, and leaves out the rest."""

        async def do_execute(self, code: str, *args: Any, **kwargs: Any) -> Any:
            """Run a cell; the bench's own lines without what IPython does around them.

            IPython looks for magics, transforms syntax trees, keeps a history and asks a
            dozen formatters; of a class, that is half of what grading costs.
            """
            if not code.startswith(("look('", "name('", "load('")):
                return await super().do_execute(code, *args, **kwargs)  # type: ignore[no-untyped-call]
            space = {} if self.shell is None else self.shell.user_ns
            reply: dict[str, Any] = {"status": "ok", "payload": [], "user_expressions": {}}
            try:
                shown = eval(code, space)._repr_mimebundle_()
                result = {"data": shown, "metadata": {}, "execution_count": self.execution_count}
                self._publish("execute_result", result)
            except BaseException as error:
                told = {"ename": type(error).__name__, "evalue": "", "traceback": []}
                self._publish("error", told)
                reply |= {"status": "error"} | told
            return reply | {"execution_count": self.execution_count}

        def _publish(self, kind: str, content: dict[str, Any]) -> None:
            parent = self.get_parent("shell")  # type: ignore[no-untyped-call]
            session: Any = self.session
            session.send(self.iopub_socket, kind, content, parent=parent)

        def _publish_execute_input(self, *args: Any, **kwargs: Any) -> None:
            """Nobody wants a cell's source back."""

        def _publish_status(self, status: str, *args: Any, **kwargs: Any) -> None:
            if status != "busy":
                super()._publish_status(status, *args, **kwargs)  # type: ignore[no-untyped-call]

    config = Config()
    config.Session.key = request["key"].encode()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    kind: Any = Application
    app = kind(
        config=config,
        kernel_class=Kernel,
        log_level=50,
        transport="ipc",
        ip=os.path.join(home, "k"),
        capture_fd_output=False,
        user_ns=bench.ready(observer),
        shell_port=1,
        iopub_port=2,
        stdin_port=3,
        control_port=4,
        hb_port=5,
    )
    app.initialize([])
    return app


if __name__ == "__main__":
    main()
