"""Small session files, sound and damaged, for the tests of what is found in them."""

import json
from typing import Any

from coursekit.diagnose import diagnose_bytes
from coursekit.transcripts import opening

HEADER = {"type": "session", "version": 3, "id": "s", "timestamp": "2026-01-01T00:00:00Z"}


def entry(kind: str, entry_id: str, parent: str | None, **fields: Any) -> dict[str, Any]:
    stamp = "2026-01-01T00:00:00Z"
    return {"type": kind, "id": entry_id, "parentId": parent, "timestamp": stamp, **fields}


def user(entry_id: str, parent: str | None) -> dict[str, Any]:
    return entry("message", entry_id, parent, message={"role": "user", "content": "q"})


def answer(
    entry_id: str, parent: str, *calls: str, stop: str = "stop", usage: int = 0
) -> dict[str, Any]:
    content = [{"type": "toolCall", "id": call, "name": "t", "arguments": {}} for call in calls]
    message: dict[str, Any] = {"role": "assistant", "content": content, "stopReason": stop}
    message["usage"] = {"totalTokens": usage}
    return entry("message", entry_id, parent, message=message)


def result(entry_id: str, parent: str, call: str) -> dict[str, Any]:
    message = {"role": "toolResult", "toolCallId": call, "content": []}
    return entry("message", entry_id, parent, message=message)


def compaction(entry_id: str, parent: str, first: str) -> dict[str, Any]:
    return entry("compaction", entry_id, parent, summary="S", firstKeptEntryId=first)


def pi_file(*entries: dict[str, Any], header: dict[str, Any] = HEADER) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in (header, *entries))


def course_file(*entries: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in entries)


def findings_of(data: bytes) -> list[tuple[str, int, tuple[str, ...]]]:
    return [(each.code, each.line, each.ids) for each in diagnose_bytes(data)]


U1, A1 = user("u1", None), answer("a1", "u1")


LINES = pi_file(U1, A1)


# Code, damaged file, line and ids, by hand: each file is sound but for what its code names.
DAMAGE: list[tuple[str, bytes, int, tuple[str, ...]]] = [
    ("empty", b"", 1, ()),
    ("bom", b"\xef\xbb\xbf" + LINES, 1, ()),
    ("null-bytes", LINES + b"\0\0\0\n", 4, ()),
    (
        "not-utf8",
        LINES + json.dumps(entry("custom", "x", "a1", data="?")).encode().replace(b"?", b"\xff")
        + b"\n",
        4,
        (),
    ),
    ("torn-tail", LINES + b'{"type":"message","id":"u2","par', 4, ()),
    ("torn-line", pi_file(U1) + b'{"type":"mess\n' + json.dumps(A1).encode() + b"\n", 3, ()),
    ("missing-newline", LINES[:-1], 3, ()),
    (
        "glued-records",
        LINES + json.dumps(user("u2", "a1")).encode() + json.dumps(user("u3", "a1")).encode()
        + b"\n",
        4,
        ("u2", "u3"),
    ),
    ("not-json", LINES + b"{'id': 1}\n", 4, ()),
    ("not-object", LINES + b"[1]\n", 4, ()),
    ("blank-line", LINES + b"\n", 4, ()),
    ("no-header", course_file(U1, A1), 1, ()),
    ("bad-header", pi_file(U1, A1, header=HEADER | {"version": "3"}), 1, ()),
    ("second-header", LINES + json.dumps(HEADER).encode() + b"\n", 4, ()),
    ("old-version", pi_file(U1, A1, header=HEADER | {"version": 2}), 1, ()),
    ("version-too-new", pi_file(U1, A1, header=HEADER | {"version": 4}), 1, ()),
    ("bad-entry", course_file(opening().entries[0] | {"timestamp": True}), 1, ("u1",)),
    ("missing-id", LINES + json.dumps(entry("custom", "", "a1")).encode() + b"\n", 4, ()),
    ("unknown-type", pi_file(U1, A1, entry("novel", "x", "a1")), 4, ("x",)),
    (
        "unknown-role",
        pi_file(U1, A1, entry("message", "x", "a1", message={"role": "chorus"})),
        4,
        ("x",),
    ),
    (
        "null-content",
        pi_file(U1, entry("message", "x", "u1", message={"role": "assistant", "content": None})),
        3,
        ("x",),
    ),
    ("duplicate-id", pi_file(U1, A1, user("u1", "a1")), 4, ("u1",)),
    ("missing-parent", pi_file(U1, A1, user("u2", "gone")), 4, ("u2", "gone")),
    ("cycle", pi_file(user("u1", "u2"), user("u2", "u1")), 2, ("u1", "u2")),
    ("orphan-result", pi_file(U1, result("r", "u1", "k"), answer("a1", "r")), 3, ("r", "k")),
    (
        "missing-result",
        pi_file(U1, answer("c", "u1", "k"), user("u2", "c")),
        3,
        ("c", "k"),
    ),
    ("open-call", pi_file(U1, answer("c", "u1", "k", stop="toolUse")), 3, ("c", "k")),
    (
        "doubled-result",
        pi_file(U1, answer("c", "u1", "k"), result("r", "c", "k"), result("r2", "r", "k")),
        5,
        ("r2", "k"),
    ),
    (
        "repeated-call",
        pi_file(U1, answer("c", "u1", "k"), result("r", "c", "k"), answer("c2", "r", "k")),
        5,
        ("c2", "k"),
    ),
    (
        "cut-off-call",
        pi_file(U1, answer("c", "u1", "k", stop="aborted"), result("r", "c", "k")),
        3,
        ("c", "k"),
    ),
    ("first-kept-missing", pi_file(U1, A1, compaction("x", "a1", "gone")), 4, ("x", "gone")),
    (
        "first-kept-off-path",
        pi_file(U1, answer("side", "u1"), A1, compaction("x", "a1", "side")),
        5,
        ("x", "side"),
    ),
    (
        "first-kept-inside",
        pi_file(U1, answer("c", "u1", "k"), result("r", "c", "k"), compaction("x", "r", "r")),
        5,
        ("x", "r", "k"),
    ),
    (
        "compaction-in-call",
        pi_file(U1, answer("c", "u1", "k"), compaction("x", "c", "u1"), result("r", "x", "k")),
        4,
        ("x", "k"),
    ),
    (
        "leaf-moved",
        pi_file(U1, A1, user("u2", "a1"), entry("session_info", "n", "a1", name="n")),
        5,
        ("n", "u2"),
    ),
    (
        "stale-usage",
        pi_file(U1, answer("a1", "u1", usage=9000), compaction("x", "a1", "u1")),
        3,
        ("a1", "x"),
    ),
]  # fmt: skip
