"""How full the context is, by Pi's estimate.

Pi 1.6.0 estimateTokens, estimateContextTokens and estimateProjectedContextTokens.
Provider usage is exact for the request that it was reported for; characters over four is a guess.
Pi takes the newest usage that still holds and guesses only what came after it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from coursekit.pi.errors import PiSessionError, malformed
from coursekit.pi.files.entries import Entry
from coursekit.pi.files.json_text import JsonObject
from coursekit.pi.javascript import stringify, utf16_length
from coursekit.pi.model_messages import Message, content_blocks
from coursekit.pi.projection import SessionProjection
from coursekit.pi.system_messages import current_system_message

CHARS_PER_TOKEN = 4
IMAGE_CHARS = 4_800
"""What an image counts, whatever its size: 1,200 tokens."""


@dataclass(frozen=True, slots=True)
class ContextEstimate:
    """The size of a list of messages, in tokens."""

    tokens: int
    usage_tokens: int
    """The part that a provider reported; 0 where there is no usage to trust."""
    trailing_tokens: int
    """The part that is guessed: what follows the usage, or everything."""
    last_usage_index: int | None
    """Where in the list the usage stands."""


@dataclass(frozen=True, slots=True)
class ProjectedEstimate:
    """The size of a projected context, in tokens, and which usage it rests on."""

    tokens: int
    usage_tokens: int
    trailing_tokens: int
    usage_entry_id: str | None
    """The assistant entry whose usage was taken; None where everything is guessed."""
    stale_usage_entry_id: str | None = None
    """The entry whose usage no longer describes the context, so that it was not taken."""
    invalidated_by: str | None = None
    """The context edit or compaction after that entry."""


def estimate_tokens(message: Message) -> int:
    """About how many tokens a message costs: its characters over four, rounded up.

    Characters are UTF-16 units, as JavaScript counts them. Tool arguments and tool declarations
    count as JSON, an image counts `IMAGE_CHARS`. Fit for English and code; it undercounts Chinese,
    where one character is about one token: 400 Chinese characters are 100 here. Raises
    PiSessionError for content of a shape that can't be counted.
    """
    role = message.get("role")
    count = _COUNTERS.get(role) if isinstance(role, str) else None
    if count is None:
        return 0
    try:
        chars = count(message)
    except (AttributeError, KeyError, TypeError, PiSessionError) as error:
        raise malformed(f"this {role} message can't be counted", error) from error
    return -(-chars // CHARS_PER_TOKEN)


def usage_tokens(usage: Mapping[str, object]) -> int:
    """The context size that a usage reports: its total, or the sum of its four parts.

    0 where neither is there. Pi 1.6.0 calculateContextTokens.
    """
    total = _number(usage.get("totalTokens"))
    if total:
        return total
    parts = [usage.get(key) for key in ("input", "output", "cacheRead", "cacheWrite")]
    if any(part is None for part in parts):
        return 0
    return sum(_number(part) for part in parts)


def valid_usage_tokens(message: Message) -> int:
    """What an assistant message's usage says of the context, 0 where it says nothing.

    A failed or aborted answer counts nothing, and neither does a usage that is all zeros, as some
    providers report it.
    """
    if message.get("role") != "assistant" or message.get("stopReason") in ("aborted", "error"):
        return 0
    usage = message.get("usage")
    return max(usage_tokens(usage), 0) if isinstance(usage, Mapping) else 0


def estimate_context_tokens(messages: Sequence[Message]) -> ContextEstimate:
    """The newest valid usage and a guess of what follows it; without one a guess of everything.

    Takes the usage at its word. Use `estimate_projected_context_tokens` where the path may hold
    edits or compactions.
    """
    trailing = 0
    for index in range(len(messages) - 1, -1, -1):
        message = messages[index]
        reported = valid_usage_tokens(message)
        if reported:
            return ContextEstimate(reported + trailing, reported, trailing, index)
        trailing += estimate_tokens(message)
    return ContextEstimate(trailing, 0, trailing, None)


def estimate_projected_context_tokens(
    projection: SessionProjection, path: Sequence[Entry]
) -> ProjectedEstimate:
    """The size of a projection of this active path (root first).

    A usage reports the size of the context that its request had. If the path holds a context edit
    or a compaction after it, that context is no more: then the system state that holds now and
    every other message are counted anew. Messages before the usage aren't looked at.
    """
    trailing = 0
    usage_id, reported = None, 0
    for entry in reversed(projection.entries):
        for message in reversed(entry.messages):
            reported = valid_usage_tokens(message)
            if reported:
                usage_id = entry.source_entry.id
                break
            trailing += estimate_tokens(message)
        if usage_id is not None:
            break
    invalidated_by = None
    if usage_id is not None:
        for later in reversed(path):
            if later.id == usage_id:
                return ProjectedEstimate(reported + trailing, reported, trailing, usage_id)
            if later.type in ("context_edit", "compaction"):
                invalidated_by = later.id
                break
    tokens = _guess_all(projection.messages)
    return ProjectedEstimate(tokens, 0, tokens, None, usage_id, invalidated_by)


def _guess_all(messages: Sequence[Message]) -> int:
    """Every message counted, the system messages as the one that they amount to."""
    system = current_system_message(messages)
    tokens = estimate_tokens(system) if system is not None else 0
    return tokens + sum(estimate_tokens(m) for m in messages if m.get("role") != "system")


def _content_chars(content: object) -> int:
    if isinstance(content, str):
        return utf16_length(content)
    chars = 0
    for block in content_blocks(content):
        kind = block.get("type")
        if kind == "text" and block.get("text"):
            chars += utf16_length(block["text"])
        elif kind == "image":
            chars += IMAGE_CHARS
    return chars


def _system_chars(message: Message) -> int:
    chars = _content_chars(message["content"])
    sections = message.get("sections") or {}
    chars += sum(utf16_length(text) for text in sections.values() if text)
    tools = message.get("toolsAdded")
    return chars if tools is None else chars + utf16_length(stringify(tools))


def _assistant_chars(message: Message) -> int:
    content = message["content"]
    if isinstance(content, str):
        return 0  # Pi looks for blocks, and a text has none.
    return sum(map(_assistant_block_chars, content_blocks(content)))


def _assistant_block_chars(block: JsonObject) -> int:
    kind = block.get("type")
    if kind in ("text", "thinking"):
        return utf16_length(block[kind])
    if kind == "toolCall":
        return utf16_length(block["name"]) + utf16_length(stringify(block["arguments"]))
    return 0


def _sum_of(*keys: str) -> Callable[[Message], int]:
    def chars(message: Message) -> int:
        return sum(utf16_length(message[key]) for key in keys)

    return chars


def _content_of(message: Message) -> int:
    return _content_chars(message["content"])


_COUNTERS: dict[str, Callable[[Message], int]] = {
    "system": _system_chars,
    "user": _content_of,
    "assistant": _assistant_chars,
    "toolResult": _content_of,
    "custom": _content_of,
    "bashExecution": _sum_of("command", "output"),
    "branchSummary": _sum_of("summary"),
    "compactionSummary": _sum_of("summary"),
}


def _number(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        return 0
    return cast("int", value)  # JSON has one kind of number; providers count in whole ones.
