"""The seconds that something takes, counted on the terminal from the third on."""

import contextlib
import sys
import threading
from collections.abc import Iterator

SILENT = 2
"""Seconds that need no word."""


@contextlib.contextmanager
def counted(text: str) -> Iterator[None]:
    """While the block runs, count the seconds on the terminal, `text` behind them.

    The line is taken away at the end. Elsewhere than on a terminal nothing is shown.
    """
    if not sys.stderr.isatty():
        yield
        return
    done = threading.Event()
    counter = threading.Thread(target=_count, args=(text, done), daemon=True)
    counter.start()
    try:
        yield
    finally:
        done.set()
        counter.join()


def _count(text: str, done: threading.Event) -> None:
    seconds = SILENT
    if done.wait(SILENT):
        return
    while not done.is_set():
        _say(f"{seconds} s. {text}")
        done.wait(1)
        seconds += 1
    _say("")


def _say(line: str) -> None:
    """A line that the next one takes the place of."""
    sys.stderr.write(f"\r\x1b[K{line}")
    sys.stderr.flush()
