"""What /fork, /clone and /new go on in, and what they leave alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from coursekit.pi import (
    EntryNotFoundError,
    PiSessionError,
    SessionManager,
)
from tests.pi.agent.scripted_session import scripted_session


@pytest.mark.parametrize("on_disk", [True, False])
def test_fork_clone_and_new_leave_the_old_session_alone(on_disk: bool, tmp_path: Path) -> None:
    old = SessionManager.create("/w", tmp_path) if on_disk else SessionManager.in_memory("/w")
    session = scripted_session(old, ["one", "two", "forked", "cloned", "fresh"])
    session.prompt("first")
    session.prompt("second")
    lines = [entry.line() for entry in old.get_entries()]
    ids = [entry.id for entry in old.get_entries()]
    second = ids[4]

    assert session.fork(second) == "second"
    forked = session.manager
    assert forked is not old
    assert [entry.id for entry in forked.get_entries()] == ids[:4]
    assert forked.get_header().parent_session == (old.get_session_file() if on_disk else None)
    assert [message["role"] for message in session.messages] == ["system", "user", "assistant"]
    session.prompt("another second")
    assert forked.get_entry_count() == 6

    session.clone()
    assert session.manager.get_branch()[-1].id == forked.get_leaf_id()
    assert session.manager.get_session_id() != forked.get_session_id()
    session.prompt("on")
    assert (forked.get_entry_count(), session.manager.get_entry_count()) == (6, 8)

    session.new()
    assert session.manager.get_entries() == []
    assert session.messages == []
    session.prompt("fresh start")
    assert session.manager.get_entry_count() == 4
    assert [entry.line() for entry in old.get_entries()] == lines
    if on_disk:
        assert SessionManager.open(old.get_session_file() or "").get_entry_count() == len(lines)
        assert len(list(tmp_path.glob("*.jsonl"))) == 4


def test_fork_before_the_first_message_is_an_empty_session() -> None:
    manager = SessionManager.in_memory("/w")
    root = manager.append_message({"role": "user", "content": "hi", "timestamp": 0})
    session = scripted_session(manager, [])
    assert session.fork(root) == "hi"
    assert session.manager.get_entries() == []


def test_what_cannot_be_forked_or_cloned() -> None:
    session = scripted_session(SessionManager.in_memory("/w"), ["one"])
    with pytest.raises(PiSessionError, match="nothing to clone"):
        session.clone()
    session.prompt("hi")
    with pytest.raises(PiSessionError, match="no user message"):
        session.fork(session.manager.get_leaf_id() or "")
    for move in (session.fork, session.navigate_tree):
        with pytest.raises(EntryNotFoundError):
            move("nowhere")
