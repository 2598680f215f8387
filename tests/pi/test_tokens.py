"""The size of a context: counted by characters, or reported by usage."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coursekit.pi import (
    PiSessionError,
    SessionManager,
    estimate_context_tokens,
    estimate_projected_context_tokens,
    estimate_tokens,
)
from coursekit.pi.tokens import usage_tokens
from tests.pi import cases


def _user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "text", "text": text}], "timestamp": 0}


def _answer(text: str, stop_reason: str = "stop", **usage: float) -> dict[str, Any]:
    return {
        "role": "assistant",
        "content": [{"type": "text", "text": text}],
        "stopReason": stop_reason,
        "usage": usage,
        "timestamp": 0,
    }


@pytest.mark.parametrize(
    ("message", "tokens"),
    [
        (_user("x" * 8), 2),
        (_user("x" * 9), 3),
        ({"role": "user", "content": "x" * 9}, 3),
        (_user(""), 0),
        # The heuristic undercounts Chinese: real tokenizers make about 400 of these.
        (_user("字" * 400), 100),
        # An emoji is two UTF-16 units, so five of them are ten characters to Pi.
        (_user("\U0001f333" * 5), 3),
        # {"path":"a"} has 12 characters and read has 4.
        (
            {
                "role": "assistant",
                "content": [
                    {"type": "toolCall", "id": "k", "name": "read", "arguments": {"path": "a"}}
                ],
            },
            4,
        ),
        # JSON.stringify writes 1.0 as 1, so {"n":1} has 7 characters, and x one more.
        (
            {
                "role": "assistant",
                "content": [{"type": "toolCall", "id": "k", "name": "x", "arguments": {"n": 1.0}}],
            },
            2,
        ),
        ({"role": "assistant", "content": [{"type": "thinking", "thinking": "x" * 5}]}, 2),
        ({"role": "bashExecution", "command": "ls", "output": "x" * 7}, 3),
        ({"role": "compactionSummary", "summary": "x" * 4}, 1),
        # Content 4, section 4, tools [{"name":"r"}] 14: 22 characters.
        (
            {
                "role": "system",
                "content": "base",
                "sections": {"policy": "none", "gone": None},
                "toolsAdded": [{"name": "r"}],
            },
            6,
        ),
        ({"role": "somebody", "content": "x" * 400}, 0),
    ],
)
def test_what_a_message_costs(message: dict[str, Any], tokens: int) -> None:
    assert estimate_tokens(message) == tokens


def test_an_image_is_flat_whatever_its_size() -> None:
    for size in (4, 400_000):
        image = {"type": "image", "data": "a" * size, "mimeType": "image/png"}
        assert estimate_tokens({"role": "toolResult", "content": [image]}) == 1_200


@pytest.mark.parametrize(
    "message",
    [
        {"role": "user", "content": None},
        {"role": "user"},
        {"role": "assistant", "content": [{"type": "text"}]},
        {"role": "assistant", "content": [{"type": "toolCall", "name": "x"}]},
        {"role": "bashExecution", "command": "ls"},
        {"role": "user", "content": [7]},
    ],
)
def test_what_cannot_be_counted_is_an_error_that_names_the_role(message: dict[str, Any]) -> None:
    with pytest.raises(PiSessionError, match=message["role"]):
        estimate_tokens(message)


@given(st.text(), st.text())
def test_more_text_never_costs_less(text: str, more: str) -> None:
    cost = estimate_tokens(_user(text))
    # Two messages cost at most one token more than one message of the same text, never less.
    both = estimate_tokens(_user(text + more))
    assert cost <= both <= cost + estimate_tokens(_user(more)) <= both + 1


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"totalTokens": 7, "input": 100}, 7),
        ({"totalTokens": 0, "input": 1, "output": 2, "cacheRead": 3, "cacheWrite": 4}, 10),
        ({"input": 1, "output": 2, "cacheRead": 3, "cacheWrite": 4}, 10),
        ({"input": 1, "output": 2}, 0),
        ({}, 0),
    ],
)
def test_what_a_usage_reports(usage: dict[str, Any], tokens: int) -> None:
    assert usage_tokens(usage) == tokens


def test_the_newest_valid_usage_counts_and_what_follows_is_estimated() -> None:
    messages = [
        _user("x" * 4_000),
        _answer("old", totalTokens=500),
        _user("x" * 40),
        _answer("newest valid", totalTokens=900),
        _answer("failed", "error", totalTokens=5_000),  # 6 characters: 2 tokens
        _answer("aborted", "aborted", totalTokens=5_000),  # 2 tokens
        _answer("zeros", totalTokens=0),  # 2 tokens
        _user("x" * 40),  # 10 tokens
    ]
    estimate = estimate_context_tokens(messages)
    assert estimate.usage_tokens == 900
    assert estimate.trailing_tokens == 2 + 2 + 2 + 10
    assert estimate.tokens == 916
    assert estimate.last_usage_index == 3


def test_without_usage_everything_is_estimated() -> None:
    estimate = estimate_context_tokens([_user("x" * 40), _answer("x" * 8)])
    assert (estimate.tokens, estimate.usage_tokens, estimate.last_usage_index) == (12, 0, None)


def _estimated(manager: SessionManager) -> Any:
    projection = manager.build_session_projection()
    return estimate_projected_context_tokens(projection, manager.get_branch())


@pytest.mark.parametrize(
    ("name", "tokens"),
    [
        # The summary 1, the question 10, two letters 1 each; the reported 9,000 is no more.
        ("usage-before-compaction", 13),
        # 400 letters and 40 letters; the provider reported zeros.
        ("all-zero-usage", 110),
    ],
)
def test_field_cases(name: str, tokens: int, tmp_path: Path) -> None:
    path = cases.write(tmp_path / "case.jsonl", cases.CASES[name])
    assert _estimated(SessionManager.open(path)).tokens == tokens


def test_a_later_edit_makes_a_usage_stale() -> None:
    manager = SessionManager.in_memory("/w")
    question = manager.append_message(_user("x" * 4_000))
    answer = manager.append_message(_answer("yes", totalTokens=1_001))
    manager.append_message(_user("x" * 4))
    before = _estimated(manager)
    assert (before.tokens, before.usage_entry_id) == (1_002, answer)
    edit = manager.append_context_edit(question, None)
    after = _estimated(manager)
    assert (after.tokens, after.usage_entry_id) == (2, None)  # yes and xxxx, one token each
    assert (after.stale_usage_entry_id, after.invalidated_by) == (answer, edit)
    newer = manager.append_message(_answer("again", totalTokens=77))
    assert (_estimated(manager).tokens, _estimated(manager).usage_entry_id) == (77, newer)


def test_a_stale_usage_gives_way_to_the_system_state_that_holds() -> None:
    manager = SessionManager.in_memory("/w")
    for policy in ("a" * 400, "b" * 40):
        manager.append_message(
            {"role": "system", "content": "", "sections": {"policy": policy}, "timestamp": 1}
        )
    manager.append_message(_user("x" * 4))
    answer = manager.append_message(_answer("yes", totalTokens=900))
    manager.append_context_edit(answer, None)
    # The newest policy alone, 10 tokens, and the question.
    assert _estimated(manager).tokens == 11
