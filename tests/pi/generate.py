"""Random sessions of format version 3, from a seed: every entry type, branches, odd values."""

from __future__ import annotations

import json
import random
from typing import Any

Json = dict[str, Any]

_TEXTS = [
    "", "hello", "日志 \U0001f333", "a\u2028b\u0085c\u000bd", 'quote " and \\ and \n', "\ud83d",
    "x" * 300, "\u0000\u001f\u007f", "\ufeff trimmed \u00a0",
]  # fmt: skip
_NUMBERS = [
    0, -0.0, 1, 1.0, -1.5, 1e21, 1.5e-7, 123456789012345678901234567890,
    2**53 + 1, 0.1, 1e300, 5e-324,
]  # fmt: skip
_TIMES: list[Any] = [
    "2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000Z", "2025-12-31T23:59:59.999Z", "2026-02-03",
    "2026-01-01T01:30:00+01:00", None, 1_700_000_000_000, "2026-02-31", "+012026-01-01T00:00Z",
]  # fmt: skip
# Kept apart: between a time that can be read and one that can't, JavaScript leaves the order open.
_UNREADABLE_TIMES: list[Any] = ["no time", "", "2026-13-01"]
_ROLES = ["system", "user", "assistant", "toolResult", "bashExecution", "custom", "odd"]


