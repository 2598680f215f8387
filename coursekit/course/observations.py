"""What the five labs' checks look at: functions that call the answers, and say what came.

This file runs where answers run, so it needs the standard library and the host of
observations alone. Every observation is JSON: ids, roles, numbers, texts. Nothing here
knows what is right.

The answers' objects are of the learner's own classes: they are read by attribute, and never
asked for a class. Steps hold `input`, `entry`, `store`, `stored`, `path`, `groups`, `result`
and `summary` for those after them.

One noun, though long: what may be seen of an answer, for every lab in one place.
"""

import os
from collections.abc import Callable, Iterable
from typing import Any

from coursekit.check.observing import Look, exact, revive
from coursekit.check.protocol import JsonObject, JsonValue

MODULES = ("session.py", "context.py")
"""The files of the answers."""

FUNCTIONS = (
    "parse_compaction",
    "group_interactions",
    "build_context",
    "create_compaction_entry",
    "restore",
)
"""The functions that the labs ask for."""

_FROM_STARTER = ("parse_session_entry", "check_amount", "is_finite", "summary_to_json")
# Practice folders of release 0.1 have functions that begin with the last of these.
_PREFIXES_OF_STARTER = ("read_", "_read_", "_raw_", "_told")


def is_from_starter(function: str) -> bool:
    """Whether a function of the answer modules came with the starters."""
    return function in _FROM_STARTER or function.startswith(_PREFIXES_OF_STARTER)


# --- lab 11.1 ---------------------------------------------------------------------


def _parse(look: Look) -> JsonValue:
    look.held["input"] = revive(look.arguments["value"])
    session: Any = look.module("session")
    look.held["entry"] = session.parse_session_entry(look.held["input"])
    return show_entry(look.held["entry"])


def _store(look: Look) -> JsonValue:
    """Append the values to a store; a store in a file is closed and opened again."""
    import tempfile  # of all the checks, only those of stores wait for it

    session: Any = look.module("session")
    values: Any = look.arguments["values"]
    store: Any
    if not look.arguments["file"]:
        store = session.InMemorySessionStore()
        for value in values:
            store.append(session.parse_session_entry(revive(value)))
    else:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "session.jsonl")
            writer = session.JsonlSessionStore.open(path)
            for value in values:
                writer.append(session.parse_session_entry(revive(value)))
            del writer
            store = session.JsonlSessionStore.open(path)
    return _stored(look, store)


def _open(look: Look) -> JsonValue:
    """Open a file that somebody else wrote, line by line."""
    import tempfile

    lines: Any = look.arguments["lines"]
    session: Any = look.module("session")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "session.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in lines)
        store = session.JsonlSessionStore.open(path)
    return _stored(look, store)


def _stored(look: Look, store: Any) -> JsonValue:
    look.held["store"] = store
    look.held["stored"] = store.entries()
    return show_entries(look.held["stored"])


# --- lab 11.2 ---------------------------------------------------------------------


def _group(look: Look) -> JsonValue:
    look.held["path"] = _path(look)
    context: Any = look.module("context")
    look.held["groups"] = context.group_interactions(look.held["path"])
    return show_groups(look.held["groups"])


# --- labs 11.3 and 11.5 -----------------------------------------------------------


def _build(look: Look) -> JsonValue:
    """Build a context; without a path of its own, from the held path once more."""
    if "path" in look.arguments:
        look.held["path"] = _path(look)
    context: Any = look.module("context")
    options: Any = revive(look.arguments["options"])
    look.held["result"] = context.build_context(
        look.held["path"], estimate_tokens=_Estimator(look.arguments), **options
    )
    shown = _show_result(look.held["result"], look.arguments)
    if look.arguments["spoil"]:  # the question is what became of what the estimator was lent
        shown["path"] = show_path(look.held["path"])
    return shown


class _Estimator:
    """Looks costs (tokens) up by what a message says; a cost may be no number, or an error."""

    def __init__(self, arguments: JsonObject) -> None:
        prices: Any = arguments["prices"]
        self.prices = {key: revive(price) for key, price in prices}
        self.otherwise = revive(arguments["otherwise"])
        self.spoil = arguments["spoil"]

    def __call__(self, value: Any) -> object:
        key = value
        if not isinstance(value, str):
            key = _key(value)
            if self.spoil:  # a copy is the estimator's own; an original is not
                value.content.clear()
        price = self.prices.get(key, self.otherwise)
        if isinstance(price, dict):
            raise RuntimeError(price["raise"])
        return price


def _key(message: Any) -> str:
    parts = [part.text if part.type == "text" else part.id for part in message.content]
    if message.role == "toolResult":
        parts.append(message.tool_call_id)
    return " | ".join(parts)


# --- lab 11.4 ---------------------------------------------------------------------


def _create(look: Look) -> JsonValue:
    session: Any = look.module("session")
    look.held["path"] = _path(look)
    arguments: Any = revive(look.arguments["arguments"])
    if look.arguments["as_object"]:
        arguments["summary"] = _summary(arguments["summary"], session)
    look.held["summary"] = arguments["summary"]
    context: Any = look.module("context")
    look.held["entry"] = context.create_compaction_entry(look.held["path"], **arguments)
    return {"entry": show_entry(look.held["entry"]), "path": show_path(look.held["path"])}


# --- what is passed in ------------------------------------------------------------


