"""Messages as a model sees them: JSON objects with a role, and content of text or blocks.

Pi 1.6.0 contentText.
"""

from __future__ import annotations

import time
from typing import Any, TypeAlias

from coursekit.pi.errors import malformed

Message: TypeAlias = dict[str, Any]


def content_text(content: Any, separator: str = "\n") -> str:
    """The text of a message's content: itself, or its text blocks joined.

    Raises PiSessionError for content of another shape.
    """
    if isinstance(content, str):
        return content
    try:
        return separator.join(block["text"] for block in content if block.get("type") == "text")
    except (AttributeError, KeyError, TypeError) as error:
        raise malformed("content is neither text nor a list of blocks", error) from error


def user_message(content: str | list[dict[str, Any]]) -> Message:
    """A user message with the current time in milliseconds."""
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return {"role": "user", "content": blocks, "timestamp": now_ms()}


def now_ms() -> int:
    """The time, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000
