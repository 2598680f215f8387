"""A conversation as one text, so that a model summarises it and doesn't go on with it.

Pi 1.6.0 serializeConversation. Thinking is left out, long tool results are cut. The labels are
Pi's; what stands for commands and branch summaries is worded here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from coursekit.pi.errors import PiSessionError, malformed
from coursekit.pi.files.json_text import JsonObject
from coursekit.pi.javascript import stringify, utf16_length
from coursekit.pi.model_messages import Message, content_blocks, content_text

TOOL_RESULT_CHARS = 2_000
"""How much of a tool result is kept, in UTF-16 units."""


def conversation_text(messages: Iterable[Message]) -> str:
    """The messages one after the other, each part under the name of its speaker.

    Raises PiSessionError for a message of a shape that can't be written out.
    """
    return "\n\n".join(part for message in messages for part in _readable_parts(message))


def _readable_parts(message: Message) -> list[str]:
    try:
        return _parts(message)
    except (AttributeError, KeyError, TypeError, PiSessionError) as error:
        raise malformed(f"this {message['role']} message can't be summarised", error) from error


def _parts(message: Message) -> list[str]:
    role = message.get("role")
    if role == "assistant":
        return _assistant_parts(message["content"])
    if role == "toolResult":
        text = _shortened(content_text(message["content"], ""))
        return [f"[Tool result]: {text}"] if text else []
    if role in ("user", "custom"):
        text = content_text(message["content"], "")
    elif role == "branchSummary":
        text = f"A branch that was left, in summary:\n{message['summary']}"
    elif role == "bashExecution" and not message.get("excludeFromContext"):
        text = _command_text(message)
    else:
        text = ""
    return [f"[User]: {text}"] if text else []


def _assistant_parts(content: object) -> list[str]:
    if isinstance(content, str):
        return []  # As in the estimate: Pi looks for blocks.
    parts = []
    blocks = content_blocks(content)
    if any(block.get("type") == "text" for block in blocks):
        parts.append(f"[Assistant]: {content_text(blocks)}")
    calls = [_call_text(block) for block in blocks if block.get("type") == "toolCall"]
    if calls:
        parts.append(f"[Assistant tool calls]: {'; '.join(calls)}")
    return parts


def _call_text(call: JsonObject) -> str:
    arguments = call["arguments"]
    if not isinstance(arguments, Mapping):
        return f"{call['name']}({stringify(arguments)})"
    written = (f"{key}={stringify(value)}" for key, value in arguments.items())
    return f"{call['name']}({', '.join(written)})"


def _command_text(message: Message) -> str:
    lines = [f"$ {message['command']}", message.get("output") or "(no output)"]
    if message.get("cancelled"):
        lines.append("(cancelled)")
    elif message.get("exitCode"):
        lines.append(f"(exit code {message['exitCode']})")
    return "\n".join(lines)


def _shortened(text: str) -> str:
    """The head of a text that is too long, no character split in two, and how much is missing."""
    length = utf16_length(text)
    if length <= TOOL_RESULT_CHARS:
        return text
    units = text.encode("utf-16-le", "surrogatepass")
    end = 2 * TOOL_RESULT_CHARS
    # A high surrogate before the cut and a low one after it are one character.
    if units[end - 1] & 0xFC == 0xD8 and units[end + 1] & 0xFC == 0xDC:
        end -= 2
    kept = units[:end].decode("utf-16-le", "surrogatepass")
    return f"{kept}\n\n[... {length - TOOL_RESULT_CHARS} more characters truncated]"
