"""Whether the newest answer calls for a compaction: Pi's automatic cases, decided without acting.

Pi 1.6.0 AgentSession._checkCompaction. Two differences. Pi knows an answer from before a compaction
by comparing times, here its place on the path decides. And the size is always the projected
estimate, where Pi takes a successful answer's usage as it is; the two agree unless messages follow
the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from coursekit.pi.compaction.overflow import ModelLimits, is_context_overflow, is_recoverable_length
from coursekit.pi.compaction.settings import CompactionSettings, should_compact
from coursekit.pi.files.entries import Entry
from coursekit.pi.model_messages import Message
from coursekit.pi.projection import SessionProjection
from coursekit.pi.tokens import estimate_projected_context_tokens

Due = Literal["nothing", "threshold", "overflow", "overflow_retry"]


def compaction_due(
    path: Sequence[Entry],
    projection: SessionProjection,
    model: ModelLimits,
    settings: CompactionSettings,
    *,
    after_run: bool,
) -> Due:
    """What the newest answer of this active path (root first) calls for.

    `overflow_retry`: the context didn't fit, so the answer failed or broke off; compact and ask
    again. `overflow`: it didn't fit and the answer is whole all the same; compact. `threshold`:
    little room is left; compact and wait for the user. After a run an aborted answer calls for
    nothing; before the next one it counts like any other.
    """
    entry = last_answer(projection)
    if entry is None or not settings.enabled:
        return "nothing"
    answer = entry.message
    later = entries_after(path, entry)
    if (after_run and answer.get("stopReason") == "aborted") or _has(later, "compaction"):
        return "nothing"
    if _overflowed(answer, model, was_edited=_has(later, "context_edit")):
        return "overflow" if answer.get("stopReason") == "stop" else "overflow_retry"
    return "threshold" if is_past_threshold(path, projection, model, settings) else "nothing"


def is_past_threshold(
    path: Sequence[Entry],
    projection: SessionProjection,
    model: ModelLimits,
    settings: CompactionSettings,
) -> bool:
    """Whether the context leaves less than the reserve of the model's window."""
    if model.context_window <= 0:
        return False
    tokens = estimate_projected_context_tokens(projection, path).tokens
    return should_compact(tokens, model.context_window, settings)


def last_answer(projection: SessionProjection) -> Entry | None:
    """The newest assistant entry that the model still sees."""
    for entry in reversed(projection.entries):
        if entry.source_entry.role == "assistant" and entry.messages:
            return entry.source_entry
    return None


def failed_attempt(path: Sequence[Entry], answer: Entry) -> list[Entry]:
    """A failed answer and the results of its calls: what a retry must not see."""
    blocks = answer.message["content"]
    call_ids = {block["id"] for block in blocks if block["type"] == "toolCall"}
    results = (one for one in entries_after(path, answer) if one.role == "toolResult")
    return [answer, *(one for one in results if one.message["toolCallId"] in call_ids)]


def entries_after(path: Sequence[Entry], entry: Entry) -> Sequence[Entry]:
    """The part of a path that follows one of its entries."""
    for position in range(len(path) - 1, -1, -1):
        if path[position].id == entry.id:
            return path[position + 1 :]
    return []


def _overflowed(answer: Message, model: ModelLimits, *, was_edited: bool) -> bool:
    if (answer.get("provider"), answer.get("model")) != (model.provider, model.id):
        return False  # Another model's window says nothing of this one's.
    # Once the context was edited, the usage is that of one that is no more.
    window = 0 if was_edited else model.context_window
    return is_context_overflow(answer, window) or is_recoverable_length(answer, model.max_tokens)


def _has(entries: Sequence[Entry], type: str) -> bool:
    return any(entry.type == type for entry in entries)
