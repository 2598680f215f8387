"""A session: entries, the strict parser, the two stores, and the path to a leaf.

It is one long file by design: a learner has all of a session in one place, next to
the function that is theirs to write, `parse_compaction` (lab 11.1).

An entry is one line of a session. Each names its parent, so the entries form a
tree, and nothing in the tree is ever changed: a session only grows. The JSON
keys are camelCase, the Python attributes snake_case.

The errors, all of them `ValueError`s::

    CourseError
    ├── SessionEntryError    an entry that the parser refuses
    ├── SessionPathError     entries that do not form a path to the leaf
    ├── SessionStoreError    a file or a store that can't be read or written
    └── in context.py: InteractionError, BudgetError, CompactionError
"""

import json
import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias, overload

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
"""What JSON can say: null, a boolean, a finite number, a string, a list, an object."""


class CourseError(ValueError):
    """The root of the course's errors; `ids` are the ids that the message names."""

    def __init__(self, message: str, *, ids: Iterable[str | None] = ()) -> None:
        super().__init__(message)
        self.ids = tuple(each for each in ids if each is not None)


class SessionEntryError(CourseError):
    """An entry that the parser refuses: which one (None: it has no id), where in it, and why."""

    def __init__(self, entry_id: str | None, path: str, problem: str) -> None:
        self.entry_id = entry_id
        named = "entry" if entry_id is None else entry_id
        self.path = f"{named}.{path}" if path else named
        super().__init__(f"{self.path}: {problem}", ids=[entry_id])


class SessionPathError(CourseError):
    """Entries that do not lead from the leaf to a root."""


class SessionStoreError(CourseError):
    """A store that can't be opened or written; `line` counts from 1."""

    def __init__(
        self, message: str, *, line: int | None = None, ids: Iterable[str | None] = ()
    ) -> None:
        super().__init__(message, ids=ids)
        self.line = line


class LabNotDone(NotImplementedError):
    """Raised where a lab is still to be written; the message names the lab."""


# --- messages -----------------------------------------------------------------

StopReason: TypeAlias = Literal["stop", "length", "toolUse", "error", "aborted"]
STOP_REASONS: tuple[StopReason, ...] = ("stop", "length", "toolUse", "error", "aborted")


@dataclass
class TextContent:
    """A piece of text in a message."""

    text: str
    type: Literal["text"] = field(default="text", init=False)


@dataclass
class ToolCall:
    """An assistant's request to run a tool; its result names the same `id`."""

    id: str
    name: str
    arguments: JsonValue
    type: Literal["toolCall"] = field(default="toolCall", init=False)


@dataclass
class Usage:
    """What a provider reported for one answer, in tokens."""

    input: float
    output: float
    total_tokens: float


@dataclass
class UserMessage:
    """What a person said; it starts an interaction."""

    content: list[TextContent]
    timestamp: float
    role: Literal["user"] = field(default="user", init=False)


@dataclass
class AssistantMessage:
    """What the model said: text, tool calls, or both."""

    content: list[TextContent | ToolCall]
    provider: str
    model: str
    usage: Usage
    stop_reason: StopReason
    timestamp: float
    error_message: str | None = None
    role: Literal["assistant"] = field(default="assistant", init=False)


@dataclass
class ToolResultMessage:
    """What a tool returned for the call `tool_call_id`."""

    tool_call_id: str
    tool_name: str
    content: list[TextContent]
    is_error: bool
    timestamp: float
    details: JsonValue = None
    role: Literal["toolResult"] = field(default="toolResult", init=False)


Message: TypeAlias = UserMessage | AssistantMessage | ToolResultMessage

# --- entries ------------------------------------------------------------------


@dataclass
class MessageSessionEntry:
    """An entry that holds a message."""

    id: str
    parent_id: str | None
    timestamp: float
    message: Message
    type: Literal["message"] = field(default="message", init=False)


@dataclass
class MetadataSessionEntry:
    """An entry that a program keeps for itself; the model never sees it."""

    id: str
    parent_id: str | None
    timestamp: float
    key: str
    value: JsonValue
    type: Literal["metadata"] = field(default="metadata", init=False)


