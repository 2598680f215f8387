"""Whether an answer shows that the context was too large for its model.

Pi 1.6.0 isContextOverflow and isRecoverableLength. Pi knows the wording of some thirty providers;
here stand the phrases that most of them share.
"""

from __future__ import annotations

import re
from typing import Protocol

from coursekit.pi.model_messages import Message

_OVERFLOW = re.compile(
    r"context (window|length|size)|context_length_exceeded|maximum context|prompt is too long"
    r"|prompt too long|input is too long|request_too_large|token limit exceeded|too many tokens",
    re.IGNORECASE,
)
_OTHER_LIMIT = re.compile(r"rate limit|too many requests|throttling", re.IGNORECASE)
_FULL = 0.99


class ModelLimits(Protocol):
    """Which model answers, and how much it takes and writes."""

    @property
    def provider(self) -> str: ...

    @property
    def id(self) -> str: ...

    @property
    def context_window(self) -> int:
        """In tokens; 0 where it isn't known, and then nothing is compacted for its sake."""
        ...

    @property
    def max_tokens(self) -> int:
        """The longest answer, in tokens."""
        ...


def is_context_overflow(message: Message, context_window: int = 0) -> bool:
    """Whether an assistant message shows that the context didn't fit the window (tokens).

    Three ways: an error that says so; with a window, an answer whose input was larger (some
    providers cut it in silence), or one cut off at no output because the input filled the window.
    """
    stop_reason = message.get("stopReason")
    if stop_reason == "error":
        text = message.get("errorMessage") or ""
        return bool(_OVERFLOW.search(text)) and not _OTHER_LIMIT.search(text)
    usage = message.get("usage")
    if context_window <= 0 or not isinstance(usage, dict):
        return False
    tokens_in = usage.get("input", 0) + usage.get("cacheRead", 0)
    if stop_reason == "length":
        return bool(usage.get("output") == 0 and tokens_in >= context_window * _FULL)
    return bool(stop_reason == "stop" and tokens_in > context_window)


def is_recoverable_length(message: Message, max_tokens: int) -> bool:
    """Whether an answer was cut off before its own limit, so that a fuller context is to blame."""
    output = (message.get("usage") or {}).get("output", 0)
    return bool(message.get("stopReason") == "length" and output < max_tokens)
