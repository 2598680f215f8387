"""What the model sees of an active path.

Pi 1.6.0 buildContextEntries, projectContextEntry, buildSessionProjection and buildSessionContext.

The log never changes. A projection goes from the root to the leaf, starts at the latest compaction
where there is one, and applies the latest context edit of each entry. Every message keeps the entry
it came from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from coursekit.pi.errors import PiSessionError
from coursekit.pi.files.entries import Entry
from coursekit.pi.files.json_text import JsonObject, paused_collector
from coursekit.pi.javascript import date_ms, is_truthy
from coursekit.pi.model_messages import Message

# Tuples, not sets: a damaged file may hold a role that can't be hashed.
_EDITABLE_ROLES = ("user", "assistant", "toolResult", "custom")
_LIST_CONTENT_ROLES = ("assistant", "toolResult")


@dataclass(frozen=True, slots=True)
class SelectedModel:
    """The model that the path chose last, or that answered last."""

    provider: object
    model_id: object


class ProjectedEntry(msgspec.Struct, eq=False, gc=False):
    """One entry of the context and the messages that it contributes, edits applied.

    `messages` is decoded when it is first looked at. It is empty for entries that only hold state,
    for omitted entries, and for a compaction that a later one has replaced.
    """

    source_entry: Entry
    _edit: Entry | None = None
    _messages: list[Message] | None = None

    @property
    def messages(self) -> list[Message]:
        """JSON objects, shared with `SessionProjection.messages`."""
        if self._messages is None:
            self._messages = project_context_entry(self.source_entry, self._edit)
        return self._messages

    def __repr__(self) -> str:
        return f"ProjectedEntry({self.source_entry!r})"


class SessionProjection:
    """The model's context with its sources, and the settings of the path."""

    __slots__ = ("_messages", "entries", "model", "thinking_level")

    def __init__(
        self, entries: list[ProjectedEntry], thinking_level: object, model: SelectedModel | None
    ) -> None:
        self.entries = entries
        self.thinking_level = thinking_level
        """`"off"` until an entry of the path changes it."""
        self.model = model
        """None until the path holds a model change or an assistant message."""
        self._messages: list[Message] | None = None

    @property
    def messages(self) -> list[Message]:
        """Every message in order, as JSON objects."""
        if self._messages is None:
            with paused_collector():
                self._messages = [message for entry in self.entries for message in entry.messages]
        return self._messages

    def __repr__(self) -> str:
        return f"SessionProjection({len(self.entries)} entries, model={self.model!r})"


@dataclass(frozen=True, slots=True)
class SessionContext:
    """What a model is called with: messages and restored settings, sources left out."""

    messages: list[Message]
    thinking_level: object
    model: SelectedModel | None


def build_context_entries(path: Sequence[Entry]) -> list[Entry]:
    """The entries of the context, in order, for an active path (root first).

    Without a compaction that is the whole path. Else: the latest compaction, what it keeps from
    before it (from its first kept entry on, system messages left out, because the compaction
    carries the system checkpoint), and everything after it. A first kept id that isn't before the
    compaction on the path keeps nothing.
    """
    position = _last(path, "compaction")
    if position is None:
        return list(path)
    compaction = path[position]
    first_kept_id = compaction.get("firstKeptEntryId")
    kept_from = next((i for i in range(position) if path[i].id == first_kept_id), position)
    kept = (entry for entry in path[kept_from:position] if entry.role != "system")
    return [compaction, *kept, *path[position + 1 :]]


def build_session_projection(path: Sequence[Entry]) -> SessionProjection:
    """The projection of an active path (root first, linear in its length)."""
    context = build_context_entries(path)
    edit_by_target = {
        target_id: entry
        for entry in context
        if entry.type == "context_edit" and isinstance(target_id := entry.get("targetId"), str)
    }
    # Only the newest compaction speaks, which stands first; older ones can lie in what it keeps.
    kept = context[1:] if context and context[0].type == "compaction" else []
    silent = {entry.id for entry in kept if entry.type == "compaction"}
    projected = list(map(ProjectedEntry, context))
    if edit_by_target or silent:
        for one in projected:
            one._edit = edit_by_target.get(one.source_entry.id)
            one._messages = [] if one.source_entry.id in silent else None
    return SessionProjection(projected, _thinking_level(path), _model(path))


