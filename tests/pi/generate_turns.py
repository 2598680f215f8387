"""Random coding sessions from a seed, shaped for compaction: turns with calls, results and usage.

Beside the turns: compactions, edits, failed answers that an edit omits, extension messages, branch
summaries, commands, labels, settings, images, other scripts.
"""

from __future__ import annotations

import random
from typing import Any

Json = dict[str, Any]

_WORDS = [
    "a file", "日志会话", "\U0001f333\U0001f333", "a\u2028b", 'say "no"\n', "x" * 37, "tab\t",
]  # fmt: skip
_PATHS = ["src/a.py", "src/b.py", "文档/计划.md", "\U0001f333.txt", "\uffee.txt", ""]
_TIME = "2026-01-01T00:00:00.000Z"


class TurnMaker:
    """`lines` are the entries of one session in order, `ids` their ids."""

    def __init__(self, seed: int, *, turns: int | None = None) -> None:
        self.draw = random.Random(f"turns {seed}")
        self.lines: list[Json] = []
        self.ids: list[str] = []
        self._leaf: str | None = None
        if self.draw.random() < 0.7:
            self._system()
        for _ in range(self.draw.choice([1, 3, 6, 10]) if turns is None else turns):
            self._turn()
            if self.draw.random() < 0.15:
                self._compaction()
            if self.draw.random() < 0.2:
                self._edit()
            if self.draw.random() < 0.05:
                self._leaf = self.draw.choice(self.ids)
        if self.draw.random() < 0.25:
            self._failed_attempt()

    def settings(self) -> Json:
        """Reserve and keep in tokens, from nothing to more than there is."""
        keep = self.draw.choice([0, 20, 50, 100, 200, 400, 800, 1_500, 3_000, 20_000])
        return {
            "enabled": self.draw.random() < 0.9,
            "reserveTokens": self.draw.choice([0, 100, 16_384]),
            "keepRecentTokens": max(0, keep + self.draw.randrange(-5, 6)),
        }

    def leaf(self) -> str:
        """The newest entry more often than not."""
        return self.ids[-1] if self.draw.random() < 0.8 else self.draw.choice(self.ids)

    def _add(self, type: str, **fields: Any) -> str:
        entry_id = f"e{len(self.ids)}"
        self.lines.append(
            {"type": type, "id": entry_id, "parentId": self._leaf, "timestamp": _TIME, **fields}
        )
        self.ids.append(entry_id)
        self._leaf = entry_id
        return entry_id

    def _message(self, role: str, **fields: Any) -> str:
        return self._add("message", message={"role": role, **fields, "timestamp": len(self.ids)})

    def _text(self, most: int = 12) -> str:
        return " ".join(self.draw.choices(_WORDS, k=self.draw.randrange(1, most)))

    def _blocks(self, most: int = 12) -> list[Json]:
        blocks: list[Json] = [{"type": "text", "text": self._text(most)}]
        if self.draw.random() < 0.08:
            blocks.append({"type": "image", "data": "aGk=", "mimeType": "image/png"})
        return blocks

    def _system(self) -> None:
        sections = {name: self.draw.choice([None, self._text(3)]) for name in ("policy", "skills")}
        tools = [{"name": "read", "description": "d", "parameters": {"type": "object", "n": 1.0}}]
        content = self._text(4)
        changes: list[Json] = [{}, {"toolsAdded": tools}, {"toolsRemoved": [{"name": "read"}]}]
        change = self.draw.choice(changes)
        self._message("system", content=content, sections=sections, **change)

    def _turn(self) -> None:
        draw = self.draw
        start = draw.random()
        if start < 0.75:
            self._message("user", content=draw.choice([self._text(), self._blocks()]))
        elif start < 0.85:
            self._add(
                "custom_message", customType="x", display=True,
                content=draw.choice([self._text(), self._blocks()]),
            )  # fmt: skip
        elif start < 0.9:
            self._add("branch_summary", fromId="root", summary=self._text())
        elif start < 0.95:
            self._message("bashExecution", command="ls", output=self._text(), exitCode=1)
        self._noise()
        for _ in range(draw.choice([0, 0, 0, 1, 1, 5])):
            calls = [self._call() for _ in range(draw.randrange(1, 3))]
            self._answer(calls)
            for call in calls:
                nested = {"calls": [self._call()]} if draw.random() < 0.1 else None
                self._message(
                    "toolResult", toolCallId=call["id"], toolName=call["name"], isError=False,
                    content=self._blocks(draw.choice([4, 40, 400])),
                    **({"nestedCalls": nested} if nested else {}),
                )  # fmt: skip
                if draw.random() < 0.05:
                    self._noise()
            if draw.random() < 0.05:
                self._system()
        if draw.random() < 0.9:
            self._answer([])
        self._noise()

    def _noise(self) -> None:
        if self.draw.random() < 0.25:
            kind = self.draw.choice(["label", "model_change", "thinking_level_change", "custom"])
            self._add(kind, targetId="e0", label="l", provider="a", modelId="m",
                      thinkingLevel="low", customType="c")  # fmt: skip

    def _call(self) -> Json:
        draw = self.draw
        arguments: Json = {"path": draw.choice(_PATHS), "limit": draw.choice([1, 2.0, 1e21, 0.1])}
        if draw.random() < 0.2:
            arguments = {"command": self._text(), "flags": [None, True, {"n": -0.0}]}
        name = draw.choice(["read", "read", "edit", "write", "bash"])
        return {"type": "toolCall", "id": f"k{len(self.ids)}", "name": name, "arguments": arguments}

    def _answer(self, calls: list[Json], *, failed: bool = False) -> str:
        draw = self.draw
        content: list[Json] = []
        if draw.random() < 0.3:
            content.append({"type": "thinking", "thinking": self._text()})
        if not calls or draw.random() < 0.5:
            content.append({"type": "text", "text": self._text()})
        stop = draw.choice(["stop", "stop", "stop", "stop", "aborted", "error", "length"])
        return self._message(
            "assistant", content=[*content, *calls], usage=self._usage(),
            provider="a", model="m", stopReason="error" if failed else "toolUse" if calls else stop,
        )  # fmt: skip

    def _usage(self) -> Json:
        draw = self.draw
        parts = {
            k: draw.choice([0, 5, 900]) for k in ("input", "output", "cacheRead", "cacheWrite")
        }
        zero = draw.random() < 0.3
        total = 0 if zero or draw.random() < 0.2 else sum(parts.values()) + draw.randrange(3)
        parts = dict.fromkeys(parts, 0) if zero else parts
        return {**parts, "totalTokens": total, "cost": {**parts, "total": 0.25}}

    def _compaction(self) -> None:
        on_path = self._path()
        value: Json = {
            "summary": self._text(),
            "firstKeptEntryId": self.draw.choice([*on_path[-6:], on_path[-1]]),
            "tokensBefore": 1234,
        }
        if self.draw.random() < 0.6:
            value["details"] = {"readFiles": ["src/old.py"], "modifiedFiles": ["src/new.py"]}
        if self.draw.random() < 0.2:
            value["fromHook"] = True
        if self.draw.random() < 0.5:
            value["systemMessage"] = {"role": "system", "content": self._text(3), "timestamp": 1}
        self._add("compaction", **value)

    def _edit(self) -> None:
        target = self.draw.choice(self._path()[-8:])
        content = {"content": [{"type": "text", "text": self._text(40)}]}
        self._add("context_edit", targetId=target, replacement=self.draw.choice([None, content]))

    def _failed_attempt(self) -> None:
        """An answer that overflowed and the edits that omit it, as a recovery leaves them."""
        if self.draw.random() < 0.8:
            self._message("user", content=self._text())
        omitted = [self._answer([], failed=True)]
        if self.draw.random() < 0.3:
            self._noise()
        if self.draw.random() < 0.2:
            omitted.append(self._message("toolResult", toolCallId="k", toolName="read", content=[]))
        for target in omitted if self.draw.random() < 0.9 else []:
            self._add("context_edit", targetId=target, replacement=None)
        if self.draw.random() < 0.2:
            self._edit()

    def _path(self) -> list[str]:
        parents = {line["id"]: line["parentId"] for line in self.lines}
        path, current = [], self._leaf
        while current is not None:
            path.append(current)
            current = parents[current]
        return path[::-1]
