"""The opening transcript, its costs, and other transcripts of the same kind.

Everything here is JSON, as a session file would hold it; the course's parser makes
objects of it. Variant 0 is the lab document's own example (docs/sources.md): nine
entries, three interactions, costs that can be added in the head. Any other number
has other ids, texts, costs and shapes, always the same for the same number.

It is one file over 300 lines because a transcript and the entries that it is made of
are one form: whoever changes the one changes the other.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict

Json: TypeAlias = dict[str, Any]
"""An entry, a message or a part of one: the course's JSON, whose keys say what is there."""


if TYPE_CHECKING:  # a check would wait until this class is made

    class BuildOptions(TypedDict):
        """Keyword arguments of `build_context`; all amounts are tokens."""

        max_tokens: float
        reserved_output: float
        safety_margin: float
        system_prompt: str
        estimate_tokens: Callable[[object], float]


@dataclass(frozen=True)
class Transcript:
    """A linear path of message entries, and what each costs.

    `groups` are the entries (JSON) of each interaction in path order; `costs` has
    tokens by entry id; the options are those of the worked example: with them a
    proper suffix of the groups fits exactly.
    """

    groups: list[list[Json]]
    costs: dict[str, int]
    system_prompt: str
    system_cost: int
    max_tokens: int
    reserved_output: int
    safety_margin: int
    compaction: Json
    continuation: list[Json]

    @property
    def entries(self) -> list[Json]:
        """All entries of the path, root first."""
        return [entry for group in self.groups for entry in group]

    @property
    def prices(self) -> dict[str, int]:
        """Costs by `message_key`, the system prompt among them: what an estimator asks."""
        known = {self.system_prompt: self.system_cost}
        for entry in self.entries + self.continuation:
            known[message_key(entry["message"])] = self.costs[entry["id"]]
        return known

    @property
    def options(self) -> BuildOptions:
        """The worked example's keyword arguments of `build_context`, estimator included."""
        return {
            "max_tokens": self.max_tokens,
            "reserved_output": self.reserved_output,
            "safety_margin": self.safety_margin,
            "system_prompt": self.system_prompt,
            "estimate_tokens": table_estimator(self.prices),
        }


def message_key(message: object) -> str:
    """What distinguishes a transcript's messages: their texts, calls and result ids.

    Takes a message object (read by attribute, of whatever class) or its JSON.
    """
    parts = [
        _read(part, "text" if _read(part, "type") == "text" else "id")
        for part in _read(message, "content")
    ]
    if _read(message, "role") == "toolResult":
        parts.append(_read(message, "tool_call_id", "toolCallId"))
    return " | ".join(parts)


def table_estimator(prices: Mapping[str, float], otherwise: float = 5) -> Callable[[object], float]:
    """An estimator that looks each message's cost (tokens) up by its `message_key`.

    A message that the table doesn't know, such as a summary, costs `otherwise`.
    """

    def estimate_tokens(value: object) -> float:
        return prices.get(value if isinstance(value, str) else message_key(value), otherwise)

    return estimate_tokens


def opening() -> Transcript:
    """The nine-entry opening transcript: groups of 7, 7 and 15 tokens.

    Source: 11_3_budget.ipynb, "The costs".
    """
    groups = [
        [user("u1", None, "check how the session is restored")],
        [user("u2", "a1", "confirm where a JSONL write ends")],
        [user("u3", "a2", "read the code and run the focused tests")],
    ]
    groups[0] += [assistant("a1", "u1", "only the chosen branch is restored")]
    groups[1] += [assistant("a2", "u2", "a newline commits; the tail is read-only")]
    groups[2] += [
        calls(
            "calls",
            "u3",
            [
                ("read-1", "read", {"path": "context.ts"}),
                ("test-1", "bash", {"command": "npm test"}),
            ],
        ),
        result("r-test", "calls", "test-1", "bash", "14 tests passed"),
        result("r-read", "r-test", "read-1", "read", "context.ts loaded"),
        assistant("a3", "r-read", "code and tests agree"),
    ]
    costs = {"u1": 3, "a1": 4, "u2": 3, "a2": 4, "u3": 3, "calls": 3}
    costs |= {"r-test": 3, "r-read": 3, "a3": 3, "u4": 3, "a4": 4}
    summary = {
        "goal": "make sure that sessions are restored",
        "constraints": ["change no old entry"],
        "completed": ["restoring was checked"],
        "decisions": ["restore only the active path"],
        "changedFiles": ["session.ts"],
        "unresolved": ["the write boundary"],
        "next": ["confirm the JSONL boundary"],
    }
    return Transcript(
        groups=groups,
        costs=costs,
        system_prompt="sys",
        system_cost=3,
        max_tokens=31,
        reserved_output=4,
        safety_margin=2,
        compaction=compaction("compact-1", "a3", summary, "u2", tokens_before=29),
        continuation=[
            user("u4", "compact-1", "write the release note"),
            assistant("a4", "u4", "the note is written"),
        ],
    )


def transcript(variant: int) -> Transcript:
    """The transcript of a variant: 0 is `opening()`, any other is drawn from its number."""
    return opening() if variant == 0 else Draw(f"transcript {variant}").transcript()


