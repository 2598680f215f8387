"""A word for whoever waits: how long something takes, from the third second on."""

import contextlib
import sys
import threading
from collections.abc import Iterator

SILENT = 2
"""Seconds that need no word."""


@contextlib.contextmanager
def counted(told: str) -> Iterator[None]:
    """While the block runs, count the seconds on the terminal, `told` behind them.

    The line is taken away at the end. Elsewhere than on a terminal nothing is said.
    """
    if not sys.stderr.isatty():
        yield
        return
    done = threading.Event()
    counter = threading.Thread(target=_count, args=(told, done), daemon=True)
    counter.start()
    try:
        yield
    finally:
        done.set()
        counter.join()


def _count(told: str, done: threading.Event) -> None:
    seconds = SILENT
    if done.wait(SILENT):
        return
    while not done.is_set():
        _say(f"{seconds} s. {told}")
        done.wait(1)
        seconds += 1
    _say("")


def _say(line: str) -> None:
    """A line that the next one takes the place of."""
    sys.stderr.write(f"\r\x1b[K{line}")
    sys.stderr.flush()
