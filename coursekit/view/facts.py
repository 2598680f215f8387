"""One way to read every kind of entry, by attribute or by key.

Course entries, Pi entries, a learner's own objects and plain JSON: nobody asks for
a class. A tree needs only an entry's place; where it is shown, it becomes `Facts`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from coursekit.view.text_width import one_line

EXCERPT = 200
"""Characters of an entry's text that a node keeps."""


class ViewError(ValueError):
    """An entry, or a set of entries, that cannot be drawn. `ids` are the entry ids involved."""

    def __init__(self, message: str, ids: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.ids = ids


@dataclass(frozen=True, slots=True)
class Facts:
    """What a picture or a table says about one entry.

    `first_kept_id` is set for compactions, `target_id` for labels and context edits,
    `label` for label entries (None there takes the label off again); `hides` sets a
    context edit that hides its target apart from one that replaces it.
    """

    id: str
    parent_id: str | None
    type: str
    role: str | None
    text: str
    first_kept_id: str | None = None
    target_id: str | None = None
    label: str | None = None
    hides: bool = False

    @property
    def kind(self) -> str:
        """The role of a message, the type of anything else."""
        return self.role if self.role is not None else self.type


_MISSING = object()


@lru_cache(maxsize=256)
def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)


def field(value: object, name: str, default: object = None) -> object:
    """`value.name`, or `value["name"]`, or either under the camelCase spelling of `name`."""
    if isinstance(value, Mapping):
        found = value.get(_camel(name), _MISSING)
        return value.get(name, default) if found is _MISSING else found
    found = getattr(value, name, _MISSING)
    return getattr(value, _camel(name), default) if found is _MISSING else found


def entries_of(session: object) -> list[object]:
    """The entries of a session manager, a store, or any iterable of entries, in their order.

    Raises `TypeError` for anything else.
    """
    if not isinstance(session, Mapping):
        for name in ("get_entries", "entries"):
            method = getattr(session, name, None)
            if callable(method):
                return list(method())
        if isinstance(session, Iterable) and not isinstance(session, (str, bytes)):
            return list(session)
    raise TypeError(
        f"a session or a list of entries is needed, not {type(session).__name__}; "
        "to read a file, pass its path through coursekit.view.session_file.load first"
    )


def place_of(entry: object, index: int = 0) -> tuple[str, str | None, str]:
    """An entry's id, parent id and type; `index` is its position, named in errors.

    Raises `ViewError` for an entry without an id or a type.
    """
    try:
        entry_id, parent_id, entry_type = entry.id, entry.parent_id, entry.type  # type: ignore[attr-defined]
    except AttributeError:
        entry_id, parent_id, entry_type = (
            field(entry, name) for name in ("id", "parent_id", "type")
        )
    if not isinstance(entry_id, str) or not entry_id:
        raise ViewError(f"entries[{index}].id is {entry_id!r}; an entry needs a non-empty id")
    if not isinstance(entry_type, str):
        raise ViewError(
            f"entries[{index}] ({entry_id}).type is {entry_type!r}; a string is due", (entry_id,)
        )
    if parent_id is not None and not isinstance(parent_id, str):
        raise ViewError(
            f"entries[{index}] ({entry_id}).parentId is {parent_id!r}; an id or null is due",
            (entry_id,),
        )
    return entry_id, parent_id, entry_type


def facts_of(entry: object, index: int = 0) -> Facts:
    """Read what is to be shown of an entry. Raises what `place_of` raises."""
    entry_id, parent_id, entry_type = place_of(entry, index)
    to_json = getattr(entry, "to_json", None)
    source = to_json() if callable(to_json) else entry
    message = field(source, "message")
    role = field(message, "role") if message is not None else None
    return Facts(
        id=entry_id,
        parent_id=parent_id,
        type=entry_type,
        role=_text_or_none(role),
        text=_excerpt(source, entry_type, message),
        first_kept_id=_text_or_none(field(source, "first_kept_entry_id")),
        target_id=_text_or_none(field(source, "target_id")),
        label=_text_or_none(field(source, "label")) if entry_type == "label" else None,
        hides=entry_type == "context_edit" and field(source, "replacement") is None,
    )


def tool_calls(message: object) -> list[object]:
    """The tool call parts of a message, in order."""
    content = field(message, "content")
    if not isinstance(content, (list, tuple)):
        return []
    return [part for part in content if field(part, "type") == "toolCall"]


def message_text(message: object) -> str:
    """What a message says, on one line: its text, its calls, a mark for each image."""
    role = field(message, "role")
    if role == "bashExecution":
        return one_line(f"$ {field(message, 'command', '')}")[:EXCERPT]
    if role in ("compactionSummary", "branchSummary"):
        return one_line(str(field(message, "summary", "")))[:EXCERPT]
    text = content_text(field(message, "content"))
    if role == "toolResult":
        name = field(message, "tool_name", "")
        failed = " failed" if field(message, "is_error") is True else ""
        text = f"{name}{failed}: {text}" if name else text
    calls = [f"{field(call, 'name', '?')}({field(call, 'id', '')})" for call in tool_calls(message)]
    if calls:
        text = f"{text} calls {', '.join(calls)}"
    if not text and field(message, "stop_reason") in ("error", "aborted"):
        text = f"({field(message, 'stop_reason')})"
    return one_line(text)[:EXCERPT]


def content_text(content: object) -> str:
    """The text of a message's content: a string, or a list of parts."""
    if isinstance(content, str):
        return one_line(content[: EXCERPT * 4])
    if not isinstance(content, (list, tuple)):
        return ""
    words: list[str] = []
    for part in content:
        kind = field(part, "type")
        if kind == "text":
            words.append(str(field(part, "text", ""))[: EXCERPT * 4])
        elif kind == "image":
            words.append("[image]")
    return one_line(" ".join(words))


def _excerpt(source: object, entry_type: str, message: object) -> str:
    if message is not None:
        return message_text(message)
    return one_line(str(_words(source, entry_type)))[:EXCERPT]


def _words(source: object, entry_type: str) -> object:
    match entry_type:
        case "metadata":
            return f"{field(source, 'key', '')} = {field(source, 'value')}"
        case "compaction" | "branch_summary":
            summary = field(source, "summary", "")
            return summary if isinstance(summary, str) else field(summary, "goal", "")
        case "model_change":
            return f"{field(source, 'provider', '')}/{field(source, 'model_id', '')}"
        case "thinking_level_change":
            return field(source, "thinking_level", "")
        case "session_info":
            return field(source, "name", "")
        case "label":
            label = field(source, "label")
            target = field(source, "target_id", "")
            return f"no label on {target}" if label is None else f"{label} on {target}"
        case "context_edit":
            verb = "hides" if field(source, "replacement") is None else "replaces"
            return f"{verb} {field(source, 'target_id', '')}"
        case "custom_message":
            text = content_text(field(source, "content"))
            return f"{field(source, 'custom_type', '')}: {text}"
        case "missing":
            return "not in this session"
        case "custom":
            return field(source, "custom_type", "")
        case _:
            return ""


def _text_or_none(value: object) -> str | None:
    return value if isinstance(value, str) else None
