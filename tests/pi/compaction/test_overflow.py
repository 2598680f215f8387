"""Which answers show that the context was too large, and which don't."""

from __future__ import annotations

from typing import Any

import pytest

from coursekit.pi.compaction.overflow import is_context_overflow, is_recoverable_length


def _answer(stop_reason: str, **usage: int) -> dict[str, Any]:
    return {"role": "assistant", "stopReason": stop_reason, "usage": usage}


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        ("Prompt is too long: 210000 tokens", True),
        ("error code context_length_exceeded", True),
        ("this exceeds the maximum context of the model", True),
        ("rate limit reached: too many tokens per minute", False),
        ("the server is overloaded", False),
        (None, False),
    ],
)
def test_an_error_overflows_by_its_words(error: str | None, expected: bool) -> None:
    answer = {"role": "assistant", "stopReason": "error", "errorMessage": error}
    assert is_context_overflow(answer, 1_000) is expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (_answer("stop", input=900, cacheRead=100, output=5), False),  # full, and it fit
        (_answer("stop", input=901, cacheRead=100, output=5), True),
        (_answer("length", input=990, output=0), True),
        (_answer("length", input=989, output=0), False),
        (_answer("length", input=990, output=1), False),
        (_answer("toolUse", input=5_000, output=1), False),
        ({"role": "assistant", "stopReason": "stop"}, False),
    ],
)
def test_a_usage_overflows_by_its_input(answer: dict[str, Any], expected: bool) -> None:
    assert is_context_overflow(answer, 1_000) is expected
    assert not is_context_overflow(answer)  # without a window only an error says so


def test_an_answer_cut_off_below_its_own_limit_is_recoverable() -> None:
    assert is_recoverable_length(_answer("length", output=99), 100)
    assert not is_recoverable_length(_answer("length", output=100), 100)
    assert not is_recoverable_length(_answer("stop", output=1), 100)