def build_session_context(path: Sequence[Entry]) -> SessionContext:
    """Messages and settings of an active path (root first)."""
    projection = build_session_projection(path)
    return SessionContext(projection.messages, projection.thinking_level, projection.model)


def project_context_entry(entry: Entry, edit: Entry | None = None) -> list[Message]:
    """The messages that one entry contributes, its context edit applied."""
    messages = _context_messages(entry)
    if edit is None or not messages:
        return messages
    edit_value = edit.to_json()
    if "replacement" not in edit_value:
        raise PiSessionError(f"context_edit entry {edit.id} has no replacement")
    replacement = edit_value["replacement"]
    if replacement is None:
        return []
    return [
        _with_content(message, replacement) if message.get("role") in _EDITABLE_ROLES else message
        for message in messages
    ]


def _with_content(message: Message, replacement: object) -> Message:
    edited = dict(message)
    if not isinstance(replacement, dict) or "content" not in replacement:
        edited.pop("content", None)
        return edited
    content = replacement["content"]
    if message["role"] in _LIST_CONTENT_ROLES and isinstance(content, str):
        content = [{"type": "text", "text": content}]
    edited["content"] = content
    return edited


def _context_messages(entry: Entry) -> list[Message]:
    if entry.type == "message":
        message = entry.message
        # Old and hand-edited files hold messages without content; a provider needs some.
        if message.get("content") is None:
            if entry.role == "system":
                message["content"] = ""
            elif entry.role in ("user", "assistant", "toolResult"):
                message["content"] = []
        return [message]
    if entry.type == "custom_message":
        value = entry.to_json()
        message = {"role": "custom", **_present(value, "customType")}
        message["content"] = [] if value.get("content") is None else value["content"]
        return [{**message, **_present(value, "display", "details"), **_timestamp(value)}]
    if entry.type == "branch_summary":
        value = entry.to_json()
        if not is_truthy(value.get("summary")):
            return []
        return [
            {"role": "branchSummary", **_present(value, "summary", "fromId"), **_timestamp(value)}
        ]
    if entry.type == "compaction":
        value = entry.to_json()
        summary = {
            "role": "compactionSummary",
            **_present(value, "summary", "tokensBefore"),
            **_timestamp(value),
        }
        system = value.get("systemMessage")
        if not is_truthy(system):
            return [summary]
        if not isinstance(system, dict):
            raise PiSessionError(f"compaction entry {entry.id}: systemMessage is no object")
        return [system, summary]
    return []


def _present(value: JsonObject, *keys: str) -> JsonObject:
    return {key: value[key] for key in keys if key in value}


def _timestamp(value: JsonObject) -> JsonObject:
    """The entry's time in milliseconds; None where JavaScript would hold NaN."""
    return {"timestamp": date_ms(value["timestamp"]) if "timestamp" in value else None}


def _thinking_level(path: Sequence[Entry]) -> object:
    position = _last(path, "thinking_level_change")
    return "off" if position is None else path[position].get("thinkingLevel")


def _last(path: Sequence[Entry], kind: str) -> int | None:
    """The position of the last entry of this type."""
    kinds = [entry.type for entry in path]
    kinds.reverse()
    return len(kinds) - 1 - kinds.index(kind) if kind in kinds else None


def _model(path: Sequence[Entry]) -> SelectedModel | None:
    for entry in reversed(path):
        if entry.type == "model_change":
            return SelectedModel(entry.get("provider"), entry.get("modelId"))
        if entry.role == "assistant":
            message = entry.message
            return SelectedModel(message.get("provider"), message.get("model"))
    return None
