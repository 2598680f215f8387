"""Opening and projecting a large Pi session: real Pi on Node.js against coursekit.pi, in one run.

    python benchmarks/pi_open.py [--entries 40000] [--megabytes 97] [--rounds 3]

Makes the file in a temporary folder, runs each side in processes of its own, takes the best of the
rounds, and prints ratios. Pi decodes every message when it opens; coursekit.pi decodes a message
when it is looked at, so it is measured without and with looking at all of them. Memory is what the
process grew by at its peak. Needs Node.js and Pi: see CONTRIBUTING.md.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parent.parent
_OURS = """
import json, resource, sys, time
from coursekit.pi import SessionManager

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

before = peak()
start = time.perf_counter()
manager = SessionManager.open(sys.argv[1])
projection = manager.build_session_projection()
projected = time.perf_counter()
projected_peak = peak()
messages = len(projection.messages)
decoded = time.perf_counter()
print(json.dumps({
    "milliseconds": (projected - start) * 1000,
    "memory": projected_peak - before,
    "decoded_milliseconds": (decoded - start) * 1000,
    "decoded_memory": peak() - before,
    "messages": messages,
}))
"""


def write_session(path: Path, entries: int, size: int) -> None:
    """A coding conversation of about `size` bytes, shaped like a real one.

    Half of the bytes are tool results, half assistant messages with usage and costs; one character
    in twenty is escaped, one message in twenty holds Chinese or an emoji.
    """
    draw = random.Random(40_000)
    lines = [
        "".join(draw.choices("abcdefghijklmnopqrstuvwxyz  ()=._", k=draw.randrange(10, 60)))
        for _ in range(500)
    ]
    pool = "".join("\t" * draw.randrange(3) + draw.choice(lines) + '"\n' for _ in range(3_000))
    body = max(1, size // entries - 500)
    parent: str | None = None
    with path.open("w", encoding="utf-8") as file:
        header = {"type": "session", "version": 3, "id": "bench", "timestamp": _TIME, "cwd": "/w"}
        file.write(json.dumps(header) + "\n")
        for number in range(entries):
            length = int(body / 1.08 * draw.uniform(0.2, 1.8))
            begin = draw.randrange(len(pool) - 2 * body)
            text = pool[begin : begin + length]
            if number % 20 == 7:
                text += "\u65e5\u5fd7 \U0001f333"
            entry = {
                "type": "message",
                "id": f"{number:08x}",
                "parentId": parent,
                "timestamp": _TIME,
                "message": _message(number, text),
            }
            file.write(json.dumps(entry, ensure_ascii=False, separators=(",", ":")) + "\n")
            parent = f"{number:08x}"


_TIME = "2026-01-01T00:00:00.000Z"


def _message(number: int, text: str) -> dict[str, Any]:
    block = {"type": "text", "text": text}
    turn = number % 12
    if turn == 0:
        return {"role": "user", "content": [block], "timestamp": number}
    if turn % 2 == 0:
        return {
            "role": "toolResult",
            "toolCallId": f"toolu_{number - 1:024}",
            "toolName": "read",
            "content": [block],
            "isError": False,
            "timestamp": number,
        }
    arguments = {"path": "src/session/manager.py", "offset": number, "limit": 200}
    call = {"type": "toolCall", "id": f"toolu_{number:024}", "name": "read", "arguments": arguments}
    return {
        "role": "assistant",
        "content": [{"type": "thinking", "thinking": text[:200]}, block, call],
        "api": "anthropic-messages",
        "provider": "anthropic",
        "model": "claude-sonnet-4-5",
        "usage": {
            "input": 3,
            "output": 97,
            "cacheRead": 39673 + number,
            "cacheWrite": 843,
            "totalTokens": 40616 + number,
            "cost": {
                "input": 9e-06,
                "output": 0.001455,
                "cacheRead": 0.0119019,
                "cacheWrite": 0.00316125,
                "total": 0.01652715,
            },
        },
        "stopReason": "stop" if turn == 11 else "toolUse",
        "timestamp": 1_763_683_132_969 + number,
    }


def _run(command: list[str]) -> dict[str, Any]:
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=_ROOT)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--entries", type=int, default=40_000)
    parser.add_argument("--megabytes", type=int, default=97)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    tools = Path(os.environ.get("COURSEKIT_PI_TOOLS", _ROOT / ".tools"))
    modules = tools / "node_modules"
    node = modules / ".bin" / "node"
    if not node.exists():
        sys.exit(f"Node.js and Pi are not installed in {modules}: see CONTRIBUTING.md")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "session.jsonl"
        print("writing the session ...", file=sys.stderr)
        write_session(path, options.entries, options.megabytes * 1_000_000)
        size = path.stat().st_size
        print(f"{options.entries:,} entries, {size / 1e6:.1f} MB, best of {options.rounds}")
        pi_script = str(Path(__file__).with_suffix(".mjs"))
        pi: list[dict[str, Any]] = []
        ours: list[dict[str, Any]] = []
        for number in range(options.rounds):
            print(f"round {number + 1} of {options.rounds} ...", file=sys.stderr)
            pi.append(_run([str(node), pi_script, str(modules), str(path)]))
            ours.append(_run([sys.executable, "-c", _OURS, str(path)]))
    if {run["messages"] for run in pi + ours} != {options.entries}:
        sys.exit("the two sides project different numbers of messages")
    pi_time = min(run["milliseconds"] for run in pi)
    pi_memory = min(run["memory"] for run in pi)
    _row("Pi", pi_time, pi_time, pi_memory, size)
    for name, prefix in (("coursekit.pi", ""), ("  all decoded", "decoded_")):
        best = min(run[f"{prefix}milliseconds"] for run in ours)
        _row(name, best, pi_time, max(run[f"{prefix}memory"] for run in ours), size)


def _row(name: str, milliseconds: float, pi_time: float, memory: float, size: int) -> None:
    print(
        f"{name:<14}{milliseconds:8.0f} ms {pi_time / milliseconds:6.2f} x Pi's speed"
        f"{memory / 1e6:8.0f} MB = {memory / size:.2f} x the file"
    )


if __name__ == "__main__":
    main()