def _path(look: Look) -> list[object]:
    """The path's entries. Compactions are made without the parser, which is lab 11.1."""
    session: Any = look.module("session")
    path: Any = look.arguments["path"]
    return [
        session.CompactionSessionEntry(
            id=value["id"],
            parent_id=value["parentId"],
            timestamp=value["timestamp"],
            summary=_summary(value["summary"], session),
            first_kept_entry_id=value["firstKeptEntryId"],
            tokens_before=value["tokensBefore"],
        )
        if value["type"] == "compaction"
        else session.parse_session_entry(revive(value))
        for value in path
    ]


def _summary(value: JsonValue, session: Any) -> object:
    fields: Any = revive(value)
    return session.CompactionSummary(
        goal=fields["goal"],
        constraints=fields["constraints"],
        completed=fields["completed"],
        decisions=fields["decisions"],
        changed_files=fields["changedFiles"],
        unresolved=fields["unresolved"],
        next=fields["next"],
    )


# --- what is shown: exact builtin types only --------------------------------------


def show_entries(entries: Any) -> JsonValue:
    """Entries in full."""
    return [show_entry(entry) for entry in entries]


def show_entry(entry: Any) -> JsonValue:
    """An entry in full, with the keys of its JSON."""
    shown: JsonObject = {
        "type": exact(entry.type),
        "id": exact(entry.id),
        "parentId": exact(entry.parent_id),
        "timestamp": exact(entry.timestamp),
    }
    if entry.type == "message":
        shown["message"] = _show_message(entry.message)
    elif entry.type == "metadata":
        shown["key"] = exact(entry.key)
        shown["value"] = exact(entry.value)
    else:
        shown["summary"] = show_summary(entry.summary)
        shown["firstKeptEntryId"] = exact(entry.first_kept_entry_id)
        shown["tokensBefore"] = exact(entry.tokens_before)
    return shown


def show_summary(summary: Any) -> JsonValue:
    """A summary, of whatever class, or its JSON object."""
    if isinstance(summary, dict):
        return exact(summary)
    return {
        "goal": exact(summary.goal),
        "constraints": exact(summary.constraints),
        "completed": exact(summary.completed),
        "decisions": exact(summary.decisions),
        "changedFiles": exact(summary.changed_files),
        "unresolved": exact(summary.unresolved),
        "next": exact(summary.next),
    }


def show_groups(groups: Any) -> JsonValue:
    """Groups, each as its entries in short."""
    return [[_show_brief(entry) for entry in group.entries] for group in groups]


def show_path(path: Any) -> JsonValue:
    """A path's entries in short."""
    return [_show_brief(entry) for entry in path]


def _show_brief(entry: Any) -> JsonValue:
    """An entry as its id, and what its message says."""
    shown: JsonObject = {"id": exact(entry.id)}
    if entry.type == "message":
        shown |= _show_message(entry.message)
    elif entry.type == "compaction":
        shown["summary"] = show_summary(entry.summary)
    return shown


def _show_message(message: Any) -> JsonObject:
    content: list[JsonValue] = []
    for part in message.content:
        kind = getattr(part, "type", None)
        if kind == "text":
            content.append({"text": exact(part.text)})
        elif kind != "toolCall":  # what a look puts into a list that turns out to be shared
            content.append(exact(part))
        else:
            call = {"id": part.id, "name": part.name, "arguments": part.arguments}
            content.append({"call": exact(call)})
    shown: JsonObject = {"role": exact(message.role), "content": content}
    if message.role == "toolResult":
        shown["toolCallId"] = exact(message.tool_call_id)
    return shown


_TOKENS = (
    "max_tokens",
    "system",
    "reserved_output",
    "safety_margin",
    "available_for_messages",
    "messages",
    "total",
)


def _show_result(result: Any, arguments: JsonObject) -> JsonObject:
    messages = list(result.messages)
    shown: JsonObject = {
        "kept_entry_ids": exact(result.kept_entry_ids),
        "reason": exact(result.reason),
        "tokens": {name: exact(getattr(result.tokens, name)) for name in _TOKENS},
        "system_prompt": exact(result.system_prompt),
    }
    values: Any = arguments["summary"]
    if values:
        # How a summary is worded is the writer's choice; that its values stand in order is not.
        texts = [_text(message) for message in messages]
        older: Any = arguments["older"]
        shown["summary"] = _in_order(texts[0] if texts else "", values)
        shown["summary_is"] = [
            [exact(message.role), exact(message.timestamp)] for message in messages[:1]
        ]
        shown["older_summaries"] = [
            value for value in older if any(value in text for text in texts)
        ]
        messages = messages[1:]
    shown["messages"] = [_show_message(message) for message in messages]
    return shown


def _text(message: Any) -> str:
    return "\n".join(part.text for part in message.content if part.type == "text")


def _in_order(text: str, values: Iterable[str]) -> JsonValue:
    found: list[JsonValue] = []
    at = 0
    for value in values:
        here = text.find(value, at)
        if here >= 0:
            found.append(value)
            at = here + len(value)
    return found


def _entries_again(held: dict[str, object]) -> object:
    store: Any = held["store"]
    return store.entries()


OBSERVATIONS: dict[str, Callable[[Look], JsonValue]] = {
    "parse": _parse,
    "store": _store,
    "open": _open,
    "group": _group,
    "build": _build,
    "create": _create,
}

SHOWN: dict[str, Callable[[object], JsonValue]] = {
    "input": exact,
    "entry": show_entry,
    "stored": show_entries,
    "path": show_path,
    "groups": show_groups,
    "summary": show_summary,
}

FETCHED: dict[str, Callable[[dict[str, object]], object]] = {"stored": _entries_again}
