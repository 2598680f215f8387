"""What a process and all it started hold in memory."""

import os
from pathlib import Path

_PAGE = os.sysconf("SC_PAGE_SIZE")


def held(first: int) -> int:
    """Bytes in memory of a process and its descendants; what they share counts once.

    The quick sum counts shared pages again and again, so the slow one is asked only
    when processes are several.
    """
    pids = _family(first)
    if len(pids) <= 2:
        return sum(_resident(pid) for pid in pids)
    return sum(_share(pid) for pid in pids)


def _family(first: int) -> list[int]:
    found = [first]
    for pid in found:
        for task in _names(f"/proc/{pid}/task"):
            found += map(int, _text(f"/proc/{pid}/task/{task}/children").split())
    return found


def _resident(pid: int) -> int:
    fields = _text(f"/proc/{pid}/statm").split()
    return int(fields[1]) * _PAGE if fields else 0


def _share(pid: int) -> int:
    for line in _text(f"/proc/{pid}/smaps_rollup").splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    return 0


def _text(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError:  # it has ended
        return ""


def _names(path: str) -> list[str]:
    try:
        return os.listdir(path)
    except OSError:
        return []
