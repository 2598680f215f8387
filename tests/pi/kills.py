"""Kills a process while it appends to a session file, and judges what is left.

Any store that writes one JSON object with an `id` a line can be put to this proof: see `Store`.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

_FRESH_AFTER = 10


@dataclass(frozen=True)
class Store:
    """A kind of session file, as the proof needs to know it."""

    writer: str
    """A Python program. It opens the file in argv[1], writes `ready` and a newline to its output,
    then appends for ever, and after each append that returned writes the entry's id and a newline.
    It must not buffer its output."""
    read: Callable[[Path], list[str]]
    """Opens the file as a user would, and returns the ids of its entries."""
    append: Callable[[Path], str]
    """Opens the file, mends what its rules say must be mended, appends an entry, returns its id."""
    tail_counts: bool
    """Whether a last line that is whole but has no newline is an entry."""


@dataclass
class Tally:
    """What the kills met with."""

    kills: int = 0
    appends: int = 0
    in_flight: int = 0
    """Kills that left an entry whose append had not returned yet."""
    torn: int = 0
    """Kills that left a line broken off."""


def prove(store: Store, folder: Path, kills: int, *, until_torn: bool, seed: int = 0) -> Tally:
    """Kill the writer `kills` times at random moments. Raises AssertionError for any loss.

    `until_torn` goes on, at most ten times as often, until a kill fell into a write:
    on a slow disk or a busy machine it may take more than its share.
    """
    draw = random.Random(seed)
    tally = Tally()
    path = folder / "0.jsonl"
    for number in range(10 * kills):
        if number >= kills and (tally.torn or not until_torn):
            break
        if number % _FRESH_AFTER == 0:
            path.unlink(missing_ok=True)
            path = folder / f"{number}.jsonl"
        before = _committed(path, store)
        acknowledged = _write_until_killed(store, path, draw.uniform(0, 0.03))
        left = path.read_bytes() if path.exists() else b""
        committed = _committed(path, store)
        written = committed[len(before) :]
        assert committed[: len(before)] == before, f"kill {number}: an older entry is gone"
        assert written[: len(acknowledged)] == acknowledged, (
            f"kill {number}: an append returned and its entry is not in the file"
        )
        assert len(written) - len(acknowledged) <= 1, f"kill {number}: entries nobody appended"
        assert store.read(path) == committed, f"kill {number}: read otherwise than committed"
        tally.kills += 1
        tally.appends += len(written)
        tally.in_flight += len(written) > len(acknowledged)
        tally.torn += bool(_torn_tail(left))
        _append_one_more(store, path, left, committed, number)
    return tally


def _append_one_more(
    store: Store, path: Path, left: bytes, committed: list[str], number: int
) -> None:
    added = store.append(path)
    assert store.read(path) == [*committed, added], f"kill {number}: the next append is not sound"
    now = path.read_bytes()
    kept = len(left) - len(_torn_tail(left)) if not store.tail_counts else len(left)
    assert now[:kept] == left[:kept], f"kill {number}: older bytes changed"
    assert now.endswith(b"\n")


def _write_until_killed(store: Store, path: Path, seconds: float) -> list[str]:
    """The ids that the writer saw return, oldest first."""
    process = subprocess.Popen(
        [sys.executable, "-c", store.writer, str(path)], stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == b"ready\n"
        time.sleep(seconds)
    finally:
        os.kill(process.pid, signal.SIGKILL)
        output = process.stdout.read()
        process.stdout.close()
        process.wait()
    return [line.decode() for line in output.split(b"\n")[:-1]]


def _committed(path: Path, store: Store) -> list[str]:
    """The ids that the bytes of the file show, whatever its store makes of them."""
    if not path.exists():
        return []
    lines = path.read_bytes().split(b"\n")
    if not store.tail_counts:
        lines.pop()
    ids: list[str] = []
    for line in lines:
        try:
            value = json.loads(line)
        except ValueError:
            continue  # A torn line; a store whose files keep them closes them with a newline.
        if value["type"] != "session":
            ids.append(value["id"])
    return ids


def _torn_tail(data: bytes) -> bytes:
    return data[data.rfind(b"\n") + 1 :]
