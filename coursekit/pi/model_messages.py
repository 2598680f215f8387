"""Messages as a model sees them: JSON objects with a role, and content of text or blocks.

Pi 1.6.0 contentText.
"""

from __future__ import annotations

import time
from typing import TypeAlias

from coursekit.pi.errors import PiSessionError, malformed
from coursekit.pi.files.json_text import JsonObject, json_kind

Message: TypeAlias = JsonObject
"""A message of any role. Files hold odd ones too, so no field is certain to be there."""

_NO_CONTENT = "content is neither text nor a list of blocks"


def content_text(content: object, separator: str = "\n") -> str:
    """The text of a message's content: itself, or its text blocks joined.

    Raises PiSessionError for content of another shape.
    """
    if isinstance(content, str):
        return content
    blocks = content_blocks(content)
    try:
        return separator.join(block["text"] for block in blocks if block.get("type") == "text")
    except (KeyError, TypeError) as error:
        raise malformed(_NO_CONTENT, error) from error


def content_blocks(content: object) -> list[JsonObject]:
    """The blocks of a content that is no text. Raises PiSessionError where it is no list of any."""
    if not isinstance(content, list):
        raise PiSessionError(f"{_NO_CONTENT}: it is {json_kind(content)}")
    for block in content:
        if not isinstance(block, dict):
            raise PiSessionError(f"{_NO_CONTENT}: a block is {json_kind(block)}")
    return content


def user_message(content: str | list[JsonObject]) -> Message:
    """A user message with the current time in milliseconds."""
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return {"role": "user", "content": blocks, "timestamp": now_ms()}


def now_ms() -> int:
    """The time, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000
