"""Faults seen in real session files, as small Python values.

Letters: u a user message, a an answer, c an assistant message with a tool call, r its result,
x a compaction, m a message from an extension, l a label, n a session name.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from coursekit.pi import SessionManager

Json = dict[str, Any]

_TIME = "2026-01-01T00:00:00Z"
HEADER: Json = {"type": "session", "version": 3, "id": "s", "timestamp": _TIME, "cwd": "/w"}

# Messages as they are appended.
USER: Json = {"role": "user", "content": "q", "timestamp": 0}
ANSWER: Json = {"role": "assistant", "content": [], "provider": "p", "model": "m", "timestamp": 0}
SYSTEM: Json = {"role": "system", "content": "Be brief.", "timestamp": 0}


def message(entry_id: str, parent: str | None, body: Json) -> Json:
    base = {"type": "message", "id": entry_id, "parentId": parent, "timestamp": _TIME}
    return {**base, "message": {**body, "timestamp": 0}}


def user(entry_id: str, parent: str | None, text: str = "q") -> Json:
    return message(entry_id, parent, {"role": "user", "content": [{"type": "text", "text": text}]})


GOOD = json.dumps(user("u2", "u1"))
"""A line that is an entry, for the places where something odd stands beside it."""


def answer(entry_id: str, parent: str, content: Any = "ok", stop: str = "stop") -> Json:
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    usage = dict.fromkeys(("input", "output", "cacheRead", "cacheWrite", "totalTokens"), 0)
    return message(
        entry_id,
        parent,
        {
            "role": "assistant",
            "content": content,
            "provider": "x",
            "model": "m",
            "stopReason": stop,
            "usage": usage,
        },
    )


def call(entry_id: str, parent: str, call_id: str = "k", stop: str = "toolUse") -> Json:
    block = {"type": "toolCall", "id": call_id, "name": "t", "arguments": {}}
    return answer(entry_id, parent, [block], stop)


def result(entry_id: str, parent: str, call_id: str = "k") -> Json:
    return message(
        entry_id,
        parent,
        {
            "role": "toolResult",
            "toolCallId": call_id,
            "toolName": "t",
            "content": [{"type": "text", "text": "r"}],
            "isError": False,
        },
    )


def compaction(entry_id: str, parent: str | None, first_kept: str, summary: str = "S") -> Json:
    return {
        "type": "compaction",
        "id": entry_id,
        "parentId": parent,
        "timestamp": _TIME,
        "summary": summary,
        "firstKeptEntryId": first_kept,
        "tokensBefore": 10,
    }


def state(kind: str, entry_id: str, parent: str | None, **fields: Any) -> Json:
    return {"type": kind, "id": entry_id, "parentId": parent, "timestamp": _TIME, **fields}


CASES: dict[str, list[Json]] = {
    "aborted-call": [
        user("u1", None), call("c1", "u1", stop="aborted"), result("r1", "c1"), user("u2", "r1"),
        answer("a2", "u2"),
    ],
    "all-zero-usage": [user("u1", None, "w" * 400), answer("a1", "u1", "y" * 40)],
    "call-id-reused-later": [
        user("u1", None), call("c1", "u1", "call_0"), result("r1", "c1", "call_0"),
        answer("a1", "r1"), user("u2", "a1"), call("c2", "u2", "call_0"),
        result("r2", "c2", "call_0"), answer("a2", "r2"),
    ],
    "custom-message-inside-call": [
        user("u1", None), call("c1", "u1"),
        state("custom_message", "m1", "c1", customType="x", content="note", display=True),
        result("r1", "m1"), answer("a1", "r1"),
    ],
    "first-kept-on-side-branch": [
        user("u1", None), answer("a1", "u1"), answer("side", "u1"),
        compaction("x1", "a1", "side"), user("u2", "x1"),
    ],
    "kept-then-compacted-again": [
        user("u1", None), answer("a1", "u1"), user("u2", "a1"), answer("a2", "u2"),
        compaction("x1", "a2", "u2"), user("u3", "x1"), answer("a3", "u3"),
    ],
    "label-as-parent": [
        user("u1", None), state("label", "l1", "u1", targetId="u1", label="mark"),
        answer("a1", "l1"), user("u2", "a1"),
    ],
    "null-content": [
        user("u1", None),
        message("a1", "u1", {"role": "assistant", "content": None, "provider": "x", "model": "m"}),
        user("u2", "a1"),
    ],
    "orphan-after-two-compactions": [
        user("u1", None), call("c1", "u1", "k1"), compaction("x1", "c1", "u1"),
        result("r1", "x1", "k1"), answer("a1", "r1"), compaction("x2", "a1", "x1", "S2"),
        user("u2", "x2"),
    ],
    "rename-on-old-branch": [
        user("u1", None), answer("a1", "u1"), user("u2", "a1"), answer("a2", "u2"),
        state("session_info", "n1", "a1", name="renamed"),
    ],
    "results-out-of-order-across-calls": [
        user("u1", None), call("c1", "u1", "k1"), call("c2", "c1", "k2"), result("r2", "c2", "k2"),
        result("r1", "r2", "k1"), answer("a1", "r1"),
    ],
    "unicode-separators": [user("u1", None, "a\u2028b\u0085c\u000bd"), answer("a1", "u1")],
    "usage-before-compaction": [
        user("u1", None, "w" * 40), answer("a1", "u1", "y"), compaction("x1", "a1", "u1"),
        user("u2", "x1", "z"),
    ],
    "user-message-inside-call": [
        user("u1", None), call("c1", "u1"), user("u2", "c1", "hurry"), result("r1", "u2"),
        answer("a1", "r1"),
    ],
}  # fmt: skip
"""Files that are read as Pi reads them."""

DUPLICATE_ID = [user("u1", None), answer("a1", "u1"), user("u1", "a1", "again")]
PARENT_CYCLE = [user("u1", "u2"), user("u2", "u1")]


def file_of(manager: SessionManager) -> Path:
    """The file behind a manager that has one."""
    file = manager.get_session_file()
    assert file is not None
    return Path(file)


def write(path: Path, entries: list[Json]) -> Path:
    """A session file with these entries."""
    lines = [json.dumps(value, ensure_ascii=False) for value in [HEADER, *entries]]
    path.write_bytes("".join(f"{line}\n" for line in lines).encode())
    return path


def write_chain(path: Path, length: int, parent_of_first: str | None) -> Path:
    """A session of `length` state entries e0, e1, ..., each the parent of the next."""
    parents = [parent_of_first, *(f"e{number}" for number in range(length - 1))]
    lines = [
        f'{{"type":"custom","id":"e{number}","parentId":{json.dumps(parent)},"customType":"x"}}\n'
        for number, parent in enumerate(parents)
    ]
    path.write_text(json.dumps(HEADER) + "\n" + "".join(lines))
    return path


def ids(manager: SessionManager) -> list[str]:
    """The ids of a session's entries, in the order of the file."""
    return [entry.id for entry in manager.get_entries()]
