"""The fresh process beside a learner's files: makes observations, and writes them down.

Started by `supervision`. Its standard input is JSON, a list of `[check, requests]`; each
line that it writes is JSON: `["loading", module]`, `["loaded", module]` or
`["step", check, observation]`. What the answer prints goes to standard error. A check
that takes longer than the limit ends the process; the last lines are then its stack.
"""

import contextlib
import faulthandler
import importlib
import json
import os
import sys
from collections.abc import Mapping
from functools import partial
from importlib.machinery import FileFinder, SourceFileLoader
from typing import Any

from coursekit.check.observing import load_observations, observe
from coursekit.check.protocol import Request, observation_to_json

MEMORY_LIMIT = 4 << 30
"""Bytes of address space for the answer, where a process can be limited at all."""


class _AsSaved(SourceFileLoader):
    """Loads what stands in a file, and neither reads nor writes bytecode.

    Bytecode is taken for a file's own if the time, in whole seconds, and the size are the
    same: the second of two quick saves could go unseen.
    """

    def path_stats(self, path: str) -> Mapping[str, Any]:
        """There are none to compare with."""
        raise OSError


def _finder(folder: str, path: str) -> FileFinder:
    """Finds the answers' modules, and what lies beside them."""
    if path != folder:
        raise ImportError
    return FileFinder(path, (_AsSaved, [".py"]))


def main(observations: str, folder: str, limit: float) -> None:
    """Make all observations; `folder` holds the answers, `limit` is in seconds."""
    cases = [
        (check, [Request(each["observation"], each["arguments"]) for each in requests])
        for check, requests in json.load(sys.stdin)
    ]
    course = load_observations(observations)
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdin = open(os.devnull)  # noqa: SIM115 - for the life of the process
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
    os.chdir(folder)
    sys.path_hooks.insert(0, partial(_finder, folder))
    sys.path.insert(0, folder)

    encode = json.JSONEncoder().encode  # an answer may put something else in json.dumps

    def write(*line: object) -> None:
        out.write(encode(line) + "\n")
        out.flush()

    def find(name: str) -> object:
        if name in sys.modules:
            return sys.modules[name]
        write("loading", name)
        try:
            return importlib.import_module(name)
        finally:
            write("loaded", name)

    for check, requests in cases:
        held: dict[str, object] = {}
        faulthandler.dump_traceback_later(limit, file=out, exit=True)
        for request in requests:
            seen = observe(request, held, find, course)
            write("step", check, observation_to_json(seen))
    os._exit(0)  # threads that the answer left running are no reason to wait