@dataclass
class CompactionSummary:
    """What stands for the messages before the first kept entry."""

    goal: str
    constraints: list[str]
    completed: list[str]
    decisions: list[str]
    changed_files: list[str]
    unresolved: list[str]
    next: list[str]


@dataclass
class CompactionSessionEntry:
    """An entry that shortens the view, and never the history.

    `first_kept_entry_id` is where the original messages start again;
    `tokens_before` is the caller's estimate (tokens) of the context before.
    """

    id: str
    parent_id: str
    timestamp: float
    summary: CompactionSummary
    first_kept_entry_id: str
    tokens_before: float
    type: Literal["compaction"] = field(default="compaction", init=False)


SessionEntry: TypeAlias = MessageSessionEntry | MetadataSessionEntry | CompactionSessionEntry

SUMMARY_KEYS = (
    "goal",
    "constraints",
    "completed",
    "decisions",
    "changedFiles",
    "unresolved",
    "next",
)
"""The JSON keys of a summary, in the order in which they are read and written."""

# --- reading outside values, field by field -------------------------------------
# Each reader takes a value, the id of its entry and its path inside that entry,
# and either returns the narrowed value or raises SessionEntryError. The id is None
# while it is being read itself.


def read_object(
    value: object, entry_id: str, path: str, required: Sequence[str], optional: Sequence[str] = ()
) -> dict[str, object]:
    """An object with all of `required`, perhaps some of `optional`, and no other key."""
    if not isinstance(value, dict):
        raise SessionEntryError(entry_id, path, f"must be an object, not {_kind(value)}")
    prefix = f"{path}." if path else ""
    for key in required:
        if key not in value:
            raise SessionEntryError(entry_id, prefix + key, "is missing")
    if len(value) > len(required):
        for key in value:
            if key not in required and key not in optional:
                raise SessionEntryError(entry_id, f"{prefix}{key}", "is not a known key")
    return value


def read_list(value: object, entry_id: str, path: str) -> list[object]:
    """A list, its items not yet looked at."""
    if not isinstance(value, list):
        raise SessionEntryError(entry_id, path, f"must be a list, not {_kind(value)}")
    return value


def read_string(value: object, entry_id: str | None, path: str) -> str:
    """A string, perhaps an empty one."""
    if not isinstance(value, str):
        raise SessionEntryError(entry_id, path, f"must be a string, not {_kind(value)}")
    return value


def read_non_blank(value: object, entry_id: str | None, path: str) -> str:
    """A string with something in it beside white space: an id, a goal."""
    text = read_string(value, entry_id, path)
    if not text.strip():
        raise SessionEntryError(entry_id, path, "must not be blank")
    return text


def read_strings(value: object, entry_id: str, path: str) -> list[str]:
    """A new list of strings."""
    items = read_list(value, entry_id, path)
    return [read_string(item, entry_id, f"{path}[{i}]") for i, item in enumerate(items)]


