"""One request to stop, seen by everybody who works on a run."""

from __future__ import annotations

import threading


class AbortSignal:
    """Set once with `abort`, from any thread; whoever works looks at `aborted`."""

    def __init__(self) -> None:
        self._event = threading.Event()

    @property
    def aborted(self) -> bool:
        """Whether somebody asked to stop."""
        return self._event.is_set()

    def abort(self) -> None:
        """Ask to stop; asking again changes nothing."""
        self._event.set()
