"""System messages: the prompt and tools that hold after all of them, and the one that is due next.

Pi 1.6.0 getCurrentSystemMessage and getCurrentTools.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from coursekit.pi.errors import PiSessionError
from coursekit.pi.files.json_text import JsonObject
from coursekit.pi.model_messages import Message, content_text, now_ms


def current_tools(messages: Iterable[Message]) -> list[JsonObject]:
    """The tool declarations in force: removed ones go, a new declaration replaces an old one."""
    tools: dict[object, JsonObject] = {}
    for message in messages:
        if message.get("role") != "system":
            continue
        for tool in _objects(message, "toolsRemoved"):
            tools.pop(tool.get("name"), None)
        for tool in _objects(message, "toolsAdded"):
            tools[tool.get("name")] = tool
    return list(tools.values())


def current_system_message(messages: Iterable[Message]) -> Message | None:
    """One system message that stands for all of them, or None where there is none.

    Content is joined by a blank line, sections are patched by name (null removes one), tools are
    resolved with `current_tools`. The timestamp is the first that a system message has.
    """
    system = [message for message in messages if message.get("role") == "system"]
    content: list[str] = []
    sections: JsonObject = {}
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
    current: Message = {"role": "system", "content": "\n\n".join(content)}
    if sections:
        current["sections"] = sections
    if tools:
        current["toolsAdded"] = tools
    timestamps = (m["timestamp"] for m in system if m.get("timestamp") is not None)
    current["timestamp"] = next(timestamps, 0)
    return current


def system_update(
    messages: Iterable[Message],
    *,
    prompt: str,
    sections: Mapping[str, str],
    tools: Sequence[JsonObject],
) -> Message | None:
    """A system message with what differs from the replay of these messages, or None.

    Sections are declared anew by name (null takes one back), tools by declaration. The prompt
    stands in the first one only: replay joins contents, so what may change belongs into a section.
    """
    current = current_system_message(messages) or {}
    in_force = current.get("sections", {})
    patch: dict[str, str | None] = {
        name: text for name, text in sections.items() if in_force.get(name) != text
    }
    patch.update((name, None) for name in in_force if name not in sections)
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


def _objects(message: Message, key: str) -> list[JsonObject]:
    values = message.get(key) or []
    if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
        raise PiSessionError(f"{key} of a system message is no list of objects")
    return values
