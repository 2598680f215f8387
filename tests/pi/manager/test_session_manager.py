"""The manager's appends, in memory and on disk alike, and its forks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from coursekit.pi import (
    EntryNotFoundError,
    PiSessionError,
    SessionFileError,
    SessionManager,
)
from tests.pi.cases import ANSWER, USER, file_of, ids


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


def test_an_append_hangs_on_the_leaf_and_becomes_it(manager: SessionManager) -> None:
    assert manager.get_leaf_id() is None
    first = manager.append_message(USER)
    second = manager.append_message(ANSWER)
    assert manager.get_leaf_id() == second
    assert [(e.id, e.parent_id) for e in manager.get_branch()] == [(first, None), (second, first)]
    assert manager.get_children(first) == [manager.get_entry(second)]


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
