"""Draw 10,000 entries, against `dot` alone on a hand-folded graph with as many boxes.

Run it: python benchmarks/draw.py
It prints medians in milliseconds and the ratio, which should stay near 2.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from coursekit.view import draw
from coursekit.view.dot import drawing
from coursekit.view.render import dot_program, render

ENTRIES = 10_000
ROUNDS = 25


def session(branching: float) -> list[dict[str, Any]]:
    """Entries that leave the newest one with this probability."""
    rng = random.Random(7)
    entries: list[dict[str, Any]] = []
    for at in range(ENTRIES):
        above = rng.randrange(at) if at and rng.random() < branching else at - 1
        content = [{"type": "text", "text": f"确认 JSONL 写入边界 {at}"}]
        message = {"role": rng.choice(("user", "assistant", "toolResult")), "content": content}
        entries.append(
            {
                "type": "message",
                "id": f"e{at}",
                "parentId": f"e{above}" if at else None,
                "message": message,
            }
        )
    return entries


def by_hand(boxes: int) -> str:
    """What someone would write who folded the session in their head: a path with branches."""
    graph = drawing("folded by hand")
    for at in range(boxes):
        label = "e42 · assistant\\n确认 JSONL 写入边界"
        graph.node(f"n{at}", label, shape="box", width="2.2", height="0.5")
        if at:
            graph.edge(f"n{at - (1 if at % 3 else 2)}", f"n{at}")
    return str(graph.source)


def medians(*runs: Callable[[], object]) -> list[float]:
    """Milliseconds, the median of ROUNDS runs of each; taken in turn, so that noise is shared."""
    times: list[list[float]] = [[] for _ in runs]
    for _ in range(ROUNDS):
        for run, taken in zip(runs, times, strict=True):
            start = time.perf_counter()
            run()
            taken.append((time.perf_counter() - start) * 1000)
    return [statistics.median(taken) for taken in times]


def main() -> None:
    print(f"dot: {dot_program()}")
    print(f"{'session':>16}  {'boxes':>5}  {'draw':>8}  {'to SVG':>8}  {'by hand':>8}  ratio")
    for title, branching in (("a straight line", 0), ("1 in 25 branches", 0.04), ("random", 1)):
        entries = session(branching)
        boxes = len(draw(entries).names)
        hand = by_hand(boxes)
        drawing, whole, alone = medians(
            partial(draw, entries),
            partial(lambda path: draw(path).svg(), entries),
            partial(render, hand),
        )
        print(
            f"{title:>16}  {boxes:>5}  {drawing:>5.1f} ms  {whole:>5.1f} ms  {alone:>5.1f} ms"
            f"  {whole / alone:.2f}"
        )


if __name__ == "__main__":
    main()
