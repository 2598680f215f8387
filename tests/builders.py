"""Course entries as JSON, one line each, for cases that are written out by hand.

The entries are those of `coursekit.transcripts`, without a parent until `chain` sets
it, and with a text of their own where a test does not care.
"""

import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from coursekit import transcripts
from coursekit.session import SessionEntry, parse_session_entry
from coursekit.transcripts import Json


def text(words: str) -> Json:
    return {"type": "text", "text": words}


def call(call_id: str, arguments: object = None) -> Json:
    arguments = {} if arguments is None else arguments
    return {"type": "toolCall", "id": call_id, "name": "t", "arguments": arguments}


def user(entry_id: str, words: str = "q") -> Json:
    return transcripts.user(entry_id, None, words)


def assistant(entry_id: str, *calls: str, stop: str | None = None) -> Json:
    """An assistant message: the calls named, or a text when there are none."""
    if calls:
        entry = transcripts.calls(entry_id, None, [(call_id, "t", {}) for call_id in calls])
    else:
        entry = transcripts.assistant(entry_id, None, "ok")
    if stop is not None:
        entry["message"]["stopReason"] = stop
    return entry


def result(entry_id: str, call_id: str) -> Json:
    return transcripts.result(entry_id, None, call_id, "t", "r")


def metadata(entry_id: str, value: object = None) -> Json:
    return transcripts.metadata(entry_id, None, "k", value)


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
    return transcripts.compaction(
        entry_id, "set by chain", summary(goal), first_kept, tokens_before=29
    )


def chain(*entries: Json) -> list[Json]:
    """The entries, each made a child of the one before it."""
    return transcripts.chain(entries)


def parsed(*entries: Json) -> list[SessionEntry]:
    """The chain of these entries as Python objects: an active path."""
    return [parse_session_entry(entry) for entry in chain(*entries)]


def opening() -> list[Json]:
    """The nine entries of the opening transcript."""
    return transcripts.opening().entries


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
