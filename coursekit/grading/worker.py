"""The worker: nbval in a process of its own, thrown away after one notebook.

`python -m coursekit.grading.worker FD` imports pytest and nbval once and forks for
each request on the socket FD. A request is JSON with two descriptors: a socket for
the results and the kernel's process. The results are lines of JSON: one when nbval has
found the kernel, and one for each cell when it has compared it. In front of them is an
empty line that comes with a descriptor of the worker's process.

A last line has fingerprints of the code; a request without a notebook is for those
alone, and the code comes on the socket.
"""

import gc
import json
import os
import resource
import select
import socket
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from coursekit.grading.inside.bench import LARGEST, LARGEST_SAID, NOTE, OBSERVED, SAID
from coursekit.grading.inside.walls_inside import die_with_parent, reap
from coursekit.grading.notebook import KERNEL_NAME

PRINTED = 2_000
"""Characters of a cell's streams that are passed on."""


def main() -> None:
    """Serve until the other end of the socket is closed."""
    control = socket.socket(fileno=int(sys.argv[1]))
    die_with_parent()
    _warm_up()
    control.send(b"warm")
    notebooks = _Notebooks()
    while True:
        message, files, _, _ = socket.recv_fds(control, 65536, 2)
        reap()
        if not message:
            return
        request = json.loads(message)
        if "notebook" in request:
            notebooks.cells(request["notebook"])
        child = os.fork()
        if child:
            with socket.socket(fileno=files[0]) as results:
                pidfd = os.pidfd_open(child)
                socket.send_fds(results, [b"\n"], [pidfd])
            for each in (pidfd, *files[1:]):
                os.close(each)
            continue
        control.close()
        try:
            if "notebook" in request:
                cells = notebooks.cells(request["notebook"])
                _work(request, cells, socket.socket(fileno=files[0]), files[1])
            else:
                _compare_code(request["memory"], socket.socket(fileno=files[0]))
        finally:
            os._exit(0)


def _warm_up() -> None:
    """Import what each notebook needs, and do once what would be done for each."""
    import jupyter_client.session
    import nbval.kernel
    import nbval.plugin
    from jupyter_client.blocking.client import BlockingKernelClient
    from jupyter_client.kernelspec import KernelSpecManager

    from coursekit.grading import fingerprint, provisioner  # noqa: F401
    from coursekit.workbook import nbval_rule  # noqa: F401

    provisioner.register()
    KernelSpecManager().get_kernel_spec(KERNEL_NAME)
    # nbval lays out every message for a log that nobody reads, which costs it half its time;
    # and nobody asks when a message was sent.
    nbval.kernel.pformat = lambda _: ""
    dates: Any = jupyter_client.session
    dates.extract_dates = lambda message: message
    nbval.kernel.RunningKernel.get_message = _get_message
    # nbval waits for the kernel itself; the client's own way takes a fifth of a second more.
    clients: Any = BlockingKernelClient
    clients.wait_for_ready = lambda *_, **__: None
    # That two texts differ is all there is to know; how they do is told elsewhere.
    nbval.plugin.IPyNbCell.format_output_compare = lambda *_: None
    gc.collect()
    gc.freeze()


def _get_message(kernel: Any, stream: str, timeout: float | None = None) -> Any:
    """A message of a kernel's channel, read without an event loop for each."""
    from queue import Empty

    channel = kernel.kc.iopub_channel if stream == "iopub" else kernel.kc.shell_channel
    if not channel.socket.poll(None if timeout is None else 1000 * timeout):
        raise Empty
    return channel.session.recv(channel.socket, mode=0)[1]


class _Notebooks:
    """Notebooks as nbval's cells, read before the fork: they are ours, and few."""

    def __init__(self) -> None:
        self._known: dict[str, list[Any]] = {}

    def cells(self, path: str) -> list[Any]:
        """The cells of a notebook, each ready to run; only the newest few are kept."""
        if path not in self._known:
            if len(self._known) > 8:
                self._known.clear()
            self._known[path] = _collected(path)
            gc.freeze()
        return self._known[path]


def _collected(path: str) -> list[Any]:
    from _pytest.config import _prepareconfig
    from _pytest.main import Session

    plugins = ["-p", "nbval.plugin", "-p", "no:terminal", "-p", "no:cacheprovider"]
    where = ["--capture=no", f"--rootdir={os.path.dirname(path)}"]
    config = _prepareconfig([*plugins, "--nbval", *where, path])
    config.option.color, config.option.verbose = "no", 0  # which nbval asks for
    config.pluginmanager.register(_Compared())
    config._do_configure()
    session = Session.from_config(config)
    config.hook.pytest_sessionstart(session=session)
    config.hook.pytest_collection(session=session)
    cells: list[Any] = list(session.items)
    for cell in cells:  # the supervisor says when a time is up, and nbval never before
        cell.output_timeout = config.option.nbval_cell_timeout
    return cells


