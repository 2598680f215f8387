"""The store in a file when its program is killed, or its disk fails, in the middle."""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from coursekit.session import JsonlSessionStore
from tests.session.appender import entry

APPENDER = Path(__file__).with_name("appender.py")
LARGE = 400_000

DISK_FULL = """
import resource, sys
from coursekit.session import JsonlSessionStore, SessionStoreError, entry_to_json
from tests.session.appender import entry

file, limit = sys.argv[1], int(sys.argv[2])
store = JsonlSessionStore.open(file)
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
for number in (1, 2):
    try:
        store.append(entry(number, 8))
    except SessionStoreError as problem:
        print(type(problem.__cause__).__name__, problem.line, *problem.ids)
    else:
        print("appended", number)
print(len(store.entries()), *[(each.code, each.line) for each in store.warnings])
"""


def killed(file: Path, first: int, seconds: float) -> int:
    """Start the appender, kill it after a while; the last number that it reported, or -1."""
    child = subprocess.Popen(
        [sys.executable, "-S", str(APPENDER), str(file), str(first), str(LARGE)],
        stdout=subprocess.PIPE,
    )
    try:
        assert child.stdout is not None
        line = child.stdout.readline()  # it is at work: the clock starts here
        time.sleep(seconds)
    finally:
        child.kill()
        rest, _ = child.communicate()
    numbers = (line + rest).split(b"\n")[:-1]
    return int(numbers[-1]) if numbers else -1


def kill_and_look(folder: Path, times: int, seed: int) -> int:
    """Kill `times` appenders of one growing file; how often a torn tail was left."""
    chance = random.Random(seed)
    torn = 0
    for i in range(times):
        file = folder / f"session-{i // 10}.jsonl"  # ten kills a file, then a new one
        before = file.read_bytes() if file.exists() else b""
        reported = killed(file, before.count(b"\n"), chance.uniform(0, 0.03))
        after = file.read_bytes()
        assert after.startswith(before)
        store = JsonlSessionStore.open(file)
        count = len(store.entries())
        # What was reported is there; at most one more was written and not yet reported.
        assert reported >= 0
        assert count in (reported + 1, reported + 2)
        assert store.entries() == [entry(number, LARGE) for number in range(count)]
        if store.warnings:
            torn += 1
            assert [each.line for each in store.warnings] == [count + 1]
            os.truncate(file, after.rindex(b"\n") + 1)
            store = JsonlSessionStore.open(file)
        else:
            assert after.endswith(b"\n")
        store.append(entry(count, LARGE))
        again = JsonlSessionStore.open(file)
        assert again.warnings == []
        assert again.entries()[-1] == entry(count, LARGE)
    return torn


def test_a_killed_program_loses_nothing_that_was_committed(tmp_path: Path) -> None:
    kill_and_look(tmp_path, times=4, seed=1)


@pytest.mark.parametrize("room", [0, 1, 30])
def test_a_disk_that_fails_halfway_leaves_a_tail_and_a_read_only_store(
    tmp_path: Path, room: int
) -> None:
    file = tmp_path / "session.jsonl"
    JsonlSessionStore.open(file).append(entry(0, 8))
    before = file.read_bytes()
    child = subprocess.run(
        [sys.executable, "-c", DISK_FULL, str(file), str(len(before) + room)],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    after = file.read_bytes()
    assert after.startswith(before)
    assert len(after) == len(before) + room
    lines = child.stdout.splitlines()
    assert lines[0] == "OSError None e1", child.stderr
    if room == 0:  # nothing came into the file: the next try meets the disk, too
        assert lines[1:] == ["OSError None e2", "1"]
        assert JsonlSessionStore.open(file).warnings == []
    else:
        assert lines[1:] == ["NoneType 2 e2", "1 ('uncommitted-tail', 2)"]
        assert [each.line for each in JsonlSessionStore.open(file).warnings] == [2]
    assert [each.id for each in JsonlSessionStore.open(file).entries()] == ["e0"]
