"""Every private part of nbval, jupyter_client, pyzmq and pytest that a worker changes or uses.

Each function is one of them, says the version that it was written for, what it touches and
why. `pyproject.toml` bounds these libraries above, and a test for each function fails when
what it touches is no longer what it was. All are for a worker's process and last for its life.
"""

import os
from collections.abc import Callable, Sequence
from importlib.metadata import EntryPoint
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import pytest


class _File(Protocol):
    def setup(self) -> None: ...


class NotebookCell(Protocol):
    """The parts of nbval 0.11's `IPyNbCell` that a worker relies on.

    `runtest` runs the cell and compares; what it raises says that it did not pass.
    `test_outputs` is None until the kernel has replied. `parent.setup` finds the kernel.
    """

    cell_num: int
    test_outputs: Sequence[Any] | None
    output_timeout: float
    parent: _File

    def runtest(self) -> None: ...


def apply_all() -> None:
    """Apply what every notebook needs, once, before a worker is forked."""
    skip_message_log()
    keep_dates_as_text()
    read_messages_without_event_loop()
    skip_wait_for_ready()
    skip_text_of_differences()


def skip_message_log() -> None:
    """nbval 0.11, `nbval.kernel.pformat`: lays out every message for the debug log.

    Nobody reads that log, and it costs nbval half its time.
    """
    import nbval.kernel

    nbval.kernel.pformat = lambda _: ""


def keep_dates_as_text() -> None:
    """jupyter_client 8.10, `jupyter_client.session.extract_dates`: reads dates in headers.

    Nobody asks when a message was sent.
    """
    import jupyter_client.session

    session: Any = jupyter_client.session
    session.extract_dates = lambda message: message


def read_messages_without_event_loop() -> None:
    """nbval 0.11, `RunningKernel.get_message`: reads through jupyter_client's client.

    That client starts an event loop for each message. This one polls the channel's socket
    (jupyter_client 8.10, `ZMQSocketChannel.socket` and `.session`) and reads what is there.
    """
    import nbval.kernel

    nbval.kernel.RunningKernel.get_message = _get_message


def _get_message(kernel: Any, stream: str, timeout: float | None = None) -> object:
    from queue import Empty

    channel = kernel.kc.iopub_channel if stream == "iopub" else kernel.kc.shell_channel
    if not channel.socket.poll(None if timeout is None else 1000 * timeout):
        raise Empty
    message: object = channel.session.recv(channel.socket, mode=0)[1]
    return message


def skip_wait_for_ready() -> None:
    """jupyter_client 8.10, `BlockingKernelClient.wait_for_ready`: waits for the kernel.

    nbval waits itself (`RunningKernel._ensure_iopub_up`); the client's own way takes a
    fifth of a second more.
    """
    from jupyter_client.blocking.client import BlockingKernelClient

    client: Any = BlockingKernelClient
    client.wait_for_ready = lambda *_, **__: None


def skip_text_of_differences() -> None:
    """nbval 0.11, `IPyNbCell.format_output_compare`: writes how two outputs differ.

    That they do is all there is to know: messages are made from the observations.
    """
    import nbval.plugin

    nbval.plugin.IPyNbCell.format_output_compare = lambda *_: None


def limit_received(most: int, flooded: Callable[[], object]) -> None:
    """jupyter_client 8.10, `Session.deserialize`: every message passes through it.

    Counts the bytes of all messages before they are read; above `most`, `flooded` is called
    and the process ends.
    """
    from jupyter_client.session import Session

    taken = 0
    deserialize = Session.deserialize

    def counted(self: Any, parts: Any, *args: Any, **kwargs: Any) -> object:
        nonlocal taken
        taken += sum(len(getattr(part, "bytes", part)) for part in parts)
        if taken > most:
            flooded()
            os._exit(0)
        return deserialize(self, parts, *args, **kwargs)

    session: Any = Session
    session.deserialize = counted


def limit_message_size(largest: int) -> None:
    """pyzmq 27.3, `Context.socket` and `Context.sockopts`: how jupyter_client makes sockets.

    What a context has in `sockopts`, its sockets have before they connect: ZeroMQ itself
    refuses a part of more than `largest` bytes, and holds few messages.
    """
    import zmq

    context: Any = zmq.Context
    make_socket = context.socket

    def limited(self: Any, *args: Any, **kwargs: Any) -> object:
        self.sockopts |= {zmq.MAXMSGSIZE: largest, zmq.RCVHWM: 64}
        return make_socket(self, *args, **kwargs)

    context.socket = limited


def register_provisioner(name: str, reference: str) -> None:
    """jupyter_client 8.10, `KernelProvisionerFactory.provisioners`: known entry points.

    An installed entry point would be there for every Jupyter on this computer; this one
    is for this process.
    """
    from jupyter_client.provisioning.factory import KernelProvisionerFactory

    entry = EntryPoint(name, reference, KernelProvisionerFactory.GROUP_NAME)
    KernelProvisionerFactory.instance().provisioners[name] = entry


def collect_cells(path: str, not_compared: Sequence[str]) -> list[NotebookCell]:
    """pytest 9.2, `_pytest.config._prepareconfig` and `Config._do_configure`: a session.

    Public ways to start pytest collect and run in one go. Here a notebook is collected
    once, before any fork, and its cells are run later, one process for each submission.
    nbval 0.11, `IPyNbCell.output_timeout`: five seconds, after which nbval ends a cell;
    when a time is up is decided by the run, and never here.
    """
    from _pytest.config import _prepareconfig
    from _pytest.main import Session

    plugins = ["-p", "nbval.plugin", "-p", "no:terminal", "-p", "no:cacheprovider"]
    where = ["--capture=no", f"--rootdir={os.path.dirname(path)}"]
    config: pytest.Config = _prepareconfig([*plugins, "--nbval", *where, path])
    config.option.color, config.option.verbose = "no", 0  # which nbval asks for
    config.pluginmanager.register(_Skipping(not_compared))
    config._do_configure()
    session = Session.from_config(config)
    config.hook.pytest_sessionstart(session=session)
    config.hook.pytest_collection(session=session)
    items: list[Any] = list(session.items)
    cells: list[NotebookCell] = items
    for cell in cells:
        cell.output_timeout = config.option.nbval_cell_timeout
    return cells


class _Skipping:
    """A pytest plugin: nbval 0.11, `IPyNbFile.skip_compare`, the outputs not compared."""

    def __init__(self, not_compared: Sequence[str]) -> None:
        self._not_compared = tuple(not_compared)

    def pytest_collectstart(self, collector: Any) -> None:
        """Add to what nbval does not compare."""
        if hasattr(collector, "skip_compare"):
            collector.skip_compare += self._not_compared
