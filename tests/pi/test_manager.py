"""The manager's methods, in memory and on disk alike: what each does, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from coursekit.pi import (
    EntryNotFoundError,
    PiSessionError,
    SessionManager,
)
from tests.pi import cases
from tests.pi.cases import ANSWER, SYSTEM, USER, file_of, ids


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
    before = file_of(manager).read_bytes()
    manager.branch(root)
    assert file_of(manager).read_bytes() == before
    again = SessionManager.open(file_of(manager))
    assert again.get_leaf_id() == a  # the last line, whatever the leaf was
    again.branch(root)
    b = again.append_message(ANSWER)
    assert SessionManager.open(file_of(manager)).get_leaf_id() == b


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
    assert ids(manager) == [before]
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


def test_a_chain_of_a_hundred_thousand_is_no_trouble(tmp_path: Path) -> None:
    path = cases.write_chain(tmp_path / "long.jsonl", 100_000, parent_of_first=None)
    manager = SessionManager.open(path)
    assert len(manager.get_branch()) == 100_000
    assert len(manager.build_session_projection().entries) == 100_000
    assert len(manager.get_tree()) == 1
    manager.create_branched_session("e99999")
    assert manager.get_entry_count() == 100_000