class _Compared:
    """A pytest plugin that has observations compared and nothing else."""

    def pytest_collectstart(self, collector: Any) -> None:
        """Name what is not compared."""
        from coursekit.workbook.nbval_rule import NOT_COMPARED

        if hasattr(collector, "skip_compare"):
            collector.skip_compare += (*NOT_COMPARED, "text/plain", SAID, NOTE)


def _work(request: dict[str, Any], cells: list[Any], results: socket.socket, pidfd: int) -> None:
    """Let nbval run and compare the cells, and tell what comes of each.

    They are run without pytest's protocol around each: of that, nothing is used here.
    """
    gc.disable()  # it is gone in a moment
    die_with_parent()
    resource.setrlimit(resource.RLIMIT_DATA, (request["memory"], request["memory"]))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    from coursekit.grading import provisioner

    _cap_messages(request["message"], request["received"], results)
    provisioner.hand_over(pidfd, request["connection"])
    try:
        cells[0].parent.setup()
    except BaseException as problem:  # before the first cell, so not the answer's doing
        _tell(results, fault=str(problem)[:500])
        return
    _tell(results, begun=True)
    for cell in cells:
        passed = True
        try:
            cell.runtest()
        except BaseException:  # nbval's own, or pytest's, which are no Exception
            passed = False
            if cell.test_outputs is None and select.select([pidfd], [], [], 0)[0]:
                return  # the kernel had ended before: that costs the cells left nothing
        _tell(results, cell=cell.cell_num, passed=passed, **_outputs(cell.test_outputs))
    _compare_code_of(request["asked"], results)


def _compare_code(memory: int, results: socket.socket) -> None:
    """Answer with the fingerprints of the code that comes."""
    from coursekit.grading.fingerprint import fingerprints

    die_with_parent()
    for limit, value in ((resource.RLIMIT_DATA, memory), (resource.RLIMIT_CPU, 5)):
        resource.setrlimit(limit, (value, value))
    with results.makefile("rb") as file:
        asked = json.load(file)
    found: dict[str, str] = {}
    for each in asked:
        source = each["source"].encode("latin-1")
        found |= fingerprints(source, each["functions"], each["given"])
    _tell(results, found=found)


def _compare_code_of(asked: Sequence[dict[str, Any]], results: socket.socket) -> None:
    """The same at the end of a notebook: the verdicts are told, so this may end anyhow."""
    from coursekit.grading.fingerprint import fingerprints

    spent = int(time.process_time())
    resource.setrlimit(resource.RLIMIT_CPU, (spent + 5, spent + 5))
    found: dict[str, str] = {}
    for each in asked:
        source = Path(each["file"]).read_bytes()
        found |= fingerprints(source, each["functions"], each["given"])
    _tell(results, found=found)


def _cap_messages(largest: int, most: int, results: socket.socket) -> None:
    """Refuse large messages before they are read, and stop when all are too much."""
    import zmq
    from jupyter_client.session import Session

    taken = 0
    deserialize = Session.deserialize

    def counted(self: Any, parts: Any, *args: Any, **kwargs: Any) -> Any:
        nonlocal taken
        taken += sum(len(getattr(part, "bytes", part)) for part in parts)
        if taken > most:
            _tell(results, flooded=True)
            os._exit(0)
        return deserialize(self, parts, *args, **kwargs)

    counting: Any = Session
    counting.deserialize = counted
    contexts: Any = zmq.Context
    make_socket = contexts.socket

    def capped(self: Any, *args: Any, **kwargs: Any) -> Any:
        # What a context has here, its sockets have from the start.
        self.sockopts |= {zmq.MAXMSGSIZE: largest, zmq.RCVHWM: 64}
        return make_socket(self, *args, **kwargs)

    contexts.socket = capped


def _tell(results: socket.socket, **line: Any) -> None:
    results.sendall(json.dumps(line).encode() + b"\n")


def _outputs(outputs: Any) -> dict[str, str | None]:
    """What a cell showed and printed; outputs may be of any shape, and say anything."""
    shown: Any = {}
    printed = ""
    for each in outputs or ():
        if each.output_type == "execute_result":
            shown = each.get("data")
        elif each.output_type == "stream" and isinstance(each.get("text"), str):
            printed += each["text"][:PRINTED]
    if not isinstance(shown, dict):
        shown = {}
    return {
        "observed": _text(shown.get(OBSERVED), LARGEST),
        "said": _text(shown.get(SAID), LARGEST_SAID),
        "note": _text(shown.get(NOTE), LARGEST),
        "printed": printed[:PRINTED],
    }


def _text(value: Any, longest: int) -> str | None:
    """The value if it is a text that a bench could have shown."""
    return value if isinstance(value, str) and len(value) <= longest else None


if __name__ == "__main__":
    main()
