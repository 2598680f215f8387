"""What the model sees of a path: edits, compactions, settings, and nothing twice."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given

from coursekit.pi import (
    SessionManager,
    build_context_entries,
    build_session_projection,
)
from tests.pi import cases
from tests.pi.cases import ANSWER, USER
from tests.pi.generate import SessionMaker
from tests.pi.strategies import sessions


def test_null_content_becomes_an_empty_list(tmp_path: Path) -> None:
    manager = SessionManager.open(cases.write(tmp_path / "c.jsonl", cases.CASES["null-content"]))
    assert manager.build_session_context().messages[1]["content"] == []
    entry = manager.get_entry("a1")
    assert entry is not None
    assert entry.message["content"] is None


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


@given(sessions)
def test_the_context_is_a_part_of_the_path_in_its_order(maker: SessionMaker) -> None:
    manager = SessionManager.in_memory("/w", entries=maker.lines)
    path = manager.get_branch()
    for child, parent in zip(path[1:], path, strict=False):
        assert child.parent_id == parent.id
    assert path[0].parent_id is None or manager.get_entry(path[0].parent_id) is None
    context = build_context_entries(path)
    compactions = [entry for entry in path if entry.type == "compaction"]
    if not compactions:
        assert context == path
        return
    newest = compactions[-1]
    position = path.index(newest)
    kept = len(context) - len(path[position:])
    assert context[0] is newest
    assert context[1 + kept :] == path[position + 1 :]
    order = [path.index(entry) for entry in context[1 : 1 + kept]]
    assert order == sorted(order)
    assert all(entry.role != "system" for entry in context[1 : 1 + kept])
    if kept:
        first_kept = next(i for i, e in enumerate(path) if e.id == newest.first_kept_entry_id)
        assert order[0] >= first_kept
        missing = set(range(first_kept, position)) - set(order)
        assert all(path[i].role == "system" for i in missing)


@given(sessions)
def test_a_projection_holds_every_context_entry_once(maker: SessionMaker) -> None:
    path = SessionManager.in_memory("/w", entries=maker.lines).get_branch()
    projection = build_session_projection(path)
    assert [entry.source_entry for entry in projection.entries] == build_context_entries(path)
    assert projection.messages == [m for entry in projection.entries for m in entry.messages]
    summaries = [m for m in projection.messages if m["role"] == "compactionSummary"]
    assert len(summaries) <= 1
