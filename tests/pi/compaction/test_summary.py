"""Running a plan: the requests, the answers that are refused, and what is stored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from coursekit.pi import (
    CompactionPreparation,
    CompactionSettings,
    PiSessionError,
    ScriptedSummarizer,
    SessionManager,
    SummaryError,
    Turn,
    compact,
    prepare_compaction,
)
from coursekit.pi.abort_signal import AbortSignal
from coursekit.pi.compaction.summary import SummaryRequest, combine_usage
from coursekit.pi.model_messages import Message


def _user(text: str) -> Message:
    return {"role": "user", "content": [{"type": "text", "text": text}], "timestamp": 0}


def _answer(text: str) -> Message:
    return {
        "role": "assistant", "content": [{"type": "text", "text": text}], "stopReason": "stop",
        "provider": "p", "model": "m", "timestamp": 0,
    }  # fmt: skip


def _system(**fields: Any) -> Message:
    return {"role": "system", "content": "", "timestamp": 1, **fields}


def _plan(manager: SessionManager, keep: int = 2) -> CompactionPreparation:
    plan = prepare_compaction(manager.get_branch(), CompactionSettings(keep_recent_tokens=keep))
    assert plan is not None
    return plan


@pytest.fixture
def manager(tmp_path: Path) -> SessionManager:
    """Two turns; with 2 tokens to keep the cut is between them, with 1 it splits the second."""
    manager = SessionManager.create("/w", tmp_path)
    for message in (_user("first"), _answer("one"), _user("more"), _answer("two")):
        manager.append_message(message)
    return manager


def _store(manager: SessionManager, summarizer: Any, keep: int = 2) -> str:
    result = compact(_plan(manager, keep), summarizer)
    return manager.append_compaction(
        result.summary,
        result.first_kept_entry_id,
        result.tokens_before,
        details=result.details,
        usage=result.usage,
    )


def test_the_history_is_asked_for_once(manager: SessionManager) -> None:
    summarizer = ScriptedSummarizer(["the history"])
    result = compact(_plan(manager), summarizer)
    (request,) = summarizer.requests
    assert result.summary == "the history"
    assert request.kind == "history"
    assert "[User]: first\n\n[Assistant]: one" in request.prompt
    assert "more" not in request.prompt.split("</conversation>")[0]
    assert request.cache_retention == "none"


def test_a_split_turn_is_asked_for_apart_and_the_usage_is_summed(manager: SessionManager) -> None:
    summarizer = ScriptedSummarizer(
        [Turn.say("the history", tokens=100), Turn.say("the beginning", tokens=30)]
    )
    result = compact(_plan(manager, keep=1), summarizer)
    history, prefix = summarizer.requests
    assert (history.kind, prefix.kind) == ("history", "turn_prefix")
    assert [m["content"][0]["text"] for m in history.messages] == ["first", "one"]
    assert [m["content"][0]["text"] for m in prefix.messages] == ["more"]
    assert result.summary.index("the history") < result.summary.index("the beginning")
    assert result.usage is not None
    assert result.usage["totalTokens"] == 130


def test_each_request_has_the_callers_session_id_or_a_new_one(manager: SessionManager) -> None:
    for chosen in ("session-7", None):
        summarizer = ScriptedSummarizer(["a", "b"])
        compact(_plan(manager, keep=1), summarizer, session_id=chosen)
        ids = [request.session_id for request in summarizer.requests]
        if chosen:
            assert ids == [chosen, chosen]
        else:
            assert len(set(ids)) == 2
            assert manager.get_session_id() not in ids
        assert {request.cache_retention for request in summarizer.requests} == {"none"}


def test_a_split_turn_without_new_history_carries_the_old_summary(manager: SessionManager) -> None:
    _store(manager, ScriptedSummarizer(["the history"]))
    manager.append_message(_answer("three"))
    summarizer = ScriptedSummarizer(["the beginning"])
    result = compact(_plan(manager, keep=1), summarizer)
    assert [request.kind for request in summarizer.requests] == ["turn_prefix"]
    assert result.summary.startswith("the history\n")


def test_the_previous_summary_is_handed_on(manager: SessionManager) -> None:
    _store(manager, ScriptedSummarizer(["the history"]))
    for message in (_user("x" * 40), _answer("y" * 40)):
        manager.append_message(message)
    summarizer = ScriptedSummarizer(["both"])
    compact(_plan(manager, keep=15), summarizer, custom_instructions="the tests")
    (request,) = summarizer.requests
    assert request.previous_summary == "the history"
    assert "<previous-summary>\nthe history\n</previous-summary>" in request.prompt
    assert request.prompt.endswith("the tests")


REFUSED = {
    "error": Turn.fail("overloaded"),
    "length": Turn.cut_off("half of a"),
    "tool_call": Turn.call(("read", {"path": "a"}), text="let me look"),
    "aborted": Turn.abort("by then"),
    "blank": Turn.say(" \n\u3000"),
}


@pytest.mark.parametrize("keep", [2, 1])
@pytest.mark.parametrize("reason", REFUSED)
def test_a_refused_summary_leaves_the_bytes_of_the_log(
    manager: SessionManager, reason: str, keep: int
) -> None:
    path = Path(manager.get_session_file() or "")
    before = path.read_bytes()
    # With a split turn it is the second answer that is no good.
    answers: list[Turn | str] = ["good"] * (2 - keep) + [REFUSED[reason]]
    with pytest.raises(SummaryError, match="the session was not changed") as caught:
        _store(manager, ScriptedSummarizer(answers), keep)
    assert caught.value.reason == reason
    assert caught.value.kind == ("history" if keep == 2 else "turn_prefix")
    assert path.read_bytes() == before
    assert manager.get_entry_count() == 4


def test_a_cancellation_while_the_summary_is_written_refuses_it(manager: SessionManager) -> None:
    signal = AbortSignal()

    def summarizer(request: SummaryRequest) -> Message:
        request.signal.abort()
        return _answer("in the end it came")

    with pytest.raises(SummaryError) as caught:
        compact(_plan(manager), summarizer, signal=signal)
    assert caught.value.reason == "aborted"
    unasked = ScriptedSummarizer(["never"])
    with pytest.raises(SummaryError):
        compact(_plan(manager), unasked, signal=signal)
    assert unasked.requests == []


def test_append_compaction_stores_the_replayed_system_checkpoint(tmp_path: Path) -> None:
    """The newest policy and the tools come back from the entry; the old text is a summary."""
    manager = SessionManager.create("/w", tmp_path)
    read = {"name": "read", "description": "reads", "parameters": {"type": "object"}}
    write = {"name": "write", "description": "writes", "parameters": {"type": "object"}}
    bash = {"name": "bash", "description": "runs", "parameters": {"type": "object"}}
    manager.append_message(
        _system(content="Be brief.", sections={"policy": "old", "style": "s"}, toolsAdded=[read])
    )
    manager.append_message(_user("a long question: " + "q" * 400))
    manager.append_message(_answer("a long answer: " + "a" * 400))
    manager.append_message(
        _system(
            sections={"policy": "newest", "style": None},
            toolsAdded=[write, bash],
            toolsRemoved=[{"name": "bash"}],
        )
    )
    manager.append_message(_system(toolsRemoved=[{"name": "bash"}]))
    recent = [manager.append_message(_user("now")), manager.append_message(_answer("yes"))]
    before = manager.build_session_projection()
    compaction_id = _store(manager, ScriptedSummarizer(["asked and answered"]))

    reopened = SessionManager.open(manager.get_session_file() or "")
    after = reopened.build_session_projection()
    system, summary, *kept = after.messages
    assert system["role"] == "system"
    assert system["content"] == "Be brief."
    assert system["sections"] == {"policy": "newest"}
    assert system["toolsAdded"] == [read, write]
    assert summary["role"] == "compactionSummary"
    assert summary["summary"] == "asked and answered"
    assert "qqqq" not in str(after.messages)
    assert "aaaa" not in str(after.messages)
    # What was kept has the same sources and the same messages as before.
    sources = [entry.source_entry.id for entry in after.entries if entry.messages]
    assert sources == [compaction_id, *recent]
    messages_of = {entry.source_entry.id: entry.messages for entry in before.entries}
    assert kept == [message for entry_id in recent for message in messages_of[entry_id]]
    # And the old full text is still in the log.
    assert "q" * 400 in str([entry.to_json() for entry in reopened.get_entries()])


def test_usages_are_summed_field_by_field() -> None:
    cost = {"input": 1, "output": 2, "cacheRead": 3, "cacheWrite": 4, "total": 10}
    first = {"input": 1, "output": 2, "cacheRead": 3, "cacheWrite": 4, "totalTokens": 10}
    total = combine_usage({**first, "cost": cost, "reasoning": 5}, {**first, "cost": cost})
    assert total == {
        "input": 2, "output": 4, "cacheRead": 6, "cacheWrite": 8, "totalTokens": 20, "reasoning": 5,
        "cost": {
            "input": 2, "output": 4, "cacheRead": 6, "cacheWrite": 8, "total": 20,
            "totalFromProvider": False,
        },
    }  # fmt: skip


def test_a_system_message_of_an_odd_shape_is_an_error_of_a_session(manager: SessionManager) -> None:
    manager.append_message(_system(content=7))
    before = manager.get_entry_count()
    with pytest.raises(PiSessionError, match="content is neither text nor a list of blocks"):
        manager.append_compaction("S", None, 10)
    assert manager.get_entry_count() == before
