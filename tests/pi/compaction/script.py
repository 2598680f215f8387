"""A session with named entries and chosen costs, to plan compactions of."""

from __future__ import annotations

from typing import Any

from coursekit.pi import CompactionPreparation, CompactionSettings, SessionManager
from coursekit.pi import prepare_compaction as prepare


class Script:
    """Builds a session whose entries have names, each message costing the tokens it names."""

    def __init__(self) -> None:
        self.manager = SessionManager.in_memory("/w")
        self.names: dict[str, str] = {}

    def user(self, name: str, tokens: int) -> Script:
        return self._message(name, "user", tokens)

    def answer(self, name: str, tokens: int) -> Script:
        return self._message(name, "assistant", tokens, stopReason="stop")

    def call(self, name: str, tokens: int, tool: str = "read", path: str = "a.py") -> Script:
        """`tokens` is the text before the call, which comes on top."""
        call = {"type": "toolCall", "id": f"k-{name}", "name": tool, "arguments": {"path": path}}
        return self._message(name, "assistant", tokens, [call], stopReason="toolUse")

    def result(self, name: str, tokens: int) -> Script:
        return self._message(name, "toolResult", tokens, toolCallId="k", toolName="read")

    def edit(self, name: str, target: str, replacement: Any = None) -> Script:
        return self.note(name, self.manager.append_context_edit(self.id(target), replacement))

    def compaction(self, name: str, first_kept: str, **options: Any) -> Script:
        kept = self.id(first_kept)
        return self.note(name, self.manager.append_compaction(f"S-{name}", kept, 1, **options))

    def label(self, name: str) -> Script:
        return self.note(name, self.manager.append_custom_entry(name))

    def note(self, name: str, entry_id: str) -> Script:
        self.names[entry_id] = name
        return self

    def id(self, name: str) -> str:
        return next(entry_id for entry_id, other in self.names.items() if other == name)

    def plan(self, keep: int) -> CompactionPreparation | None:
        return prepare(self.manager.get_branch(), CompactionSettings(keep_recent_tokens=keep))

    def split(self, keep: int) -> tuple[str, str, str] | None:
        """The names of what is summarised, of the prefix and of what is kept."""
        plan = self.plan(keep)
        if plan is None:
            return None
        summarized, prefix, kept = (
            " ".join(self.names[entry.source_entry.id] for entry in entries)
            for entries in (plan.summarized, plan.turn_prefix, plan.kept)
        )
        return summarized, prefix, kept

    def _message(
        self, name: str, role: str, tokens: int, blocks: Any = (), **fields: Any
    ) -> Script:
        content = [{"type": "text", "text": "x" * 4 * tokens}, *blocks]
        message = {"role": role, "content": content, "timestamp": 0, **fields}
        return self.note(name, self.manager.append_message(message))


def two_turns() -> Script:
    return Script().user("u1", 10).answer("a1", 10).user("u2", 10).answer("a2", 10)
