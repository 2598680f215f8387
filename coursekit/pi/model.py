"""What an agent asks of a model, and how a model says that it was asked too much.

Pi 1.6.0 isContextOverflow and isRecoverableLength. Pi knows the wording of some thirty providers;
here stand the phrases that most of them share.
"""

from __future__ import annotations

import re
import time
from typing import Any, Protocol

from .projection import Message
from .signals import AbortSignal

_OVERFLOW = re.compile(
    r"context (window|length|size)|context_length_exceeded|maximum context|prompt is too long"
    r"|prompt too long|input is too long|request_too_large|token limit exceeded|too many tokens",
    re.IGNORECASE,
)
_OTHER_LIMIT = re.compile(r"rate limit|too many requests|throttling", re.IGNORECASE)
_FULL = 0.99


class Model(Protocol):
    """A model, real or scripted."""

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

    def respond(self, messages: list[Message], signal: AbortSignal) -> Message:
        """The next assistant message. A failure is a message too (stopReason `error`).

        What is raised ends the run and leaves no message behind.
        """
        ...


def is_context_overflow(message: Message, context_window: int = 0) -> bool:
    """Whether an assistant message shows that the context didn't fit the window (tokens).

    Three ways: an error that says so; with a window given, an answer whose input was larger (some
    providers cut it in silence), or one cut off at no output because the input filled the window.
    """
    stop_reason = message.get("stopReason")
    if stop_reason == "error":
        text = message.get("errorMessage") or ""
        return bool(_OVERFLOW.search(text)) and not _OTHER_LIMIT.search(text)
    usage = message.get("usage")
    if context_window <= 0 or not isinstance(usage, dict):
        return False
    given = usage.get("input", 0) + usage.get("cacheRead", 0)
    if stop_reason == "length":
        return bool(usage.get("output") == 0 and given >= context_window * _FULL)
    return bool(stop_reason == "stop" and given > context_window)


def is_recoverable_length(message: Message, max_tokens: int) -> bool:
    """Whether an answer was cut off before its own limit, so that a fuller context is to blame."""
    output = (message.get("usage") or {}).get("output", 0)
    return bool(message.get("stopReason") == "length" and output < max_tokens)


def user_message(content: str | list[dict[str, Any]]) -> Message:
    """A user message with the current time in milliseconds."""
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return {"role": "user", "content": blocks, "timestamp": now_ms()}


def now_ms() -> int:
    """The time, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000
