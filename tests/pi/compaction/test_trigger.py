"""What the newest answer of a path calls for."""

from __future__ import annotations

from typing import Any

import pytest

from coursekit.pi import CompactionSettings, ScriptedModel, SessionManager
from coursekit.pi.compaction.trigger import (
    compaction_due,
    entries_after,
    failed_attempt,
    is_past_threshold,
    last_answer,
)
from tests.pi.cases import USER

_MODEL = ScriptedModel([], context_window=1_000, max_tokens=100)
_SETTINGS = CompactionSettings(reserve_tokens=200)


def _session(**answer: Any) -> SessionManager:
    manager = SessionManager.in_memory("/w")
    manager.append_message(USER)
    base = {"role": "assistant", "content": [], "provider": "scripted", "model": "script"}
    manager.append_message({**base, "stopReason": "stop", "timestamp": 0, **answer})
    return manager


def _due(manager: SessionManager, *, after_run: bool = True, model: ScriptedModel = _MODEL) -> str:
    path, projection = manager.get_branch(), manager.build_session_projection()
    return compaction_due(path, projection, model, _SETTINGS, after_run=after_run)


@pytest.mark.parametrize(
    ("answer", "due"),
    [
        ({"usage": {"totalTokens": 800}}, "nothing"),
        ({"usage": {"totalTokens": 801}}, "threshold"),
        ({"usage": {"input": 1_001, "totalTokens": 1_002}}, "overflow"),
        ({"stopReason": "error", "errorMessage": "prompt is too long"}, "overflow_retry"),
        ({"stopReason": "length", "usage": {"output": 99}}, "overflow_retry"),
        ({"stopReason": "length", "usage": {"output": 100}}, "nothing"),
        ({"stopReason": "error", "errorMessage": "overloaded"}, "nothing"),
    ],
)
def test_an_answer_calls_for(answer: dict[str, Any], due: str) -> None:
    assert _due(_session(**answer)) == due


def test_another_models_overflow_says_nothing() -> None:
    failed = _session(stopReason="error", errorMessage="prompt is too long")
    other = ScriptedModel([], id="another", context_window=1_000)
    assert _due(failed, model=other) == "nothing"


def test_an_aborted_answer_counts_before_the_next_run_only() -> None:
    text = [{"type": "text", "text": "x" * 4_000}]
    aborted = _session(stopReason="aborted", content=text)
    assert _due(aborted) == "nothing"
    assert _due(aborted, after_run=False) == "threshold"


def test_nothing_is_due_behind_a_compaction_or_before_an_answer() -> None:
    manager = _session(stopReason="error", errorMessage="prompt is too long")
    manager.append_compaction("S", manager.get_branch()[0].id, 1)
    assert _due(manager) == "nothing"
    assert _due(SessionManager.in_memory("/w")) == "nothing"


def test_without_a_known_window_no_threshold_is_past() -> None:
    manager = _session(usage={"totalTokens": 10**9})
    path, projection = manager.get_branch(), manager.build_session_projection()
    unknown = ScriptedModel([], context_window=0)
    assert is_past_threshold(path, projection, _MODEL, _SETTINGS)
    assert not is_past_threshold(path, projection, unknown, _SETTINGS)


def test_a_failed_attempt_is_the_answer_and_the_results_of_its_calls() -> None:
    call = {"type": "toolCall", "id": "k", "name": "t", "arguments": {}}
    manager = _session(stopReason="length", content=[call])
    result = {"role": "toolResult", "toolName": "t", "content": [], "isError": True, "timestamp": 0}
    manager.append_message({**result, "toolCallId": "k"})
    manager.append_message({**result, "toolCallId": "another"})
    path = manager.get_branch()
    answer = last_answer(manager.build_session_projection())
    assert answer is path[1]
    assert failed_attempt(path, path[1]) == path[1:3]
    assert entries_after(path, path[2]) == path[3:]
    assert entries_after(path[:2], path[3]) == []
