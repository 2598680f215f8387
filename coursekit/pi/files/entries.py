"""The entries of a session file: a typed envelope over one line of JSON.

An entry keeps its line. What every reader needs (type, id, parent, timestamp, a message's role) is
decoded when the line is read; messages and payloads are decoded when they are looked at, unknown
fields included, so nothing is lost and large sessions stay cheap. Pi 1.6.0 writes these types:

    message                 message (system, user, assistant, toolResult, bashExecution, custom)
    model_change            provider, modelId
    thinking_level_change   thinkingLevel
    compaction              summary, firstKeptEntryId, tokensBefore, systemMessage?, ...
    branch_summary          fromId, summary, details?, usage?
    custom                  customType, data?               state of an extension; no model sees it
    custom_message          customType, content, display    the model sees it
    context_edit            targetId, replacement ({content} or null)
    label                   targetId, label?
    session_info            name?
    usage                   kind, provider, model, usage, note?

Other types are kept and contribute nothing to the model's context.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from coursekit.pi.errors import PiSessionError
from coursekit.pi.files.json_text import JsonObject, decode, encode, json_kind

_OPEN, _CLOSE = b"{}"


class _MessageHead(msgspec.Struct, gc=False):
    role: Any = None


class _Field:
    """A field by its JSON key, decoded when it is looked at. AttributeError where it is absent."""

    def __init__(self, key: str) -> None:
        self._key = key

    def __get__(self, entry: Entry | None, owner: type[Entry]) -> object:
        if entry is None:
            return self
        value = entry.to_json()
        if self._key not in value:
            raise AttributeError(f"this {entry.type} entry has no field {self._key!r}")
        return value[self._key]


class Entry(msgspec.Struct, rename="camel", eq=False, gc=False):
    """One entry of a session, made by `read_entry` or `Entry.from_json`. It never changes.

    `entry.get("summary")` looks a field up by its JSON key, whichever it is; the fields that Pi
    1.6.0 writes are attributes too, in snake_case. Every look returns fresh JSON values.
    """

    # A struct that msgspec fills by itself: an object made in Python costs as much as its line.
    type: str
    id: str = ""
    parent_id: str | None = None
    timestamp: Any = None
    """As the file has it; Pi writes ISO 8601 text."""
    _head: _MessageHead | None = msgspec.field(default=None, name="message")
    _line: Any = msgspec.field(default=b"", name="")  # set after decoding, whatever the key held

    # By name, because a `__getattr__` makes every look at an id slow.
    summary = _Field("summary")
    first_kept_entry_id = _Field("firstKeptEntryId")
    tokens_before = _Field("tokensBefore")
    system_message = _Field("systemMessage")
    details = _Field("details")
    usage = _Field("usage")
    from_hook = _Field("fromHook")
    from_id = _Field("fromId")
    provider = _Field("provider")
    model_id = _Field("modelId")
    thinking_level = _Field("thinkingLevel")
    custom_type = _Field("customType")
    data = _Field("data")
    content = _Field("content")
    display = _Field("display")
    target_id = _Field("targetId")
    replacement = _Field("replacement")
    label = _Field("label")
    name = _Field("name")
    kind = _Field("kind")
    model = _Field("model")
    note = _Field("note")

    @classmethod
    def from_json(cls, value: Mapping[str, object]) -> Entry:
        """An entry that holds a copy of this JSON object."""
        return read_entry(encode(value))

    def to_json(self) -> JsonObject:
        """The JSON object of this entry, equal to what was read. The caller may change it."""
        value = decode(self._line)
        assert isinstance(value, dict)
        return value

    def line(self) -> bytes:
        """The entry's line as it stands in the file, without its newline."""
        return bytes(self._line)

    @property
    def role(self) -> object:
        """The role of the message that a message entry holds, None for every other type."""
        return self._head.role if self._head is not None and self.type == "message" else None

    @property
    def message(self) -> JsonObject:
        """The message of a message entry. Raises AttributeError for other types."""
        if self.type != "message":
            raise AttributeError(f"a {self.type} entry has no message")
        try:
            message: JsonObject = _decode_message(self._line).message
        except (msgspec.DecodeError, RecursionError):
            message = self.to_json()["message"]
        return message

    def get(self, key: str, default: object = None) -> object:
        """The value at a JSON key (`firstKeptEntryId`), or `default` where the key is absent."""
        return self.to_json().get(key, default)

    def __reduce__(self) -> tuple[Callable[[bytes], Entry], tuple[bytes]]:
        return read_entry, (self.line(),)

    def __repr__(self) -> str:
        role = f", role={self.role!r}" if self.type == "message" else ""
        return f"Entry({self.type!r}, id={self.id!r}, parent_id={self.parent_id!r}{role})"


class _MessageOnly(msgspec.Struct, gc=False):
    message: JsonObject


_decode_entry = msgspec.json.Decoder(Entry).decode
_decode_entries = msgspec.json.Decoder(Entry).decode_lines
_decode_message = msgspec.json.Decoder(_MessageOnly).decode


def read_entry(line: bytes | memoryview) -> Entry:
    """The entry in one line without its newline.

    Raises PiSessionError for JSON that is no entry, ValueError for what isn't JSON.
    """
    try:
        entry = _decode_entry(line)
    except (msgspec.DecodeError, RecursionError):
        entry = _entry_of(decode(line))
    _check(entry)
    entry._line = line
    return entry


def check_entry(value: object) -> None:
    """Raises PiSessionError, saying why, for a JSON value that is no entry."""
    _check(_entry_of(value))


def add_entries_in_bulk(by_id: dict[str, Entry], data: bytes, start: int, end: int) -> bool:
    """Read the whole lines of `data[start:end]` in bulk and add their entries.

    Whether every line held one entry; where one doesn't, `read_entry` finds it and says why. Each
    line must begin with `{` and end with `}`, so no value can reach over a line's end; with as
    many values as lines, no line can hold two.
    """
    view, find = memoryview(data), data.find
    try:
        entries = _decode_entries(view[start:end])
    except (msgspec.DecodeError, RecursionError):
        return False
    count = len(by_id) + len(entries)
    for entry in entries:
        stop, entry_id, kind = find(b"\n", start), entry.id, entry.type
        if stop <= start or data[start] != _OPEN or data[stop - 1] != _CLOSE or not entry_id:
            return False
        if kind == "session" or (kind == "message" and entry._head is None):
            return False
        entry._line = view[start:stop]
        by_id[entry_id] = entry
        start = stop + 1
    return start == end and len(by_id) == count


def _check(entry: Entry) -> None:
    if not entry.id:
        raise PiSessionError(f"{entry.type} entry has no id")
    if entry._head is None and entry.type == "message":
        raise PiSessionError(f"message entry {entry.id} holds no message object")


def _entry_of(value: object) -> Entry:
    """The envelope of a line that the fast decoder refused, or an error that says why."""
    if not isinstance(value, dict):
        raise PiSessionError(f"a line must hold a JSON object, not {json_kind(value)}")
    envelope: dict[str, Any] = {"timestamp": value.get("timestamp")}
    for key, name in (("type", "type"), ("id", "id"), ("parentId", "parent_id")):
        item = value.get(key)
        if isinstance(item, str):
            envelope[name] = item
        elif key == "type" or item is not None:
            what = "missing" if key not in value else f"{json_kind(item)}, not text"
            raise PiSessionError(f"field {key!r} is {what}")
    message = value.get("message")
    if isinstance(message, dict):
        envelope["_head"] = _MessageHead(message.get("role"))
    return Entry(**envelope)