class Draw:
    """Draws transcripts and their pieces; the same seed draws the same again."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)
        self._taken: set[str] = set()

    def name(self, stem: str) -> str:
        """A new id that no other id of this draw is a part of."""
        while True:
            mark = f"{self.random.randrange(16**6):06x}"
            if mark not in self._taken:
                self._taken.add(mark)
                return f"{stem}-{mark}"

    def text(self, words: int = 4) -> str:
        """A new short text."""
        chosen = self.random.choices(_WORDS, k=words)
        return f"{' '.join(chosen)} {self.name('t')}"

    def summary(self) -> Json:
        """A summary, each of its lists with one to three items."""
        lists = ("constraints", "completed", "decisions", "changedFiles", "unresolved", "next")
        summary: Json = {"goal": self.text()}
        for key in lists:
            summary[key] = [self.text() for _ in range(self.random.randint(1, 3))]
        return summary

    def interaction(self, parent: str | None, tools: int) -> list[Json]:
        """One interaction with `tools` calls, its results in a drawn order."""
        entries = [user(self.name("u"), parent, self.text())]
        wanted = [(self.name("k"), self.name("tool"), {"path": self.text()}) for _ in range(tools)]
        while wanted:
            batch = [wanted.pop() for _ in range(self.random.randint(1, len(wanted)))]
            entries.append(calls(self.name("c"), entries[-1]["id"], batch))
            answers = self.random.sample(batch, len(batch))
            if len(batch) > 1 and answers == batch:
                answers.reverse()
            for call_id, tool, _ in answers:
                parent = entries[-1]["id"]
                entries.append(result(self.name("r"), parent, call_id, tool, self.text()))
        entries.append(assistant(self.name("a"), entries[-1]["id"], self.text()))
        return entries

    def transcript(self) -> Transcript:
        """Three to five interactions; the newest has tools, and a suffix fits exactly."""
        draw = self.random
        groups: list[list[Json]] = []
        parent = None
        count = draw.randint(3, 5)
        for place in range(count):
            tools = draw.randint(2, 4) if place == count - 1 else draw.choice((0, 0, 1, 2))
            groups.append(self.interaction(parent, tools))
            parent = groups[-1][-1]["id"]
        costs = {e["id"]: draw.randint(2, 9) for group in groups for e in group}
        first_kept = draw.randrange(1, count)
        room = sum(costs[e["id"]] for group in groups[first_kept:] for e in group)
        system, reserve, margin = (draw.randint(2, 9) for _ in range(3))
        compact = compaction(
            self.name("compact"),
            str(parent),
            self.summary(),
            groups[first_kept][0]["id"],
            tokens_before=sum(costs.values()),
        )
        continuation = self.interaction(compact["id"], 0)
        costs |= {e["id"]: draw.randint(2, 9) for e in continuation}
        return Transcript(
            groups=groups,
            costs=costs,
            system_prompt=self.text(2),
            system_cost=system,
            max_tokens=room + system + reserve + margin,
            reserved_output=reserve,
            safety_margin=margin,
            compaction=compact,
            continuation=continuation,
        )


# --- entries as JSON ------------------------------------------------------------


def user(entry_id: str, parent: str | None, text: str) -> Json:
    """A user message entry."""
    content = [{"type": "text", "text": text}]
    return _message(entry_id, parent, {"role": "user", "content": content, "timestamp": 1})


def assistant(entry_id: str, parent: str | None, text: str) -> Json:
    """An assistant message entry that says `text`."""
    return _assistant(entry_id, parent, [{"type": "text", "text": text}], "stop")


def calls(entry_id: str, parent: str | None, wanted: Sequence[tuple[str, str, Json]]) -> Json:
    """An assistant message entry with tool calls: id, tool name and arguments of each."""
    content = [
        {"type": "toolCall", "id": call_id, "name": name, "arguments": arguments}
        for call_id, name, arguments in wanted
    ]
    return _assistant(entry_id, parent, content, "toolUse")


def result(entry_id: str, parent: str | None, call_id: str, tool: str, text: str) -> Json:
    """A tool result entry for the call `call_id`."""
    message = {
        "role": "toolResult",
        "toolCallId": call_id,
        "toolName": tool,
        "content": [{"type": "text", "text": text}],
        "isError": False,
        "timestamp": 1,
    }
    return _message(entry_id, parent, message)


def metadata(entry_id: str, parent: str | None, key: str, value: object) -> Json:
    """A metadata entry; its `value` is any JSON."""
    return {
        "type": "metadata",
        "id": entry_id,
        "parentId": parent,
        "timestamp": 1,
        "key": key,
        "value": value,
    }


def compaction(
    entry_id: str, parent: str, summary: Json, first_kept: str, *, tokens_before: float
) -> Json:
    """A compaction entry."""
    return {
        "type": "compaction",
        "id": entry_id,
        "parentId": parent,
        "timestamp": 100,
        "summary": summary,
        "firstKeptEntryId": first_kept,
        "tokensBefore": tokens_before,
    }


def chain(entries: Sequence[Json], parent: str | None = None) -> list[Json]:
    """Copies of the entries with each one's parent set to the one before it."""
    linked = []
    for entry in entries:
        linked.append({**entry, "parentId": parent})
        parent = entry["id"]
    return linked


def _message(entry_id: str, parent: str | None, message: Json) -> Json:
    return {
        "type": "message",
        "id": entry_id,
        "parentId": parent,
        "timestamp": 1,
        "message": message,
    }


def _assistant(entry_id: str, parent: str | None, content: list[Json], stop: str) -> Json:
    message = {
        "role": "assistant",
        "content": content,
        "provider": "course",
        "model": "scripted",
        "usage": {"input": 1, "output": 1, "totalTokens": 2},
        "stopReason": stop,
        "timestamp": 1,
    }
    return _message(entry_id, parent, message)


def _read(value: object, *names: str) -> Any:
    """An attribute of an object of whatever class, or the same key of its JSON."""
    if isinstance(value, dict):
        return value[names[-1]]
    return getattr(value, names[0])


_WORDS = "branch budget call cut entry fork history leaf log margin note path plan".split()