class SessionMaker:
    """Draws one session. `lines` are the JSON objects of its file, the header first."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.lines: list[Json] = [
            {"type": "session", "version": 3, "id": f"s{seed}", "timestamp": _TIMES[0], "cwd": "/w"}
        ]
        self.ids: list[str] = []
        self.times = _UNREADABLE_TIMES if self.draw.random() < 0.1 else _TIMES
        for _ in range(self.draw.choice([1, 3, 10, 30, 60])):
            self._add()

    def text(self) -> str:
        """The session's file, with the spacing and escapes of a drawn writer."""
        separators = self.draw.choice([(",", ":"), (", ", ": ")])
        rows = []
        for line in self.lines:
            row = json.dumps(line, ensure_ascii=self.draw.random() < 0.5, separators=separators)
            row = "".join(f"\\u{ord(c):04x}" if "\ud800" <= c <= "\udfff" else c for c in row)
            rows.append(row + ("\r" if self.draw.random() < 0.02 else ""))
            if self.draw.random() < 0.02:
                rows.append(self.draw.choice(["", "  "]))
        return "\n".join(rows) + ("\n" if self.draw.random() < 0.95 else "")

    def _add(self) -> None:
        draw = self.draw
        kind = draw.choices(
            ["message", "compaction", "context_edit", "label", "model_change", "session_info",
             "thinking_level_change", "branch_summary", "custom", "custom_message", "usage",
             "later"],
            weights=[40, 6, 8, 7, 3, 3, 3, 3, 3, 6, 3, 1],
        )[0]  # fmt: skip
        entry_id = f"{len(self.ids):x}-{draw.choice(['a', 'é', '日'])}"
        entry = {
            "type": kind,
            "id": entry_id,
            "parentId": self._parent(),
            "timestamp": draw.choice(self.times) if draw.random() < 0.3 else self.times[0],
            **self._payload(kind, entry_id),
        }
        if draw.random() < 0.05:
            entry["unknownField"] = self._value()
        if self.times is _UNREADABLE_TIMES and draw.random() < 0.3:
            del entry["timestamp"]
        items = list(entry.items())
        if draw.random() < 0.1:
            draw.shuffle(items)
        self.lines.append(dict(items))
        self.ids.append(entry_id)

    def _parent(self) -> str | None:
        chance = self.draw.random()
        if not self.ids or chance < 0.02:
            return None
        if chance < 0.03:
            return "missing"
        if chance < 0.8:
            return self.ids[-1]
        return self.draw.choice(self.ids)

    def _some_id(self) -> str:
        if not self.ids or self.draw.random() < 0.05:
            return "missing"
        # Near the end more often than not, so that edits and cuts meet the active path.
        return self.draw.choice(self.ids[-8:] if self.draw.random() < 0.7 else self.ids)

    def _payload(self, kind: str, entry_id: str) -> Json:
        draw = self.draw
        if kind == "message":
            return {"message": self.message()}
        if kind == "compaction":
            own = draw.random() < 0.1
            value: Json = {
                "summary": draw.choice(_TEXTS),
                "firstKeptEntryId": entry_id if own else self._some_id(),
                "tokensBefore": draw.choice(_NUMBERS),
            }
            if draw.random() < 0.5:
                value["systemMessage"] = {"role": "system", **self._system()}
            if draw.random() < 0.2:
                value["details"] = self._value()
            return value
        if kind == "context_edit":
            replacement: Any = {"content": draw.choice([self._blocks(), draw.choice(_TEXTS)])}
            if draw.random() < 0.1:
                replacement = draw.choice([{}, {"content": None}, "text", 5])
            return {
                "targetId": self._some_id(),
                "replacement": None if draw.random() < 0.4 else replacement,
            }
        if kind == "label":
            label = draw.choice(["mark", "日", "", None])
            return {"targetId": self._some_id(), **({} if label is None else {"label": label})}
        if kind == "model_change":
            return {"provider": draw.choice(["a", "b"]), "modelId": draw.choice(["m1", "m2"])}
        if kind == "session_info":
            return draw.choice([{}, {"name": None}, {"name": draw.choice(_TEXTS)}])
        if kind == "thinking_level_change":
            return {"thinkingLevel": draw.choice(["off", "low", "high"])}
        if kind == "branch_summary":
            return {"fromId": self._some_id(), "summary": draw.choice(_TEXTS)}
        if kind == "custom":
            return draw.choice([{"customType": "x"}, {"customType": "x", "data": self._value()}])
        if kind == "custom_message":
            contents: list[Json] = [
                {}, {"content": None}, {"content": self._blocks()}, {"content": "t"},
            ]  # fmt: skip
            content = draw.choice(contents)
            details = {"details": self._value()} if draw.random() < 0.3 else {}
            return {"customType": "x", "display": draw.random() < 0.5, **content, **details}
        if kind == "usage":
            return {"kind": "warm", "provider": "a", "model": "m1", "usage": self._usage()}
        return {"payload": self._value()}

    def message(self) -> Json:
        draw = self.draw
        role = draw.choices(_ROLES, weights=[6, 30, 35, 20, 4, 4, 1])[0]
        message: Json = {"role": role, "timestamp": draw.choice([0, 1_700_000_000_000, 1.5])}
        if role == "system":
            message.update(self._system())
        elif role == "bashExecution":
            message.update({"command": "ls", "output": draw.choice(_TEXTS), "exitCode": 0})
        else:
            message["content"] = draw.choice([self._blocks(), self._blocks(), draw.choice(_TEXTS)])
        if role == "assistant":
            message.update({"provider": draw.choice("ab"), "model": draw.choice(["m1", "m3"])})
            message["usage"] = self._usage()
        if draw.random() < 0.05:
            message["content"] = None
        elif draw.random() < 0.03:
            message.pop("content", None)
        if draw.random() < 0.1:
            message["extra"] = self._value()
        return message

    def _system(self) -> Json:
        draw = self.draw
        value: Json = {"content": draw.choice(_TEXTS), "timestamp": draw.choice([0, 5])}
        if draw.random() < 0.5:
            value["sections"] = {
                name: draw.choice([None, "text", "日"]) for name in draw.sample(["a", "b", "c"], 2)
            }
        if draw.random() < 0.4:
            value["toolsAdded"] = [{"name": draw.choice("rw"), "parameters": self._value()}]
        if draw.random() < 0.2:
            value["toolsRemoved"] = [{"name": draw.choice("rw")}]
        return value

    def _blocks(self) -> list[Json]:
        draw = self.draw
        blocks: list[Json] = [
            {"type": "text", "text": draw.choice(_TEXTS)},
            {"type": "thinking", "thinking": draw.choice(_TEXTS)},
            {"type": "image", "data": "aGk=", "mimeType": "image/png"},
            {"type": "toolCall", "id": "k", "name": "t", "arguments": self._value()},
        ]
        return draw.sample(blocks, draw.randrange(4))

    def _usage(self) -> Json:
        return {"input": self.draw.choice(_NUMBERS), "output": 1, "totalTokens": 2}

    def _value(self, depth: int = 3) -> Any:
        draw = self.draw
        kind = draw.randrange(6 if depth else 4)
        if kind == 0:
            return draw.choice(_TEXTS)
        if kind == 1:
            return draw.choice(_NUMBERS)
        if kind < 4:
            return draw.choice([None, True, False, "plain"])
        if kind == 4:
            return [self._value(depth - 1) for _ in range(draw.randrange(3))]
        keys = draw.sample(["key", "日", "10", "2", "__proto__"], draw.randrange(4))
        return {key: self._value(depth - 1) for key in keys}
