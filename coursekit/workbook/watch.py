"""Checking again and again: the lab under work, each time that the answers are saved.

The files are looked at, not listened for: file events don't come from network drives,
containers and editors that save by renaming.
"""

import contextlib
import os
import queue
import signal
import sys
import threading
from pathlib import Path

from coursekit.check.course import Course, Lab
from coursekit.workbook.answer_files import fingerprint
from coursekit.workbook.attempt import attempt, report_text
from coursekit.workbook.shown_text import number_in_words

INTERVAL = 0.5
"""Seconds between two looks at the files."""

_CLEAR = "\x1b[H\x1b[2J"


def watch(course: Course, folder: Path, first: Lab | None = None) -> bool:
    """Check the lab under work whenever the files change, until all labs pass or `q`.

    Begins at `first`, else at the first lab that doesn't pass, and goes on to the next
    when a lab turns green. What is compared is the content of the files. Returns whether
    all labs pass; a KeyboardInterrupt is the caller's.
    """
    keys = _Keys()
    labs = course.labs
    lab = first or labs[0]
    for stop in (getattr(signal, name, None) for name in ("SIGTERM", "SIGHUP")):
        if stop is not None:
            # A check under way must be ended too, as Ctrl-C ends it.
            signal.signal(stop, signal.default_int_handler)
    while True:
        seen = _settled(course, folder, keys)
        _clear()
        red = _check_from(course, lab, folder)
        if red is None:
            count = number_in_words(len(labs))
            print(f"\nAll {count} labs pass. There is no more to watch.", flush=True)
            return True
        lab = red
        print(f"\nLooking at {' and '.join(course.modules)} every {INTERVAL:g} s for a change.")
        print(keys.help, flush=True)
        while fingerprint(folder, course.modules) == seen:
            word = keys.next(INTERVAL)
            if word == "q":
                print("No longer watching.", flush=True)
                return False
            if word is not None:  # Enter alone, say: check again
                break


def _check_from(course: Course, lab: Lab, folder: Path) -> Lab | None:
    """Check labs from `lab` on, round to the one before it, up to one that fails.

    Prints what passes in a line and what fails in full. None when all pass.
    """
    labs = course.labs
    start = [each.id for each in labs].index(lab.id)
    for each in (*labs[start:], *labs[:start]):
        print(f"Checking lab {each.id} …", end="\r" if _is_terminal() else "\n", flush=True)
        report, problem = attempt(course, [each.id], folder)
        if report.passed < report.total:
            print(report_text(course, report))
            print(f"The notebook of this lab: {each.notebook}")
            if problem:
                print(f"coursekit: {problem}", file=sys.stderr)
            return each
        print(f"Lab {each.id}  {each.title}  {report.passed}/{report.total}", flush=True)
    return None


def _settled(course: Course, folder: Path, keys: "_Keys") -> str:
    """The fingerprint of the files once it stays the same: an editor may be mid-way."""
    before = fingerprint(folder, course.modules)
    while True:
        keys.pause(INTERVAL / 5)
        now = fingerprint(folder, course.modules)
        if now == before:
            return now
        before = now


def _clear() -> None:
    """Begin on an empty screen; elsewhere than on a terminal leave what stands there."""
    print(_CLEAR if _is_terminal() else "", end="" if _is_terminal() else "\n", flush=True)


def _is_terminal() -> bool:
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


class _Keys:
    """Lines typed at the terminal, read beside the watching.

    Nothing is read where nobody can type: the input is no terminal, or the program
    runs in its background, where reading would stop it.
    """

    def __init__(self) -> None:
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.reads = _can_type()
        if self.reads:
            threading.Thread(target=self._read, daemon=True).start()

    @property
    def help(self) -> str:
        """What the reader can do meanwhile."""
        if not self.reads:
            return "Ctrl-C quits."
        return "Enter checks again; q and Enter, or Ctrl-C, quits."

    def next(self, seconds: float) -> str | None:
        """The next line typed, without outer space; None if none came in time."""
        try:
            return self._lines.get(timeout=seconds)
        except queue.Empty:
            return None

    def pause(self, seconds: float) -> None:
        """Wait, and leave what is typed meanwhile for later."""
        threading.Event().wait(seconds)

    def _read(self) -> None:
        # Not sys.stdin: its lock, held while waiting, would get in the way of the exit.
        with contextlib.suppress(OSError):
            while typed := os.read(0, 1024):
                self._lines.put(typed.decode("utf-8", "replace").strip().lower())


def _can_type() -> bool:
    try:
        return os.isatty(0) and (not hasattr(os, "tcgetpgrp") or os.tcgetpgrp(0) == os.getpgrp())
    except OSError:
        return False
