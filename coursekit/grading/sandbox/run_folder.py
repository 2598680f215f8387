"""A run's own folder in /tmp, locked while the run lives, and what dead runs left there.

A run that is killed by SIGKILL clears nothing up. Its lock is gone with it, though, so
the next run can tell its folder from those of runs that live.
"""

import contextlib
import fcntl
import os
import shutil
import tempfile
from pathlib import Path

_PLACE = Path("/tmp")
"""Whatever TMPDIR says, for a socket's path has room for 107 bytes."""

_PREFIX = "ck-"
_LOCK = "lock"


class RunFolder:
    """A fresh folder, held until it is removed."""

    def __init__(self) -> None:
        self.path, self._lock = _locked()

    def remove(self) -> None:
        """Take the folder away, and what is in it."""
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._lock)


def sweep() -> None:
    """Remove the folders of runs of this user that have ended without doing so."""
    for path in _PLACE.glob(f"{_PREFIX}*"):
        # What is not whole, or somebody else's, is left alone.
        with contextlib.suppress(OSError):
            if path.lstat().st_uid != os.geteuid():
                continue
            lock = os.open(path / _LOCK, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(path, ignore_errors=True)
            finally:
                os.close(lock)


def _locked() -> tuple[Path, int]:
    """A new folder and its lock; a sweep may take it between the two, and then another."""
    while True:
        path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=_PLACE))
        with contextlib.suppress(FileNotFoundError):
            lock = os.open(path / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.flock(lock, fcntl.LOCK_EX)
            if (path / _LOCK).exists():
                return path, lock
            os.close(lock)
