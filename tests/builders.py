"""Course entries as JSON, one line each, for cases that are written out by hand."""

import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from coursekit.session import SessionEntry, parse_session_entry

Json = dict[str, Any]


def text(words: str) -> Json:
    return {"type": "text", "text": words}


def call(call_id: str, arguments: Any = None) -> Json:
    arguments = {} if arguments is None else arguments
    return {"type": "toolCall", "id": call_id, "name": "t", "arguments": arguments}


def message(entry_id: str, told: Json, parent: str | None = None) -> Json:
    return {
        "type": "message",
        "id": entry_id,
        "parentId": parent,
        "timestamp": 0,
        "message": told,
    }


def user(entry_id: str, words: str = "q") -> Json:
    return message(entry_id, {"role": "user", "content": [text(words)], "timestamp": 0})


def assistant(entry_id: str, *calls: str, stop: str | None = None) -> Json:
    """An assistant message: the calls named, or a text when there are none."""
    content = [call(call_id) for call_id in calls] or [text("ok")]
    told = {
        "role": "assistant",
        "content": content,
        "provider": "x",
        "model": "m",
        "usage": {"input": 1, "output": 2, "totalTokens": 3},
        "stopReason": stop or ("toolUse" if calls else "stop"),
        "timestamp": 0,
    }
    return message(entry_id, told)


def result(entry_id: str, call_id: str) -> Json:
    told = {
        "role": "toolResult",
        "toolCallId": call_id,
        "toolName": "t",
        "content": [text("r")],
        "isError": False,
        "timestamp": 0,
    }
    return message(entry_id, told)


def metadata(entry_id: str, value: Any = None) -> Json:
    return {
        "type": "metadata",
        "id": entry_id,
        "parentId": None,
        "timestamp": 0,
        "key": "k",
        "value": value,
    }


def summary(goal: str = "goal") -> Json:
    return {
        "goal": goal,
        "constraints": ["constraint"],
        "completed": ["completed 1", "completed 2"],
        "decisions": [],
        "changedFiles": ["context.py"],
        "unresolved": ["unresolved"],
        "next": ["next"],
    }


def compaction(entry_id: str, first_kept: str, goal: str = "goal") -> Json:
    return {
        "type": "compaction",
        "id": entry_id,
        "parentId": "set by chain",
        "timestamp": 100,
        "summary": summary(goal),
        "firstKeptEntryId": first_kept,
        "tokensBefore": 29,
    }


def chain(*entries: Json) -> list[Json]:
    """The entries, each made a child of the one before it."""
    parents = [None, *(entry["id"] for entry in entries)]
    return [entry | {"parentId": parent} for entry, parent in zip(entries, parents, strict=False)]


def parsed(*entries: Json) -> list[SessionEntry]:
    """The chain of these entries as Python objects: an active path."""
    return [parse_session_entry(entry) for entry in chain(*entries)]


def opening() -> list[Json]:
    """The nine entries of the lab document's transcript, their texts shortened."""
    return chain(
        user("u1"),
        assistant("a1"),
        user("u2"),
        assistant("a2"),
        user("u3"),
        assistant("calls", "read-1", "test-1"),
        result("r-test", "test-1"),
        result("r-read", "read-1"),
        assistant("a3"),
    )


def tool_turns(count: int) -> list[Json]:
    """`count` interactions of four entries each: user, call, result, answer."""
    entries = []
    for i in range(count):
        entries += [user(f"u{i}"), assistant(f"c{i}", "k"), result(f"r{i}", "k")]
        entries.append(assistant(f"a{i}"))
    return chain(*entries)


@contextmanager
def little_stack(frames: int = 60) -> Iterator[None]:
    """Inside, no more than `frames` calls may be nested: recursion over data fails."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + frames)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
