"""The system message that brings what a session has declared up to what now holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .model import now_ms
from .projection import Message
from .system import current_system_message


def system_update(
    messages: Iterable[Message],
    *,
    prompt: str,
    sections: Mapping[str, str],
    tools: Sequence[Mapping[str, Any]],
) -> Message | None:
    """A system message with what differs from the replay of these messages, or None.

    Sections are told anew by name (null takes one back), tools by declaration. The prompt is told
    once: replay joins contents, so what may change belongs into a section.
    """
    current = current_system_message(messages) or {}
    told = current.get("sections", {})
    patch: dict[str, str | None] = {
        name: text for name, text in sections.items() if told.get(name) != text
    }
    patch.update((name, None) for name in told if name not in sections)
    declared = {tool["name"]: tool for tool in current.get("toolsAdded", [])}
    wanted = {tool["name"]: tool for tool in tools}
    added = [tool for name, tool in wanted.items() if declared.get(name) != tool]
    removed = [name for name, tool in declared.items() if wanted.get(name) != tool]
    update: Message = {"role": "system", "content": "" if current.get("content") else prompt}
    if patch:
        update["sections"] = patch
    if added:
        update["toolsAdded"] = added
    if removed:
        update["toolsRemoved"] = [{"name": name} for name in removed]
    if len(update) == 2 and not update["content"]:
        return None
    update["timestamp"] = now_ms()
    return update
