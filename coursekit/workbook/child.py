"""The fresh process beside a learner's files: runs steps, writes observations.

Started by `answers.py`. Its standard input is JSON, a list of `[check, asks]`; each
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
from typing import Any

from coursekit.workbook.observer import observe

MEMORY_LIMIT = 4 << 30
"""Bytes of address space for the answer, where a process can be limited at all."""


def main(folder: str, limit: float) -> None:
    """Run all steps; `folder` holds session.py and context.py, `limit` is in seconds."""
    requests = json.load(sys.stdin)
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdin = open(os.devnull)  # noqa: SIM115 - for the life of the process
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
    os.chdir(folder)
    sys.path.insert(0, folder)

    encode = json.JSONEncoder().encode  # an answer may put something else in json.dumps

    def tell(*line: object) -> None:
        out.write(encode(line) + "\n")
        out.flush()

    def load(name: str) -> Any:
        if name in sys.modules:
            return sys.modules[name]
        tell("loading", name)
        try:
            return importlib.import_module(name)
        finally:
            tell("loaded", name)

    for check, asks in requests:
        held: dict[str, Any] = {}
        faulthandler.dump_traceback_later(limit, file=out, exit=True)
        for ask in asks:
            tell("step", check, observe(ask, held, load))
    os._exit(0)  # threads that the answer left running are no reason to wait
