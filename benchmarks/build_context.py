"""Read, follow and project sessions of 100 to 100,000 entries: does the time stay in proportion?

Run it: python benchmarks/build_context.py
It prints microseconds of processor time per entry, the best of a few rounds, and each as a
ratio to the smallest size: near 1, and below 3 where a session no longer fits the cache.
Every step copies what it gives back. The window holds a quarter of the session, behind a
compaction that is kept from the first entry on.
"""

import gc
import time
from collections.abc import Callable
from typing import Any

from coursekit.context import build_context, group_interactions
from coursekit.session import entry_to_json, parse_session_entry, path_to

SIZES = (100, 1_000, 10_000, 100_000)
STEPS = ("parse", "to JSON", "path_to", "group", "build")


def session(size: int) -> list[dict[str, Any]]:
    """One path of `size` entries: interactions of four, and a compaction in the middle."""
    entries: list[dict[str, Any]] = []
    parent: str | None = None
    for at in range(size):
        turn = at // 4
        kind = ("user", "call", "result", "answer")[at % 4]
        text = [{"type": "text", "text": f"确认 JSONL 写入边界，第 {turn} 次"}]
        call = {"type": "toolCall", "id": "k", "name": "read", "arguments": {"path": "a", "at": 1}}
        message: dict[str, Any]
        if kind == "user":
            message = {"role": "user", "content": text, "timestamp": at}
        elif kind == "result":
            message = {
                "role": "toolResult",
                "toolCallId": "k",
                "toolName": "read",
                "content": text,
                "isError": False,
                "timestamp": at,
            }
        else:
            message = {
                "role": "assistant",
                "content": [call] if kind == "call" else text,
                "provider": "p",
                "model": "m",
                "usage": {"input": 1, "output": 2, "totalTokens": 3},
                "stopReason": "toolUse" if kind == "call" else "stop",
                "timestamp": at,
            }
        entry = {"type": "message", "id": f"{kind}-{turn}", "parentId": parent, "timestamp": at}
        if at == size // 2:
            summary: dict[str, Any] = {"goal": "go on", "constraints": [], "completed": []}
            summary |= {"decisions": [], "changedFiles": [], "unresolved": [], "next": []}
            entries.append(
                entry
                | {
                    "type": "compaction",
                    "id": "compaction",
                    "summary": summary,
                    "firstKeptEntryId": "user-0",
                    "tokensBefore": at,
                }
            )
            entry["parentId"] = "compaction"
        entries.append(entry | {"message": message})
        parent = entries[-1]["id"]
    return entries


def seconds(run: Callable[[], object], rounds: int) -> float:
    """The best of some runs, each on a heap without leftovers; of this process alone."""
    best = float("inf")
    for _ in range(rounds):
        gc.collect()
        start = time.process_time()
        run()
        best = min(best, time.process_time() - start)
    return best


def measure(size: int) -> list[float]:
    """Microseconds per entry for each of STEPS."""
    records = session(size)
    entries = [parse_session_entry(entry) for entry in records]
    leaf = entries[-1].id
    path = path_to(entries, leaf)
    runs: list[Callable[[], object]] = [
        lambda: [parse_session_entry(entry) for entry in records],
        lambda: [entry_to_json(entry) for entry in entries],
        lambda: path_to(entries, leaf),
        lambda: group_interactions(path),
        lambda: build_context(
            path,
            max_tokens=size // 4,
            reserved_output=0,
            safety_margin=0,
            estimate_tokens=lambda value: 1,
        ),
    ]
    rounds = max(2, 2_000 // size)
    return [seconds(run, rounds) / size * 1e6 for run in runs]


def main() -> None:
    print("microseconds of processor time per entry (ratio to the smallest session)")
    print(f"{'entries':>8}" + "".join(f"{step:>14}" for step in STEPS))
    smallest: list[float] = []
    for size in SIZES:
        took = measure(size)
        smallest = smallest or took
        cells = [f"{now:7.1f} ({now / at:4.2f})" for now, at in zip(took, smallest, strict=True)]
        print(f"{size:>8,}" + "".join(f"{cell:>14}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
