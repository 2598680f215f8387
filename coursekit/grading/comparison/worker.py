"""The worker: nbval in a process of its own, thrown away after one notebook.

`python -m coursekit.grading.comparison.worker FD` imports pytest and nbval once and forks
for each request on the socket FD. A request is JSON with two descriptors: a socket for
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
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from coursekit.grading.comparison import patches, wire
from coursekit.grading.comparison.patches import NotebookCell
from coursekit.grading.graded_notebook import KERNEL_NAME
from coursekit.grading.sandbox.inside.bench import (
    LARGEST,
    LARGEST_REFUSALS,
    NOTE,
    OBSERVED,
    REFUSALS,
)
from coursekit.grading.sandbox.inside.confinement import die_with_parent, reap

PRINTED = 2_000
"""Characters of a cell's streams that are passed on."""

_FINGERPRINT_SECONDS = 5
"""CPU seconds that fingerprints may take."""


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
        request: wire.WorkerRequest = json.loads(message)
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
                _compare(request, cells, socket.socket(fileno=files[0]), files[1])
            else:
                _fingerprint_sources(request["memory"], socket.socket(fileno=files[0]))
        finally:
            os._exit(0)


def _warm_up() -> None:
    """Import what each notebook needs, and do once what would be done for each."""
    from jupyter_client.kernelspec import KernelSpecManager

    from coursekit.grading.comparison import fingerprint, provisioner  # noqa: F401

    patches.register_provisioner(provisioner.NAME, provisioner.REFERENCE)
    KernelSpecManager().get_kernel_spec(KERNEL_NAME)
    patches.apply_all()
    gc.collect()
    gc.freeze()


class _Notebooks:
    """Notebooks as nbval's cells, read before the fork: they are ours, and few."""

    def __init__(self) -> None:
        self._known: dict[str, list[NotebookCell]] = {}

    def cells(self, path: str) -> list[NotebookCell]:
        """The cells of a notebook, each ready to run; only the newest few are kept."""
        if path not in self._known:
            if len(self._known) > 8:
                self._known.clear()
            self._known[path] = collect(path)
            gc.freeze()
        return self._known[path]


def collect(path: str) -> list[NotebookCell]:
    """The cells of a notebook, of which nbval compares the observations and nothing else."""
    from coursekit.workbook.nbval_rule import NOT_COMPARED

    return patches.collect_cells(path, (*NOT_COMPARED, "text/plain", REFUSALS, NOTE))


def _compare(
    request: wire.CompareRequest,
    cells: Sequence[NotebookCell],
    results: socket.socket,
    pidfd: int,
) -> None:
    """Let nbval run and compare the cells, and send what comes of each.

    They are run without pytest's protocol around each: of that, nothing is used here.
    """
    gc.disable()  # it is gone in a moment
    die_with_parent()
    resource.setrlimit(resource.RLIMIT_DATA, (request["memory"], request["memory"]))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    from coursekit.grading.comparison import provisioner

    patches.limit_message_size(request["message"])
    patches.limit_received(request["received"], lambda: wire.send(results, {"kind": "flooded"}))
    provisioner.hand_over(pidfd, request["connection"])
    try:
        cells[0].parent.setup()
    except BaseException as problem:  # before the first cell, so not the answer's doing
        wire.send(results, {"kind": "fault", "message": str(problem)[:500]})
        return
    wire.send(results, {"kind": "begun"})
    for cell in cells:
        passed = True
        try:
            cell.runtest()
        except BaseException:  # nbval's own, or pytest's, which are no Exception
            passed = False
            if cell.test_outputs is None and select.select([pidfd], [], [], 0)[0]:
                return  # the kernel had ended before: that costs the cells left nothing
        outputs = _outputs(cell.test_outputs)
        wire.send(results, {"kind": "cell", "cell": cell.cell_num, "passed": passed, **outputs})
    _fingerprint_files(request["queries"], results)


def _fingerprint_sources(memory: int, results: socket.socket) -> None:
    """Answer with the fingerprints of the code that comes on the socket."""
    die_with_parent()
    for limit, value in (
        (resource.RLIMIT_DATA, memory),
        (resource.RLIMIT_CPU, _FINGERPRINT_SECONDS),
    ):
        resource.setrlimit(limit, (value, value))
    with results.makefile("rb") as file:
        queries: list[wire.SourceQuery] = json.load(file)
    _send_fingerprints(((each["source"].encode("latin-1"), each) for each in queries), results)


def _fingerprint_files(queries: Sequence[wire.FileQuery], results: socket.socket) -> None:
    """The same at the end of a notebook: the verdicts are sent, so this may end anyhow."""
    end = int(time.process_time()) + _FINGERPRINT_SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (end, end))
    _send_fingerprints(((Path(each["file"]).read_bytes(), each) for each in queries), results)


def _send_fingerprints(
    sources: Iterable[tuple[bytes, wire.CodeQuery]], results: socket.socket
) -> None:
    from coursekit.grading.comparison.fingerprint import fingerprints

    digests: dict[str, str] = {}
    for source, query in sources:
        digests |= fingerprints(source, query["functions"], query["starter_names"])
    wire.send(results, {"kind": "fingerprints", "digests": digests})


def _outputs(outputs: Iterable[Any] | None) -> wire.CellOutputs:
    """What a cell showed and printed; outputs may be of any shape, and say anything."""
    shown: object = {}
    printed = ""
    for each in outputs or ():
        if each.output_type == "execute_result":
            shown = each.get("data")
        elif each.output_type == "stream" and isinstance(each.get("text"), str):
            printed += each["text"][:PRINTED]
    data = shown if isinstance(shown, dict) else {}
    return {
        "observed": _text(data.get(OBSERVED), LARGEST),
        "refusals": _text(data.get(REFUSALS), LARGEST_REFUSALS),
        "note": _text(data.get(NOTE), LARGEST),
        "printed": printed[:PRINTED],
    }


def _text(value: object, longest: int) -> str | None:
    """The value if it is a text that a bench could have shown."""
    return value if isinstance(value, str) and len(value) <= longest else None


if __name__ == "__main__":
    main()
