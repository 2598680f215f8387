"""The file of a session: when it is made, who may write to it, what a full disk leaves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from coursekit.pi import FileChangedError, SessionManager
from tests.pi.cases import ANSWER, SYSTEM, USER, file_of, ids


def test_the_file_is_made_with_the_first_conversation(tmp_path: Path) -> None:
    manager = SessionManager.create("/w", tmp_path / "sessions")
    manager.append_model_change("p", "m")
    manager.append_message(SYSTEM)
    assert not file_of(manager).exists()
    manager.append_message(USER)
    lines = [json.loads(line) for line in file_of(manager).read_bytes().splitlines()]
    assert [line["type"] for line in lines] == ["session", "model_change", "message", "message"]
    assert lines[0]["cwd"] == "/w"
    manager.append_message(ANSWER)
    assert file_of(manager).read_bytes().endswith(b"\n")
    assert ids(SessionManager.open(file_of(manager))) == ids(manager)


def test_a_file_that_is_already_there_is_never_overwritten(tmp_path: Path) -> None:
    manager = SessionManager.create("/w", tmp_path)
    file_of(manager).write_text("somebody else's")
    with pytest.raises(FileExistsError):
        manager.append_message(USER)
    assert file_of(manager).read_text() == "somebody else's"
    assert manager.get_entries() == []


def test_a_missing_file_opens_empty_and_an_empty_one_is_filled(tmp_path: Path) -> None:
    for name in ("missing.jsonl", "empty.jsonl"):
        path = tmp_path / name
        if name.startswith("empty"):
            path.touch()
        manager = SessionManager.open(path, cwd="/w")
        assert manager.get_entries() == []
        assert file_of(manager) == path
        added = manager.append_message(USER)
        again = SessionManager.open(path)
        assert (ids(again), again.get_cwd()) == ([added], "/w")


@pytest.mark.parametrize("first", ["ours", "theirs"])
def test_two_writers_lose_nothing(tmp_path: Path, first: str) -> None:
    manager = SessionManager.create("/w", tmp_path)
    root = manager.append_message(USER)
    other = SessionManager.open(file_of(manager))
    writer, late = (manager, other) if first == "ours" else (other, manager)
    a = writer.append_message(ANSWER)
    before = file_of(manager).read_bytes()
    with pytest.raises(FileChangedError, match="bytes where this manager left"):
        late.append_message(ANSWER)
    assert file_of(manager).read_bytes() == before
    assert (ids(late), late.get_leaf_id()) == ([root], root)
    b = writer.append_message(ANSWER)
    assert ids(SessionManager.open(file_of(manager))) == [root, a, b]


def test_a_replaced_or_removed_file_is_noticed(tmp_path: Path) -> None:
    manager = SessionManager.create("/w", tmp_path)
    manager.append_message(USER)
    path = file_of(manager)
    copy = tmp_path / "copy"
    copy.write_bytes(path.read_bytes())
    os.replace(copy, path)
    with pytest.raises(FileChangedError, match="another file has taken its place"):
        manager.append_message(ANSWER)
    path.unlink()
    with pytest.raises(FileChangedError, match="is gone"):
        manager.append_message(ANSWER)
    assert not path.exists()
    assert len(manager.get_entries()) == 1


def test_many_writers_at_once_leave_whole_lines_only(tmp_path: Path) -> None:
    manager = SessionManager.create("/w", tmp_path)
    root = manager.append_message(USER)
    program = """
import sys
from coursekit.pi import FileChangedError, SessionManager
written = 0
while written < 20:
    manager = SessionManager.open(sys.argv[1])
    try:
        print(manager.append_message({"role": "user", "content": "x" * 50_000}))
        written += 1
    except FileChangedError:
        pass
"""
    command = [sys.executable, "-c", program, str(file_of(manager))]
    writers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    written = [line for writer in writers for line in writer.communicate()[0].split()]
    assert len(written) == 60
    again = SessionManager.open(file_of(manager))
    assert again.warnings == []
    assert set(ids(again)) == {root, *written}
    # Each saw all that was there, so the path holds everything: nobody forked the chain.
    assert len(again.get_branch()) == 61


def test_a_full_disk_leaves_file_and_memory_as_they_were(tmp_path: Path) -> None:
    program = """
import resource, signal, sys
from coursekit.pi import SessionManager
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
manager = SessionManager.create("/w", sys.argv[1])
path = manager.get_session_file()
resource.setrlimit(resource.RLIMIT_FSIZE, (4_000, resource.RLIM_INFINITY))
def refused(text):
    try:
        manager.append_message({"role": "user", "content": text, "timestamp": 0})
    except OSError:
        return True
assert refused("x" * 10_000)          # the file can't be made
import os
assert not os.path.exists(path)
assert not refused("small")
before = open(path, "rb").read()
assert refused("x" * 10_000)          # half of the line is written, then no more
assert open(path, "rb").read() == before
assert len(manager.get_entries()) == 1
assert not refused("on")              # and the next one is sound
again = SessionManager.open(path)
assert again.warnings == []
assert [e.id for e in again.get_entries()] == [e.id for e in manager.get_entries()]
"""
    subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=True)
