"""A memory cgroup for one submission, where this process may make one.

It counts what no other limit sees: pages of files without a name, and of pipes.
"""

import contextlib
import itertools
import os
from pathlib import Path

_ROOT = Path("/sys/fs/cgroup")
_PREFIX = "coursekit-"
_numbers = itertools.count()


class MemoryGroup:
    """A cgroup whose processes together hold at most so many bytes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def add(self, pid: int) -> None:
        """Move a process in; what it starts is in, too."""
        (self._folder / "cgroup.procs").write_text(str(pid))

    def overflowed(self) -> bool:
        """Whether a process was killed in here because the limit was reached."""
        for name in ("memory.events", "memory.oom_control"):
            with contextlib.suppress(OSError):
                for line in (self._folder / name).read_text().splitlines():
                    key, _, count = line.partition(" ")
                    if key == "oom_kill":
                        return int(count) > 0
        return False

    def remove(self) -> bool:
        """Take the group away once its processes have ended; whether that went well."""
        try:
            self._folder.rmdir()
        except OSError:
            return False
        return True


def sweep() -> None:
    """Remove the empty groups of runs that have ended without doing so.

    They lie where one would be made now, or beside: each login, say, has a group of its own.
    """
    for parent, _ in _parents():
        for folder in (*parent.glob(f"{_PREFIX}*"), *parent.parent.glob(f"*/{_PREFIX}*")):
            number = folder.name.removeprefix(_PREFIX).partition("-")[0]
            if number.isdigit() and not Path("/proc", number).exists():
                MemoryGroup(folder).remove()


def create(limit: int) -> MemoryGroup | None:
    """A new group with a limit in bytes; None where there can't be one."""
    for parent, limit_file in _parents():
        folder = parent / f"{_PREFIX}{os.getpid()}-{next(_numbers)}"
        try:
            folder.mkdir()
        except OSError:
            continue
        group = MemoryGroup(folder)
        try:
            (folder / limit_file).write_text(str(limit))
        except OSError:
            group.remove()
            continue
        with contextlib.suppress(OSError):  # swap is not always counted
            (folder / "memory.swap.max").write_text("0")
        return group
    return None


def _parents() -> list[tuple[Path, str]]:
    """Where a group could be made, and the name of the file that holds its limit."""
    found = []
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            number, controllers, path = line.split(":", 2)
            if number == "0":
                found.append((_ROOT / path.lstrip("/"), "memory.max"))
            elif "memory" in controllers.split(","):
                found.append((_ROOT / "memory" / path.lstrip("/"), "memory.limit_in_bytes"))
    return found
