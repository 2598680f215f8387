"""What processes hold in memory, added up."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import psutil

from coursekit.grading.sandbox import memory

MEBIBYTE = 1 << 20


@contextmanager
def running(code: str) -> Iterator[int]:
    """A Python process that runs the code, says that it has, and waits."""
    command = [sys.executable, "-c", f"{code}\nprint(flush=True); input()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield process.pid
        finally:
            for pid in reversed(memory.family(process.pid)):
                psutil.Process(pid).kill()


def test_what_a_process_holds_is_counted() -> None:
    with running("kept = bytearray(64 << 20)") as pid:
        assert memory.family(pid) == [pid]
        assert 64 * MEBIBYTE < memory.held(pid) < 128 * MEBIBYTE


def test_what_processes_share_counts_once() -> None:
    code = """
import os, time
kept = bytearray(b"x" * (64 << 20))
for _ in range(3):
    if os.fork() == 0:
        time.sleep(600)
"""
    with running(code) as pid:
        assert len(memory.family(pid)) == 4
        assert 64 * MEBIBYTE < memory.held(pid) < 160 * MEBIBYTE


def test_a_process_that_has_ended_holds_nothing() -> None:
    with running("") as pid:
        pass
    assert memory.family(pid) == [pid]
    assert memory.held(pid) == 0
