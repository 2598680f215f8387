"""Scripted runs of a session and what they must come to, line by line.

The expectations are written from what the layers promise; `test_agent_session.py` holds this
package to them and, where Node.js is, real Pi. Entries are named by their place in the session.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

Turn = dict[str, Any]

WINDOW = 100_000
RESERVE = 10_000
MAX_TOKENS = 1_000
THRESHOLD = WINDOW - RESERVE


def say(text: str = "ok", tokens: int = 10) -> Turn:
    return {"text": text, "stopReason": "stop", "tokens": tokens}


def call(*names: str, tokens: int = 10) -> Turn:
    calls = [[name, {"path": "a.py"}] for name in names]
    return {"text": "", "calls": calls, "stopReason": "toolUse", "tokens": tokens}


def fail(error: str, stop_reason: str = "error") -> Turn:
    return {"text": "", "stopReason": stop_reason, "error": error}


def cut_off(output: int, *names: str) -> Turn:
    """`output` tokens came of the answer; its context was small."""
    calls = [[name, {}] for name in names]
    return {
        "text": "half", "calls": calls, "stopReason": "length", "tokens": 2_000, "output": output,
    }  # fmt: skip


OVERFLOW = fail("the prompt is too long: 120000 tokens > 100000 maximum")


@dataclass(frozen=True)
class ScriptedRun:
    turns: list[Turn]
    entries: str
    """The entries in order, separated by commas; see `described`."""
    leaves: list[int]
    """Where the leaf is after each step."""
    model_calls: int
    steps: list[list[Any]] = field(default_factory=lambda: [["prompt", "hi"]])
    tools: list[dict[str, Any]] = field(default_factory=lambda: [{"name": "read", "result": "R"}])
    summaries: list[Turn] = field(default_factory=lambda: [say("S1"), say("S2")])
    summary_calls: int = 0
    compactions: tuple[str, ...] = ()
    returned: list[Any] = field(default_factory=lambda: ["ok"])
    keep: int = 2
    enabled: bool = True

    def request(self) -> dict[str, Any]:
        return {
            "turns": self.turns,
            "summaries": self.summaries,
            "tools": self.tools,
            "settings": {
                "enabled": self.enabled,
                "reserveTokens": RESERVE,
                "keepRecentTokens": self.keep,
            },
            "window": WINDOW,
            "maxTokens": MAX_TOKENS,
            "steps": self.steps,
        }


START = "model_change, system, user hi"
TWO_PROMPTS: dict[str, Any] = {
    "steps": [["prompt", "hi"], ["prompt", "more"]],
    "returned": ["ok"] * 2,
}


RUNS = {
    "an answer": ScriptedRun([say()], f"{START}, stop", [3], 1),
    "a tool call, its result, the answer": ScriptedRun(
        [call("read"), say()], f"{START}, toolUse, result, stop", [5], 2
    ),
    "two calls in one answer, results in their order": ScriptedRun(
        [call("read", "fail"), say()],
        f"{START}, toolUse, result, error result, stop", [6], 2,
        tools=[{"name": "read", "result": "R"}, {"name": "fail", "result": "no", "fails": True}],
    ),
    "a call of a tool that isn't there": ScriptedRun(
        [call("write"), say()], f"{START}, toolUse, error result, stop", [5], 2
    ),
    "a failure that is no overflow stays in the log and is not retried": ScriptedRun(
        [fail("invalid request"), say()],
        f"{START}, error, user more, stop", [3, 5], 2, **TWO_PROMPTS,
    ),
    "an aborted answer": ScriptedRun(
        [fail("stopped", "aborted"), say()],
        f"{START}, aborted, user more, stop", [3, 5], 2, **TWO_PROMPTS,
    ),
    "an abort in a tool closes every call": ScriptedRun(
        [call("read", "read"), say()], f"{START}, toolUse, result, error result, aborted", [6], 2,
        tools=[{"name": "read", "result": "R", "then": {"abort": True}}],
    ),
    "steering comes after the turn's results": ScriptedRun(
        [call("read"), say()], f"{START}, toolUse, result, user left, stop", [6], 2,
        tools=[{"name": "read", "result": "R", "then": {"steer": "left"}}],
    ),
    "steering is sent one message a turn": ScriptedRun(
        [call("read", "read"), say(), say()],
        f"{START}, toolUse, result, result, user left, stop, user left, stop", [9], 3,
        tools=[{"name": "read", "result": "R", "then": {"steer": "left"}}],
    ),
    "a follow-up waits until the run would end": ScriptedRun(
        [call("read"), say(), say()], f"{START}, toolUse, result, stop, user next, stop", [7], 3,
        tools=[{"name": "read", "result": "R", "then": {"followUp": "next"}}],
    ),
    "the threshold itself does not trigger": ScriptedRun(
        [say(tokens=THRESHOLD)], f"{START}, stop", [3], 1
    ),
    "past the threshold: compacted after the run, no retry": ScriptedRun(
        [say(), say("x" * 400, tokens=THRESHOLD + 1)],
        f"{START}, stop, user more, stop, compaction keeps 5", [3, 6], 2,
        summary_calls=2, compactions=("threshold",), **TWO_PROMPTS,
    ),
    "past the threshold between turns: compacted before the next request": ScriptedRun(
        [call("read", tokens=THRESHOLD + 1), say()],
        f"{START}, toolUse, result, compaction keeps 3, stop", [6], 2,
        summary_calls=1, compactions=("threshold",),
    ),
    "an overflow: answer omitted, compacted, retried": ScriptedRun(
        [say(), OVERFLOW, say()],
        f"{START}, stop, user more, error, edit 5, compaction keeps 5, stop", [3, 8], 3,
        summary_calls=2, compactions=("overflow, retry",), keep=1, **TWO_PROMPTS,
    ),
    "an overflow after a tool call": ScriptedRun(
        [call("read"), OVERFLOW, say()],
        f"{START}, toolUse, result, error, edit 5, compaction keeps 3, stop", [8], 3,
        summary_calls=1, compactions=("overflow, retry",), keep=1,
    ),
    "two overflows: an error, no loop": ScriptedRun(
        [say(), OVERFLOW, OVERFLOW],
        f"{START}, stop, user more, error, edit 5, compaction keeps 5, error", [3, 8], 3,
        summary_calls=2, compactions=("overflow, retry", "overflow, failed"), keep=1, **TWO_PROMPTS,
    ),
    "a new question earns another recovery": ScriptedRun(
        [say(), OVERFLOW, say(), OVERFLOW, say()],
        f"{START}, stop, user more, error, edit 5, compaction keeps 5, stop, "
        "user again, error, edit 10, compaction keeps 10, stop", [3, 8, 13], 5,
        steps=[["prompt", "hi"], ["prompt", "more"], ["prompt", "again"]], returned=["ok"] * 3,
        summaries=[say("S")] * 4, summary_calls=4,
        compactions=("overflow, retry", "overflow, retry"), keep=1,
    ),
    "an aborted answer past the threshold: compacted before the next prompt": ScriptedRun(
        [say(tokens=THRESHOLD), fail("stopped", "aborted"), say()],
        f"{START}, stop, user more, aborted, compaction keeps 3, user again, stop", [3, 5, 8], 3,
        steps=[["prompt", "hi"], ["prompt", "more"], ["prompt", "again"]], returned=["ok"] * 3,
        summary_calls=1, compactions=("threshold",),
    ),
    "an overflow with nothing to compact": ScriptedRun(
        [OVERFLOW], f"{START}, error, edit 3", [4], 1, keep=50_000
    ),
    "an overflow while compaction is switched off": ScriptedRun(
        [OVERFLOW], f"{START}, error", [3], 1, enabled=False
    ),
    "a failed summary leaves no compaction and no retry": ScriptedRun(
        [say(), OVERFLOW], f"{START}, stop, user more, error, edit 5", [3, 6], 2,
        summaries=[fail("no")], summary_calls=1, compactions=("overflow, failed",), **TWO_PROMPTS,
    ),
    "a summary that was cut off is no checkpoint": ScriptedRun(
        [say(), OVERFLOW], f"{START}, stop, user more, error, edit 5", [3, 6], 2,
        summaries=[cut_off(5)], summary_calls=1, compactions=("overflow, failed",), **TWO_PROMPTS,
    ),
    "an input larger than the window, answered all the same": ScriptedRun(
        [say(), say("x" * 400, tokens=WINDOW + 500)],
        f"{START}, stop, user more, stop, compaction keeps 5", [3, 6], 2,
        summary_calls=2, compactions=("overflow",), **TWO_PROMPTS,
    ),
    "an answer that broke off before its limit is retried once": ScriptedRun(
        [say(), cut_off(5), say()],
        f"{START}, stop, user more, length, edit 5, compaction keeps 5, stop", [3, 8], 3,
        summary_calls=2, compactions=("overflow, retry",), keep=1, **TWO_PROMPTS,
    ),
    "an answer that reached its own limit is no overflow": ScriptedRun(
        [cut_off(MAX_TOKENS)], f"{START}, length", [3], 1
    ),
    "calls of an answer that broke off are not executed": ScriptedRun(
        [cut_off(MAX_TOKENS, "read"), say()], f"{START}, length, error result, stop", [5], 2
    ),
    "/compact, and again with nothing new": ScriptedRun(
        [say("x" * 400)], f"{START}, stop, compaction keeps 3", [3, 4, 4], 1,
        steps=[["prompt", "hi"], ["compact"], ["compact"]], returned=["ok", "ok", "error"],
        summary_calls=1, compactions=("manual", "manual, failed"),
    ),
    "/tree to a user message goes to its parent and returns the text": ScriptedRun(
        [say(), say(), say()],
        f"{START}, stop, user more, stop, user other, stop", [3, 5, 3, 7], 3,
        steps=[["prompt", "hi"], ["prompt", "more"], ["navigate", 4], ["prompt", "other"]],
        returned=["ok", "ok", "more", "ok"],
    ),
    "/tree to an answer goes there": ScriptedRun(
        [say(), say(), say()],
        f"{START}, stop, user more, stop, user other, stop", [3, 5, 3, 7], 3,
        steps=[["prompt", "hi"], ["prompt", "more"], ["navigate", 3], ["prompt", "other"]],
        returned=["ok", "ok", None, "ok"],
    ),
}  # fmt: skip


def described(entry: dict[str, Any], place: Any) -> str:
    """One entry in the words of `ScriptedRun.entries`."""
    if entry["type"] == "context_edit":
        assert entry["replacement"] is None
        return f"edit {place(entry['targetId'])}"
    if entry["type"] == "compaction":
        return f"compaction keeps {place(entry['firstKeptEntryId'])}"
    if entry["type"] != "message":
        return str(entry["type"])
    message = entry["message"]
    if message["role"] == "user":
        content = message["content"]
        return f"user {content if isinstance(content, str) else content[0]['text']}"
    if message["role"] == "toolResult":
        return "error result" if message["isError"] else "result"
    return str(message.get("stopReason", message["role"]))


def random_run(seed: int) -> dict[str, Any]:
    """A request like `ScriptedRun.request`, drawn; sizes stay clear of the threshold."""
    draw = random.Random(f"run {seed}")
    # Once a run is aborted Pi still compacts between turns and this package doesn't, so no session
    # draws both aborts and full contexts.
    aborts = draw.random() < 0.3
    acts: list[dict[str, Any]] = [{}, {}, {"steer": "left"}, {"followUp": "next"}]
    acts += [{"abort": True}] * 3 if aborts else []
    tools: list[dict[str, Any]] = [
        {"name": name, "result": "R" * draw.choice([1, 400]), "then": draw.choice(acts)}
        for name in ("read", "write")
    ]
    tools[1]["fails"] = draw.random() < 0.3
    turns = [_random_turn(draw, may_be_full=not aborts) for _ in range(draw.randrange(1, 9))]
    steps: list[list[Any]] = [["prompt", "hi " * draw.choice([1, 200])]]
    for _ in range(draw.randrange(4)):
        steps.append(draw.choice([["prompt", "more"], ["prompt", "and more"], ["compact"]]))
        if draw.random() < 0.2:
            steps.append(["navigate", draw.randrange(2, 4)])
    return {
        "turns": [*turns, *[say("end")] * 40],
        "summaries": [
            draw.choice([say("S"), say("S"), say("S"), fail("no"), cut_off(3)]) for _ in range(40)
        ],
        "tools": tools,
        "settings": {
            "enabled": draw.random() < 0.9,
            "reserveTokens": RESERVE,
            # Small or huge: error results are worded by each side, and differ in length.
            "keepRecentTokens": draw.choice([1, 2, 3, 5, 20_000]),
        },
        "window": WINDOW,
        "maxTokens": MAX_TOKENS,
        "steps": steps,
    }


def _random_turn(draw: random.Random, *, may_be_full: bool) -> Turn:
    tokens = draw.choice([10, 10, 10, THRESHOLD + 5_000, WINDOW + 500]) if may_be_full else 10
    return draw.choice(
        [
            say("x" * draw.choice([1, 50, 400]), tokens),
            call("read", tokens=tokens),
            call("read", "write", "nothing", tokens=tokens),
            OVERFLOW,
            OVERFLOW,
            fail("invalid request"),
            fail("stopped", "aborted"),
            cut_off(draw.choice([5, MAX_TOKENS])),
            cut_off(draw.choice([5, MAX_TOKENS]), "read"),
        ]
    )
