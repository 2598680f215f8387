"""How far a run is, on a terminal or in a log."""

import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich import progress

_LOG_EVERY = 10.0  # seconds between two lines where nothing can be redrawn


class ProgressBar:
    """Progress on standard error: a bar with an estimate, or a line now and then."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._progress: progress.Progress | None = None
        self._began = self._printed = time.monotonic()
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import (
                BarColumn,
                MofNCompleteColumn,
                Progress,
                TextColumn,
                TimeRemainingColumn,
            )

            self._progress = Progress(
                TextColumn("grading"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._progress.start()
            self._task = self._progress.add_task("grading", total=total)

    def step(self) -> None:
        """One more is done."""
        self._done += 1
        if self._progress is not None:
            self._progress.advance(self._task)
            return
        now = time.monotonic()
        if now - self._printed >= _LOG_EVERY:
            self._printed = now
            left = (now - self._began) / self._done * (self._total - self._done)
            print(
                f"graded {self._done} of {self._total}, about {left:.0f} s left",
                file=sys.stderr,
                flush=True,
            )

    def close(self) -> None:
        """Leave the terminal as it was."""
        if self._progress is not None:
            self._progress.stop()