def read_number(value: object, entry_id: str, path: str) -> float:
    """A finite number that a float can hold; `True` and `False` are no numbers."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise SessionEntryError(entry_id, path, f"must be a number, not {_kind(value)}")
    if not is_finite(value):
        raise SessionEntryError(entry_id, path, "must be a finite number")
    return value


def read_non_negative(value: object, entry_id: str, path: str) -> float:
    """A finite number that is zero or more."""
    number = read_number(value, entry_id, path)
    if number < 0:
        raise SessionEntryError(entry_id, path, "must not be negative")
    return number


def read_json(value: object, entry_id: str, path: str) -> JsonValue:
    """A copy of any JSON value, at any depth, sharing nothing with it."""
    top: dict[str, Any] = {path: value}
    # Lists and objects that are copied, but not yet what they hold; each with the id() of
    # its original and its way there. No recursion: the depth is up to whoever wrote it.
    todo: list[tuple[_Copy | None, int, _Way | None]] = [(top, id(top), None)]
    around: set[int] = set()  # the originals that hold the one in hand
    while todo:
        copy, original, way = todo.pop()
        if copy is None:  # all that this original holds is copied
            around.remove(original)
            continue
        around.add(original)
        todo.append((None, original, None))
        for place, item in enumerate(copy) if isinstance(copy, list) else copy.items():
            if isinstance(copy, dict) and not isinstance(place, str):
                problem = "is no key of JSON: keys are strings"
            elif item is None or isinstance(item, (str, bool)):
                continue
            elif isinstance(item, (int, float)):
                if is_finite(item):
                    continue
                problem = "must be a finite number"
            elif not isinstance(item, (list, dict)):
                problem = f"must be JSON, not {_kind(item)}"
            elif id(item) in around:
                problem = "contains itself"
            else:
                inner: _Copy = list(item) if isinstance(item, list) else dict(item)
                copy[place] = inner
                todo.append((inner, id(item), (way, place)))
                continue
            raise SessionEntryError(entry_id, _spell((way, place)), problem)
    read: JsonValue = top[path]
    return read


_Copy: TypeAlias = list[Any] | dict[Any, Any]
"""A copied list or object, whose items `read_json` has still to look at."""

_Way: TypeAlias = "tuple[_Way | None, object]"
"""The way to a list or object: the way to the one around it, and its place in that."""


def _spell(way: "_Way | None") -> str:
    names: list[str] = []
    while way is not None:
        way, place = way
        names.append(f".{place}" if isinstance(place, str) else f"[{place!r}]")
    return "".join(reversed(names)).removeprefix(".")


def is_finite(number: float) -> bool:
    """Whether a number is neither NaN nor infinite, nor too large for a float."""
    try:
        return math.isfinite(number)
    except OverflowError:  # a whole number larger than any float
        return False


def _kind(value: object) -> str:
    """How JSON calls a value, for a message; never its contents."""
    names = {bool: "a boolean", int: "a number", float: "a number", str: "a string"}
    names |= {list: "a list", dict: "an object", type(None): "null"}
    return names.get(type(value), f"a Python {type(value).__name__}")


# --- the parser -----------------------------------------------------------------

_ENVELOPE = ("type", "id", "parentId", "timestamp")


@overload
def parse_session_entry(value: MessageSessionEntry) -> MessageSessionEntry: ...
@overload
def parse_session_entry(value: CompactionSessionEntry) -> CompactionSessionEntry: ...
@overload
def parse_session_entry(value: object) -> SessionEntry: ...
def parse_session_entry(value: object) -> SessionEntry:
    """Narrow an outside JSON value to an entry that shares nothing with it.

    Takes a JSON object, or an entry, which it copies. Raises `SessionEntryError`
    with the entry's id and the path to the first field that is wrong
    (`compact-1.summary.changedFiles`): a key missing or unknown, a wrong type, a
    blank id, a number that is not finite.
    Source: 11_1_records.ipynb, "The shape of a compaction record".
    """
    if isinstance(value, SessionEntry):
        value = _raw_entry(value)
    if not isinstance(value, dict):
        raise SessionEntryError(None, "", f"must be an object, not {_kind(value)}")
    if "id" not in value:
        raise SessionEntryError(None, "id", "is missing")
    entry_id = read_non_blank(value["id"], None, "id")
    if "type" not in value:
        raise SessionEntryError(entry_id, "type", "is missing")
    kind = read_string(value["type"], entry_id, "type")
    if kind == "compaction":
        return parse_compaction(value)
    if kind == "message":
        read_object(value, entry_id, "", (*_ENVELOPE, "message"))
        return MessageSessionEntry(
            id=entry_id,
            parent_id=_read_parent(value["parentId"], entry_id),
            timestamp=read_number(value["timestamp"], entry_id, "timestamp"),
            message=_read_message(value["message"], entry_id),
        )
    if kind == "metadata":
        read_object(value, entry_id, "", (*_ENVELOPE, "key", "value"))
        return MetadataSessionEntry(
            id=entry_id,
            parent_id=_read_parent(value["parentId"], entry_id),
            timestamp=read_number(value["timestamp"], entry_id, "timestamp"),
            key=read_string(value["key"], entry_id, "key"),
            value=read_json(value["value"], entry_id, "value"),
        )
    raise SessionEntryError(
        entry_id, "type", f"must be message, metadata or compaction, not {kind!r}"
    )


def parse_compaction(record: dict[str, Any]) -> CompactionSessionEntry:
    """Lab 11.1: narrow one compaction record, field by field.

    `parse_session_entry` calls this with a JSON object whose `type` is
    "compaction" and whose `id` is a non-blank string; the rest is unchecked.

    Steps:

    1. Look at `CompactionSummary` and `CompactionSessionEntry`: a record has
       exactly the keys of its shape, none missing and none unknown.
    2. Read the seven fields of the summary strictly. The goal must not be blank;
       the other six are lists of strings.
    3. Read `parentId` and `firstKeptEntryId` (neither blank nor null),
       `timestamp` (a number) and `tokensBefore` (a number, zero or more).
    4. Share nothing with `record`: no list of the result may be a list of it.

    Raises `SessionEntryError` naming the entry and the path of the wrong field.
    The `read_…` functions above do the narrowing, one field at a time.
    Source: 11_1_records.ipynb, "The shape of a compaction record" and "Ids and numbers".
    """
    raise LabNotDone("Lab 11.1: parse_compaction is not written yet")


def _read_parent(value: object, entry_id: str) -> str | None:
    return None if value is None else read_non_blank(value, entry_id, "parentId")


def _read_message(value: object, entry_id: str) -> Message:
    role = value.get("role") if isinstance(value, dict) else None
    if role == "user":
        read = read_object(value, entry_id, "message", ("role", "content", "timestamp"))
        return UserMessage(
            content=_read_texts(read["content"], entry_id),
            timestamp=read_number(read["timestamp"], entry_id, "message.timestamp"),
        )
    if role == "assistant":
        return _read_assistant(value, entry_id)
    if role == "toolResult":
        return _read_tool_result(value, entry_id)
    if not isinstance(value, dict):
        raise SessionEntryError(entry_id, "message", f"must be an object, not {_kind(value)}")
    raise SessionEntryError(entry_id, "message.role", "must be user, assistant or toolResult")


def _read_assistant(value: object, entry_id: str) -> AssistantMessage:
    keys = ("role", "content", "provider", "model", "usage", "stopReason", "timestamp")
    read = read_object(value, entry_id, "message", keys, ("errorMessage",))
    content: list[TextContent | ToolCall] = []
    for i, item in enumerate(read_list(read["content"], entry_id, "message.content")):
        at = f"message.content[{i}]"
        if isinstance(item, dict) and item.get("type") == "toolCall":
            call = read_object(item, entry_id, at, ("type", "id", "name", "arguments"))
            content.append(
                ToolCall(
                    id=read_non_blank(call["id"], entry_id, f"{at}.id"),
                    name=read_string(call["name"], entry_id, f"{at}.name"),
                    arguments=read_json(call["arguments"], entry_id, f"{at}.arguments"),
                )
            )
        else:
            content.append(_read_text(item, entry_id, at))
    usage = read_object(
        read["usage"], entry_id, "message.usage", ("input", "output", "totalTokens")
    )
    stop_reason = read["stopReason"]
    if stop_reason not in STOP_REASONS:
        raise SessionEntryError(
            entry_id, "message.stopReason", f"must be one of {', '.join(STOP_REASONS)}"
        )
    error = read.get("errorMessage", "")
    return AssistantMessage(
        content=content,
        provider=read_string(read["provider"], entry_id, "message.provider"),
        model=read_string(read["model"], entry_id, "message.model"),
        usage=Usage(
            input=read_non_negative(usage["input"], entry_id, "message.usage.input"),
            output=read_non_negative(usage["output"], entry_id, "message.usage.output"),
            total_tokens=read_non_negative(
                usage["totalTokens"], entry_id, "message.usage.totalTokens"
            ),
        ),
        stop_reason=stop_reason,
        timestamp=read_number(read["timestamp"], entry_id, "message.timestamp"),
        error_message=read_string(error, entry_id, "message.errorMessage")
        if "errorMessage" in read
        else None,
    )


def _read_tool_result(value: object, entry_id: str) -> ToolResultMessage:
    keys = ("role", "toolCallId", "toolName", "content", "isError", "timestamp")
    read = read_object(value, entry_id, "message", keys, ("details",))
    if not isinstance(read["isError"], bool):
        raise SessionEntryError(
            entry_id, "message.isError", f"must be a boolean, not {_kind(read['isError'])}"
        )
    # A null would be lost on the way back to JSON, where `details` is left out.
    if "details" in read and read["details"] is None:
        raise SessionEntryError(entry_id, "message.details", "must be left out, not null")
    return ToolResultMessage(
        tool_call_id=read_non_blank(read["toolCallId"], entry_id, "message.toolCallId"),
        tool_name=read_string(read["toolName"], entry_id, "message.toolName"),
        content=_read_texts(read["content"], entry_id),
        is_error=read["isError"],
        timestamp=read_number(read["timestamp"], entry_id, "message.timestamp"),
        details=read_json(read.get("details"), entry_id, "message.details"),
    )


def _read_texts(value: object, entry_id: str) -> list[TextContent]:
    items = read_list(value, entry_id, "message.content")
    return [_read_text(item, entry_id, f"message.content[{i}]") for i, item in enumerate(items)]


def _read_text(value: object, entry_id: str, path: str) -> TextContent:
    if isinstance(value, dict) and value.get("type", "text") != "text":
        raise SessionEntryError(entry_id, f"{path}.type", "is not a type known here")
    read = read_object(value, entry_id, path, ("type", "text"))
    return TextContent(text=read_string(read["text"], entry_id, f"{path}.text"))


# --- back to JSON -----------------------------------------------------------------


def entry_to_json(entry: SessionEntry) -> dict[str, JsonValue]:
    """The entry as a JSON object that shares nothing with it.

    `parse_session_entry(entry_to_json(entry)) == entry` for every good entry.
    Raises `SessionEntryError` for what JSON can't say, such as NaN.
    """
    return {key: read_json(value, entry.id, key) for key, value in _raw_entry(entry).items()}


def summary_to_json(summary: CompactionSummary) -> dict[str, str | list[str]]:
    """The summary as a JSON object, its seven keys in order, its lists copied."""
    values: list[str | list[str]] = [
        summary.goal,
        summary.constraints,
        summary.completed,
        summary.decisions,
        summary.changed_files,
        summary.unresolved,
        summary.next,
    ]
    return {
        key: list(value) if isinstance(value, list) else value
        for key, value in zip(SUMMARY_KEYS, values, strict=True)
    }


# What follows puts an entry's parts under their JSON keys, raw: neither copied nor
# checked. A part that somebody built by hand and wrongly is passed on, for a `read_…`
# function to refuse by its path.


def _raw_entry(entry: SessionEntry) -> dict[str, object]:
    raw: dict[str, object] = {
        "type": entry.type,
        "id": entry.id,
        "parentId": entry.parent_id,
        "timestamp": entry.timestamp,
    }
    if isinstance(entry, MessageSessionEntry):
        raw["message"] = _raw_message(entry.message)
    elif isinstance(entry, MetadataSessionEntry):
        raw["key"] = entry.key
        raw["value"] = entry.value
    else:
        summary: object = entry.summary
        raw["summary"] = (
            summary_to_json(summary) if isinstance(summary, CompactionSummary) else summary
        )
        raw["firstKeptEntryId"] = entry.first_kept_entry_id
        raw["tokensBefore"] = entry.tokens_before
    return raw


def _raw_message(message: object) -> object:
    if not isinstance(message, Message):
        return message
    content: object = message.content
    raw: dict[str, object] = {
        "role": message.role,
        "content": [_raw_part(part) for part in content] if isinstance(content, list) else content,
        "timestamp": message.timestamp,
    }
    if isinstance(message, AssistantMessage):
        raw["provider"] = message.provider
        raw["model"] = message.model
        raw["usage"] = _raw_usage(message.usage)
        raw["stopReason"] = message.stop_reason
        if message.error_message is not None:
            raw["errorMessage"] = message.error_message
    elif isinstance(message, ToolResultMessage):
        raw["toolCallId"] = message.tool_call_id
        raw["toolName"] = message.tool_name
        raw["isError"] = message.is_error
        if message.details is not None:
            raw["details"] = message.details
    return raw


def _raw_part(part: object) -> object:
    if isinstance(part, TextContent):
        return {"type": part.type, "text": part.text}
    if isinstance(part, ToolCall):
        return {
            "type": part.type,
            "id": part.id,
            "name": part.name,
            "arguments": part.arguments,
        }
    return part


def _raw_usage(usage: object) -> object:
    if not isinstance(usage, Usage):
        return usage
    return {"input": usage.input, "output": usage.output, "totalTokens": usage.total_tokens}


# --- the active path ----------------------------------------------------------------


def path_to(entries: Iterable[SessionEntry], leaf_id: str) -> list[SessionEntry]:
    """The entries from a root to the leaf `leaf_id`, root first, as copies.

    Linear in the number of entries, at any depth. Raises `SessionPathError` naming
    the ids when the leaf is unknown, two entries share an id, a parent is missing,
    or parents form a cycle.
    Source: 00_start_here.ipynb, "The leaf says where you are".
    """
    by_id: dict[str, SessionEntry] = {}
    for entry in entries:
        if entry.id in by_id:
            raise SessionPathError(f"two entries have the id {entry.id!r}", ids=[entry.id])
        by_id[entry.id] = entry
    if leaf_id not in by_id:
        raise SessionPathError(f"no entry has the leaf's id {leaf_id!r}", ids=[leaf_id])
    path: list[SessionEntry] = []
    seen: set[str] = set()
    step = by_id[leaf_id]
    while True:
        seen.add(step.id)
        path.append(step)
        if step.parent_id is None:
            break
        if step.parent_id in seen:
            raise SessionPathError(
                f"a cycle: the parents of {step.id!r} lead back to {step.parent_id!r}",
                ids=[step.id, step.parent_id],
            )
        if step.parent_id not in by_id:
            raise SessionPathError(
                f"the parent {step.parent_id!r} of {step.id!r} is missing",
                ids=[step.id, step.parent_id],
            )
        step = by_id[step.parent_id]
    return [parse_session_entry(entry) for entry in reversed(path)]


# --- the stores -----------------------------------------------------------------------


@dataclass(frozen=True)
class StoreWarning:
    """Something that the caller should look at: a stable code, the line, a sentence."""

    code: Literal["uncommitted-tail"]
    line: int
    message: str


class InMemorySessionStore:
    """A session that lives as long as the program."""

    def __init__(self) -> None:
        self._entries: dict[str, SessionEntry] = {}

    @property
    def warnings(self) -> list[StoreWarning]:
        """Always empty: memory has no torn lines."""
        return []

    def append(self, entry: SessionEntry) -> None:
        """Add a copy of `entry`; an id that is already there is refused."""
        copy = parse_session_entry(entry)
        _refuse_known(copy.id, self._entries)
        self._entries[copy.id] = copy

    def entries(self) -> list[SessionEntry]:
        """All entries in the order of their appends, as copies."""
        return [parse_session_entry(entry) for entry in self._entries.values()]


class JsonlSessionStore:
    """A session in a file, one entry a line; a line is committed by its newline.

    Open it with `JsonlSessionStore.open(path)`. What stands behind the last newline
    was never committed: it is reported in `warnings`, left as it is, and the store
    stays read-only until somebody repairs the file and opens it again.
    """

    def __init__(self, path: Path, entries: dict[str, SessionEntry], size: int) -> None:
        self._path = path
        self._entries = entries
        self._size = size
        self._warnings: list[StoreWarning] = []

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> "JsonlSessionStore":
        """Read the session at `path`; a missing file opens empty and is not made yet.

        Raises `SessionStoreError` for a file that can't be read, and, with the line
        number, for a committed line that is no entry or that repeats an id. Lines end
        at "\\n" and nowhere else.
        """
        path = Path(path)
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            data = b""
        except OSError as problem:
            raise SessionStoreError(f"{path} can't be read: {problem.strerror}") from problem
        *lines, tail = data.split(b"\n")
        entries: dict[str, SessionEntry] = {}
        for number, line in enumerate(lines, start=1):
            try:
                entry = parse_session_entry(_decode_line(line))
                _refuse_known(entry.id, entries)
            except CourseError as problem:
                raise SessionStoreError(
                    f"{path}, line {number}: {problem}", line=number, ids=problem.ids
                ) from problem
            entries[entry.id] = entry
        store = cls(path, entries, len(data))
        if tail:
            store._warn_of_tail(len(lines) + 1)
        return store

    @property
    def warnings(self) -> list[StoreWarning]:
        """What was found on opening; with an uncommitted tail the store is read-only."""
        return list(self._warnings)

    def append(self, entry: SessionEntry) -> None:
        """Write `entry` as one whole line at the end of the file.

        An id already there, an uncommitted tail, or a file that somebody else has
        changed since is refused with `SessionStoreError`, and nothing is written. A
        disk that fails halfway is a `SessionStoreError` too; what it left in the file
        is then an uncommitted tail.
        """
        copy = parse_session_entry(entry)
        _refuse_known(copy.id, self._entries)
        if self._warnings:
            raise SessionStoreError(
                f"{self._path} is read-only: {self._warnings[0].message}. "
                "Repair the file, then open it again",
                line=self._warnings[0].line,
                ids=[copy.id],
            )
        line = _encode_line(copy)
        try:
            self._write(line, copy.id)
        except OSError as problem:
            raise SessionStoreError(
                f"{copy.id!r} was not written to {self._path}: {problem.strerror}", ids=[copy.id]
            ) from problem
        self._entries[copy.id] = copy

    def _write(self, line: bytes, entry_id: str) -> None:
        # Only a file that was not there is made: one that has gone since is not.
        make = os.O_CREAT if self._size == 0 else 0
        binary = getattr(os, "O_BINARY", 0)  # or Windows would write "\r\n"
        file = os.open(self._path, os.O_WRONLY | os.O_APPEND | binary | make, 0o666)
        try:
            if os.fstat(file).st_size != self._size:
                raise SessionStoreError(
                    f"{self._path} has changed since it was opened; {entry_id!r} was not "
                    "written. Open it again",
                    ids=[entry_id],
                )
            written = 0
            while written < len(line):
                written += os.write(file, line[written:])
            self._size += written
        except OSError:
            # A part of the line may be in the file: from here on that is its tail.
            if os.fstat(file).st_size != self._size:
                self._warn_of_tail(len(self._entries) + 1)
            raise
        finally:
            os.close(file)

    def entries(self) -> list[SessionEntry]:
        """All committed entries in the order of their lines, as copies."""
        return [parse_session_entry(entry) for entry in self._entries.values()]

    def _warn_of_tail(self, line: int) -> None:
        message = f"line {line} has no newline, so it was never committed"
        self._warnings.append(StoreWarning("uncommitted-tail", line, message))


def _refuse_known(entry_id: str, entries: dict[str, SessionEntry]) -> None:
    if entry_id in entries:
        raise SessionStoreError(f"an entry {entry_id!r} is already there", ids=[entry_id])


def _encode_line(entry: SessionEntry) -> bytes:
    raw = _raw_entry(entry)
    try:
        text = json.dumps(raw, ensure_ascii=False, allow_nan=False)
        return text.encode() + b"\n"
    except UnicodeEncodeError:  # half a surrogate pair: UTF-8 has no bytes for it
        text = json.dumps(raw, allow_nan=False)
    except RecursionError as problem:
        raise SessionStoreError(
            f"{entry.id!r} is nested too deeply to be written", ids=[entry.id]
        ) from problem
    if json.loads(text) != raw:
        raise SessionStoreError(
            f"{entry.id!r} holds the two halves of a surrogate pair side by side, which "
            "JSON reads back as one character: join them first",
            ids=[entry.id],
        )
    return text.encode() + b"\n"


def _decode_line(line: bytes) -> object:
    if not line.strip():
        raise SessionStoreError("the line is blank")
    try:
        return json.loads(line.decode(), object_pairs_hook=_refuse_repeats)
    except json.JSONDecodeError as problem:
        raise SessionStoreError(
            f"not one JSON value: {problem.msg}, at character {problem.pos + 1}"
        ) from problem
    except ValueError as problem:
        raise SessionStoreError(f"not one JSON value: {problem}") from problem
    except RecursionError as problem:
        raise SessionStoreError("nested too deeply to be read") from problem


def _refuse_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    read = dict(pairs)
    if len(read) < len(pairs):
        raise ValueError("an object has the same key twice")
    return read
