"""The manager in memory and on disk: what each method does, and what it refuses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from coursekit.pi import (
    EntryNotFoundError,
    FileChangedError,
    PiSessionError,
    SessionFileError,
    SessionManager,
)

from . import cases

USER = {"role": "user", "content": "q", "timestamp": 0}
ANSWER = {"role": "assistant", "content": [], "provider": "p", "model": "m", "timestamp": 0}
SYSTEM = {"role": "system", "content": "Be brief.", "timestamp": 0}


@pytest.fixture(params=["memory", "disk"])
def manager(request: pytest.FixtureRequest, tmp_path: Path) -> SessionManager:
    if request.param == "memory":
        return SessionManager.in_memory("/w")
    return SessionManager.create("/w", tmp_path / "sessions")


def _file(manager: SessionManager) -> Path:
    file = manager.get_session_file()
    assert file is not None
    return Path(file)


def _ids(manager: SessionManager) -> list[str]:
    return [entry.id for entry in manager.get_entries()]


def test_an_append_hangs_on_the_leaf_and_becomes_it(manager: SessionManager) -> None:
    assert manager.get_leaf_id() is None
    first = manager.append_message(USER)
    second = manager.append_message(ANSWER)
    assert manager.get_leaf_id() == second
    assert [(e.id, e.parent_id) for e in manager.get_branch()] == [(first, None), (second, first)]
    assert manager.get_children(first) == [manager.get_entry(second)]


def test_going_back_and_appending_makes_a_branch(manager: SessionManager) -> None:
    root = manager.append_message(USER)
    a = manager.append_message(ANSWER)
    manager.branch(root)
    b = manager.append_message(ANSWER)
    assert [entry.id for entry in manager.get_branch()] == [root, b]
    assert [entry.id for entry in manager.get_branch(a)] == [root, a]
    (tree,) = manager.get_tree()
    assert [node.entry.id for node in tree.children] == [a, b]


def test_moving_the_leaf_alone_writes_nothing(tmp_path: Path) -> None:
    manager = SessionManager.create("/w", tmp_path)
    root = manager.append_message(USER)
    a = manager.append_message(ANSWER)
    before = _file(manager).read_bytes()
    manager.branch(root)
    assert _file(manager).read_bytes() == before
    again = SessionManager.open(_file(manager))
    assert again.get_leaf_id() == a  # the last line, whatever the leaf was
    again.branch(root)
    b = again.append_message(ANSWER)
    assert SessionManager.open(_file(manager)).get_leaf_id() == b


def test_a_reset_leaf_makes_a_new_root(manager: SessionManager) -> None:
    manager.append_message(USER)
    manager.reset_leaf()
    assert manager.get_branch() == []
    manager.append_message(USER)
    assert len(manager.get_tree()) == 2


def test_settings_come_from_the_active_path(manager: SessionManager) -> None:
    root = manager.append_message(USER)
    manager.append_thinking_level_change("high")
    manager.append_model_change("other", "big")
    manager.branch(root)
    context = manager.build_session_context()
    assert (context.thinking_level, context.model) == ("off", None)
    manager.append_message(ANSWER)
    model = manager.build_session_context().model
    assert model is not None
    assert (model.provider, model.model_id) == ("p", "m")


def test_custom_entries_stay_out_and_custom_messages_go_in(manager: SessionManager) -> None:
    manager.append_custom_entry("x", {"secret": 1})
    manager.append_custom_message_entry("x", "a note", False, {"why": 1})
    (message,) = manager.build_session_context().messages
    assert (message["role"], message["content"], message["details"]) == (
        "custom",
        "a note",
        {"why": 1},
    )


def test_the_latest_edit_counts_and_the_entry_stays(manager: SessionManager) -> None:
    target = manager.append_message(ANSWER)
    manager.append_context_edit(target, {"content": "one"})
    manager.append_context_edit(target, {"content": "two"})
    projection = manager.build_session_projection()
    assert projection.messages[0]["content"] == [{"type": "text", "text": "two"}]
    assert projection.entries[0].source_entry.id == target
    manager.append_context_edit(target, None)
    assert manager.build_session_context().messages == []
    entry = manager.get_entry(target)
    assert entry is not None
    assert entry.message == ANSWER


@pytest.mark.parametrize("replacement", [{}, {"content": 5}, {"content": None}, "text"])
def test_an_edit_without_content_is_refused(manager: SessionManager, replacement: Any) -> None:
    target = manager.append_message(USER)
    with pytest.raises(PiSessionError, match="string/array content"):
        manager.append_context_edit(target, replacement)


def test_an_edit_of_what_holds_no_content_is_refused(manager: SessionManager) -> None:
    elsewhere = manager.append_message(USER)
    manager.reset_leaf()
    state = manager.append_custom_entry("x")
    for target, problem in [
        (state, "does not contribute editable"),
        (elsewhere, "not on the active branch"),
        ("none", "Entry none not found"),
    ]:
        with pytest.raises(PiSessionError, match=problem):
            manager.append_context_edit(target, None)


def test_a_compaction_carries_the_system_message_that_holds(manager: SessionManager) -> None:
    manager.append_message({**SYSTEM, "sections": {"a": "1", "b": "2"}})
    manager.append_message({**SYSTEM, "content": "And kind.", "sections": {"a": None}})
    kept = manager.append_message(USER)
    manager.append_message({**SYSTEM, "content": "Late.", "toolsAdded": [{"name": "read"}]})
    manager.append_message(ANSWER)
    manager.append_compaction("S", kept, 100)
    system, summary, *rest = manager.build_session_context().messages
    assert system["content"] == "Be brief.\n\nAnd kind.\n\nLate."
    assert system["sections"] == {"b": "2"}
    assert system["toolsAdded"] == [{"name": "read"}]
    assert (summary["role"], summary["tokensBefore"]) == ("compactionSummary", 100)
    assert [message["role"] for message in rest] == ["user", "assistant"]


def test_only_the_newest_compaction_speaks(manager: SessionManager) -> None:
    first = manager.append_message(USER)
    manager.append_compaction("old", first, 1)
    manager.append_message(USER)
    manager.append_compaction("new", first, 1)
    summaries = [
        message["summary"]
        for message in manager.build_session_context().messages
        if message["role"] == "compactionSummary"
    ]
    assert summaries == ["new"]
    manager.append_compaction("none kept", None, 1)
    assert [m["role"] for m in manager.build_session_context().messages] == ["compactionSummary"]


def test_a_branch_summary_names_the_leaf_it_left(manager: SessionManager) -> None:
    root = manager.append_message(USER)
    left = manager.append_message(ANSWER)
    manager.branch_with_summary(root, "tried", details={"files": []})
    (_, message) = manager.build_session_context().messages
    assert (message["role"], message["fromId"]) == ("branchSummary", left)
    manager.branch_with_summary(None, "everything")
    assert manager.get_branch()[0].parent_id is None


def test_labels_are_set_replaced_and_cleared(manager: SessionManager) -> None:
    target = manager.append_message(USER)
    manager.append_label_change(target, "one")
    manager.append_label_change(target, "two")
    assert manager.get_label(target) == "two"
    assert manager.get_tree()[0].label == "two"
    manager.append_label_change(target, None)
    assert manager.get_label(target) is None
    with pytest.raises(EntryNotFoundError):
        manager.append_label_change("none", "x")


def test_the_name_is_one_line_and_can_be_cleared(manager: SessionManager) -> None:
    manager.append_session_info(" two\r\nlines ")
    assert manager.get_session_name() == "two lines"
    manager.append_session_info("")
    assert manager.get_session_name() is None


def test_usage_is_kept_and_no_model_sees_it(manager: SessionManager) -> None:
    entry = manager.append_usage("cache_warm", "p", "m", {"input": 1}, "note")
    assert (entry.kind, entry.usage, entry.note) == ("cache_warm", {"input": 1}, "note")
    assert manager.build_session_context().messages == []


def test_what_goes_in_and_comes_out_shares_nothing(manager: SessionManager) -> None:
    message: dict[str, Any] = {"role": "user", "content": [{"type": "text", "text": "q"}]}
    manager.append_message(message)
    message["content"][0]["text"] = "changed"
    manager.build_session_context().messages[0]["content"].clear()
    manager.get_entries()[0].to_json()["message"].clear()
    assert manager.build_session_context().messages[0]["content"] == [{"type": "text", "text": "q"}]


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        ({"content": "q"}, "with a role"),
        ("text", "with a role"),
        ({"role": "compactionSummary", "summary": "S"}, "append_compaction"),
        ({"role": "branchSummary", "summary": "S"}, "branch_with_summary"),
        ({"role": "user", "content": float("nan")}, "not a JSON value"),
        ({"role": "user", "content": object()}, "not a JSON value"),
    ],
)
def test_a_message_that_cannot_be_kept_is_refused_whole(
    manager: SessionManager, message: Any, problem: str
) -> None:
    before = manager.append_message(USER)
    with pytest.raises(PiSessionError, match=problem):
        manager.append_message(message)
    assert _ids(manager) == [before]
    assert manager.get_leaf_id() == before


def test_unknown_ids_are_named(manager: SessionManager) -> None:
    manager.append_message(USER)
    attempts: list[Callable[[], object]] = [
        lambda: manager.branch("none"),
        lambda: manager.branch_with_summary("none", "S"),
        lambda: manager.create_branched_session("none"),
        lambda: manager.append_compaction("S", "none", 1),
    ]
    for attempt in attempts:
        with pytest.raises(EntryNotFoundError, match="Entry none not found"):
            attempt()


def test_the_file_is_made_with_the_first_conversation(tmp_path: Path) -> None:
    manager = SessionManager.create("/w", tmp_path / "sessions")
    manager.append_model_change("p", "m")
    manager.append_message(SYSTEM)
    assert not _file(manager).exists()
    manager.append_message(USER)
    lines = [json.loads(line) for line in _file(manager).read_bytes().splitlines()]
    assert [line["type"] for line in lines] == ["session", "model_change", "message", "message"]
    assert lines[0]["cwd"] == "/w"
    manager.append_message(ANSWER)
    assert _file(manager).read_bytes().endswith(b"\n")
    assert _ids(SessionManager.open(_file(manager))) == _ids(manager)


def test_a_file_that_is_already_there_is_never_overwritten(tmp_path: Path) -> None:
    manager = SessionManager.create("/w", tmp_path)
    _file(manager).write_text("somebody else's")
    with pytest.raises(FileExistsError):
        manager.append_message(USER)
    assert _file(manager).read_text() == "somebody else's"
    assert manager.get_entries() == []


def test_a_missing_file_opens_empty_and_an_empty_one_is_filled(tmp_path: Path) -> None:
    for name in ("missing.jsonl", "empty.jsonl"):
        path = tmp_path / name
        if name.startswith("empty"):
            path.touch()
        manager = SessionManager.open(path, cwd="/w")
        assert manager.get_entries() == []
        assert _file(manager) == path
        added = manager.append_message(USER)
        again = SessionManager.open(path)
        assert (_ids(again), again.get_cwd()) == ([added], "/w")


@pytest.mark.parametrize("first", ["ours", "theirs"])
def test_two_writers_lose_nothing(tmp_path: Path, first: str) -> None:
    manager = SessionManager.create("/w", tmp_path)
    root = manager.append_message(USER)
    other = SessionManager.open(_file(manager))
    writer, late = (manager, other) if first == "ours" else (other, manager)
    a = writer.append_message(ANSWER)
    before = _file(manager).read_bytes()
    with pytest.raises(FileChangedError, match="bytes where this manager left"):
        late.append_message(ANSWER)
    assert _file(manager).read_bytes() == before
    assert (_ids(late), late.get_leaf_id()) == ([root], root)
    b = writer.append_message(ANSWER)
    assert _ids(SessionManager.open(_file(manager))) == [root, a, b]


def test_a_replaced_or_removed_file_is_noticed(tmp_path: Path) -> None:
    manager = SessionManager.create("/w", tmp_path)
    manager.append_message(USER)
    path = _file(manager)
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
    command = [sys.executable, "-c", program, str(_file(manager))]
    writers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    written = [line for writer in writers for line in writer.communicate()[0].split()]
    assert len(written) == 60
    again = SessionManager.open(_file(manager))
    assert again.warnings == []
    assert set(_ids(again)) == {root, *written}
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
    assert (again.get_header().version, _ids(again)) == (3, [*_ids(manager)])
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
    old = _file(manager)
    before = old.read_bytes()
    new = manager.create_branched_session(leaf)
    assert new is not None
    assert new != str(old)
    assert (str(_file(manager)), manager.get_header().parent_session) == (new, str(old))
    assert _ids(manager) == [root, leaf]
    assert manager.get_entry(side) is None
    added = manager.append_message(USER)
    assert _ids(SessionManager.open(new)) == [root, leaf, added]
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
    fork = SessionManager.fork_from(_file(source), "/other", tmp_path / "b", id="my-fork")
    assert _ids(fork) == _ids(source)
    assert (fork.get_cwd(), fork.get_session_id()) == ("/other", "my-fork")
    assert fork.get_header().parent_session == str(_file(source))
    fork.append_message(USER)
    assert len(SessionManager.open(_file(source)).get_entries()) == 3


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
        os.utime(_file(manager), (number, number))
    assert SessionManager.continue_recent("/w", tmp_path).get_session_id() == "s2"
    assert SessionManager.continue_recent("/nowhere", tmp_path).get_entries() == []


def test_a_list_shows_names_and_says_what_it_could_not_read(tmp_path: Path) -> None:
    manager = SessionManager.create("/w", tmp_path)
    manager.append_message(USER)
    manager.append_session_info("named")
    with _file(manager).open("a") as file:
        file.write("broken\n")
    (info,) = SessionManager.list("/w", tmp_path)
    assert (info.name, info.message_count, info.first_message) == ("named", 1, "q")
    assert info.problem is not None
    assert info.problem.startswith("line 4:")


def test_the_sessions_lie_where_pi_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(tmp_path / "agent"))
    manager = SessionManager.create("/a/b:c")
    manager.append_message(USER)
    assert _file(manager).parent == tmp_path / "agent" / "sessions" / "--a-b-c--"
    assert [info.id for info in SessionManager.list("/a/b:c")] == [manager.get_session_id()]
    # A session that was moved here belongs to this folder, whatever its header says; in a folder of
    # one's own, which may hold several projects, it doesn't.
    other = SessionManager.create("/other", manager.get_session_dir())
    other.append_message(USER)
    assert len(SessionManager.list("/a/b:c")) == 2
    assert len(SessionManager.list("/a/b:c", manager.get_session_dir())) == 2
    assert len(SessionManager.list("/a/b", manager.get_session_dir())) == 0
    os.utime(_file(other), (1, 1))
    again = SessionManager.continue_recent("/a/b:c")
    assert again.get_session_id() == manager.get_session_id()


def test_a_chain_of_a_hundred_thousand_is_no_trouble(tmp_path: Path) -> None:
    path = cases.write_chain(tmp_path / "long.jsonl", 100_000, parent_of_first=None)
    manager = SessionManager.open(path)
    assert len(manager.get_branch()) == 100_000
    assert len(manager.build_session_projection().entries) == 100_000
    assert len(manager.get_tree()) == 1
    manager.create_branched_session("e99999")
    assert manager.get_entry_count() == 100_000
