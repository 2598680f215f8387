"""The system prompt and tools that hold after every system message has been replayed.

Pi 1.6.0 getCurrentSystemMessage, getCurrentTools and contentText.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .errors import PiSessionError, malformed

_Message = dict[str, Any]


def current_tools(messages: Iterable[_Message]) -> list[Any]:
    """The tool declarations in force: removed ones go, a new declaration replaces an old one."""
    tools: dict[Any, Any] = {}
    for message in messages:
        if message.get("role") != "system":
            continue
        for tool in _objects(message, "toolsRemoved"):
            tools.pop(tool.get("name"), None)
        for tool in _objects(message, "toolsAdded"):
            tools[tool.get("name")] = tool
    return list(tools.values())


def current_system_message(messages: Iterable[_Message]) -> _Message | None:
    """One system message that stands for all of them, or None where there is none.

    Content is joined by a blank line, sections are patched by name (null removes one), tools are
    resolved with `current_tools`. The timestamp is the first that a system message has.
    """
    system = [message for message in messages if message.get("role") == "system"]
    content: list[str] = []
    sections: dict[str, Any] = {}
    for message in system:
        text = content_text(message.get("content") or "")
        if text:
            content.append(text)
        patch = message.get("sections") or {}
        if not isinstance(patch, dict):
            raise PiSessionError("the sections of a system message are no object")
        for name, value in patch.items():
            if value is None:
                sections.pop(name, None)
            else:
                sections[name] = value
    tools = current_tools(system)
    if not tools and not any("timestamp" in message for message in system):
        return None
    current: _Message = {"role": "system", "content": "\n\n".join(content)}
    if sections:
        current["sections"] = sections
    if tools:
        current["toolsAdded"] = tools
    timestamps = (m["timestamp"] for m in system if m.get("timestamp") is not None)
    current["timestamp"] = next(timestamps, 0)
    return current


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


def _objects(message: _Message, key: str) -> list[_Message]:
    values = message.get(key) or []
    if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
        raise PiSessionError(f"{key} of a system message is no list of objects")
    return values
