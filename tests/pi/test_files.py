"""The manager and its file: when it is made, who may write to it, what another version needs."""

from __future__ import annotations

import copy
import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from coursekit.pi import FileChangedError, PiSessionError, SessionFileError, SessionManager
from tests.pi import cases
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


def test_entries_of_a_file_can_be_copied_and_sent(tmp_path: Path) -> None:
    entries = cases.CASES["label-as-parent"]
    manager = SessionManager.open(cases.write(tmp_path / "case.jsonl", entries))
    for again in (
        copy.deepcopy(manager.get_entries()),
        pickle.loads(pickle.dumps(manager.get_entries())),
    ):
        assert [entry.to_json() for entry in again] == entries
        assert [entry.role for entry in again] == ["user", None, "assistant", "user"]


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


def test_an_old_file_is_rewritten_only_by_name(tmp_path: Path) -> None:
    path = tmp_path / "old.jsonl"
    lines: list[dict[str, Any]] = [
        {"type": "session", "id": "s", "timestamp": "2025-01-01T00:00:00Z", "cwd": "/w"},
        {"type": "message", "timestamp": "2025-01-01T00:00:01Z", "message": USER},
        {"type": "message", "timestamp": "t", "message": {"role": "hookMessage", "content": "h"}},
        {"type": "compaction", "timestamp": "t", "summary": "S", "firstKeptEntryIndex": 2},
    ]
    old = "".join(json.dumps(line) + "\n" for line in lines)
    path.write_text(old)
    manager = SessionManager.open(path)
    assert [m["role"] for m in manager.build_session_context().messages] == [
        "compactionSummary",
        "custom",
    ]
    with pytest.raises(PiSessionError, match=r"version 1 .* migrate_file\(\)"):
        manager.append_message(USER)
    assert path.read_text() == old
    manager.migrate_file()
    added = manager.append_message(USER)
    again = SessionManager.open(path)
    assert (again.get_header().version, ids(again)) == (3, [*ids(manager)])
    assert again.get_leaf_id() == added
    with pytest.raises(PiSessionError, match="no file of an older version"):
        again.migrate_file()


def test_a_migration_waits_for_nobody_else(tmp_path: Path) -> None:
    path = tmp_path / "old.jsonl"
    path.write_text('{"type":"session","version":2,"id":"s","cwd":"/w"}\n')
    manager = SessionManager.open(path)
    with path.open("a") as file:
        file.write(json.dumps(cases.user("u1", None)) + "\n")
    before = path.read_bytes()
    with pytest.raises(FileChangedError):
        manager.migrate_file()
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["old.jsonl"]


def test_a_branched_session_holds_one_path_and_leaves_the_old_file(tmp_path: Path) -> None:
    manager = SessionManager.create("/w", tmp_path)
    root = manager.append_message(USER)
    side = manager.append_message(ANSWER)
    manager.branch(root)
    leaf = manager.append_message(ANSWER)
    old = file_of(manager)
    before = old.read_bytes()
    new = manager.create_branched_session(leaf)
    assert new is not None
    assert new != str(old)
    assert (str(file_of(manager)), manager.get_header().parent_session) == (new, str(old))
    assert ids(manager) == [root, leaf]
    assert manager.get_entry(side) is None
    added = manager.append_message(USER)
    assert ids(SessionManager.open(new)) == [root, leaf, added]
    assert old.read_bytes() == before


def test_a_branched_session_without_conversation_waits_with_its_file(tmp_path: Path) -> None:
    manager = SessionManager.create("/w", tmp_path)
    state = manager.append_custom_entry("x")
    manager.append_message(USER)
    new = manager.create_branched_session(state)
    assert new is not None
    assert not os.path.exists(new)
    manager.append_message(USER)
    assert len(SessionManager.open(new).get_entries()) == 2


def test_a_fork_copies_every_branch(tmp_path: Path) -> None:
    source = SessionManager.create("/w", tmp_path / "a")
    root = source.append_message(USER)
    source.append_message(ANSWER)
    source.branch(root)
    source.append_message(ANSWER)
    fork = SessionManager.fork_from(file_of(source), "/other", tmp_path / "b", id="my-fork")
    assert ids(fork) == ids(source)
    assert (fork.get_cwd(), fork.get_session_id()) == ("/other", "my-fork")
    assert fork.get_header().parent_session == str(file_of(source))
    fork.append_message(USER)
    assert len(SessionManager.open(file_of(source)).get_entries()) == 3


def test_a_fork_of_nothing_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").touch()
    for name in ("missing.jsonl", "empty.jsonl"):
        with pytest.raises(SessionFileError, match="cannot fork"):
            SessionManager.fork_from(tmp_path / name, "/w", tmp_path / "b")
    with pytest.raises(PiSessionError, match="session id"):
        SessionManager.create("/w", tmp_path, id="../escape")


def test_the_most_recent_session_goes_on(tmp_path: Path) -> None:
    for number in range(3):
        manager = SessionManager.create("/w", tmp_path, id=f"s{number}")
        manager.append_message(USER)
        os.utime(file_of(manager), (number, number))
    assert SessionManager.continue_recent("/w", tmp_path).get_session_id() == "s2"
    assert SessionManager.continue_recent("/nowhere", tmp_path).get_entries() == []


def test_a_list_shows_names_and_says_what_it_could_not_read(tmp_path: Path) -> None:
    manager = SessionManager.create("/w", tmp_path)
    manager.append_message(USER)
    manager.append_session_info("named")
    with file_of(manager).open("a") as file:
        file.write("broken\n")
    (info,) = SessionManager.list("/w", tmp_path)
    assert (info.name, info.message_count, info.first_message) == ("named", 1, "q")
    assert info.problem is not None
    assert info.problem.startswith("line 4:")


@pytest.mark.parametrize("content", [5, True, {"type": "text"}, [None, 7]])
def test_odd_content_hides_no_session_from_the_list(tmp_path: Path, content: Any) -> None:
    odd = cases.message("m", None, {"role": "user", "content": content})
    cases.write(tmp_path / "odd.jsonl", [odd, cases.user("u1", "m", "hello")])
    (info,) = SessionManager.list("/w", tmp_path)
    assert (info.message_count, info.first_message, info.problem) == (2, "hello", None)


def test_the_sessions_lie_where_pi_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(tmp_path / "agent"))
    manager = SessionManager.create("/a/b:c")
    manager.append_message(USER)
    assert file_of(manager).parent == tmp_path / "agent" / "sessions" / "--a-b-c--"
    assert [info.id for info in SessionManager.list("/a/b:c")] == [manager.get_session_id()]
    # A session that was moved here belongs to this folder, whatever its header says; in a folder of
    # one's own, which may hold several projects, it doesn't.
    other = SessionManager.create("/other", manager.get_session_dir())
    other.append_message(USER)
    assert len(SessionManager.list("/a/b:c")) == 2
    assert len(SessionManager.list("/a/b:c", manager.get_session_dir())) == 2
    assert len(SessionManager.list("/a/b", manager.get_session_dir())) == 0
    os.utime(file_of(other), (1, 1))
    again = SessionManager.continue_recent("/a/b:c")
    assert again.get_session_id() == manager.get_session_id()
