"""The tree as plain text, for terminals, screen readers and stored notebooks.

A chain runs straight down, whatever its length. Where a branch leaves it, the
branch is set in; the active path never is.
"""

from __future__ import annotations

from collections.abc import Sequence

from coursekit.view.facts import facts_of
from coursekit.view.fold import Box
from coursekit.view.scene import Scene
from coursekit.view.text_width import clip, columns, pad, shown_id

WIDTH = 80
ID_WIDTH = 14
KIND_WIDTH = 14
DEEPEST = 8
"""Levels of branches on branches that are still set in."""

GUTTER = {"context": "┃", "summarised": "░", None: " "}


def text_tree(scene: Scene, boxes: Sequence[Box], *, width: int = WIDTH) -> str:
    """A line for each box under one line of description, at most `width` columns wide."""
    lines = [scene.describe()]
    if scene.leaf_id is None and scene.forest.parents:
        lines.append("◀ leaf: none, the next entry becomes a root")
    rows = [(_lead(scene, boxes, index, depth), index) for index, depth in _walk(scene, boxes)]
    if not rows:
        return lines[0]
    facts = [facts_of(scene.forest.entries[boxes[index].ids[0]]) for _, index in rows]
    lead_width = max(columns(lead) for lead, _ in rows)
    id_width = max(
        columns(shown_id(boxes[index].ids[0], ID_WIDTH))
        for _, index in rows
        if not boxes[index].folded
    )
    kind_width = max(columns(clip(each.kind, KIND_WIDTH)) for each in facts)
    for (lead, index), fact in zip(rows, facts, strict=True):
        box = boxes[index]
        if box.folded:
            lines.append(clip(f"{lead} {box.words}", width))
            continue
        shown = pad(shown_id(box.ids[0], ID_WIDTH), id_width)
        start = f"{pad(lead, lead_width)} {shown}  {pad(clip(fact.kind, KIND_WIDTH), kind_width)}  "
        marks = _marks(scene, box.ids[0], fact.first_kept_id)
        room = width - columns(start) - columns(marks)
        lines.append((start + clip(fact.text, max(room, 1)) + marks).rstrip())
    return "\n".join([*lines, legend(scene)])


def legend(scene: Scene) -> str:
    """What the marks mean, only those in use."""
    words = ["● active path"]
    if len(scene.on_path) < len(scene.forest.parents):
        words.append("○ other branch")
    if "context" in scene.regions.values():
        words.append("┃ in the context")
    if "summarised" in scene.regions.values():
        words.append("░ summarised")
    return "   ".join(words)


def _marks(scene: Scene, entry_id: str, first_kept_id: str | None) -> str:
    marks = ""
    if first_kept_id is not None:
        marks += f"  keeps from {shown_id(first_kept_id, ID_WIDTH)}"
    if entry_id in scene.labels:
        marks += f"  [{shown_id(scene.labels[entry_id], 20)}]"
    if entry_id == scene.leaf_id:
        marks += "  ◀ leaf"
    return marks


def _lead(scene: Scene, boxes: Sequence[Box], index: int, depth: tuple[int, bool]) -> str:
    """Region, indentation and the mark for being on the active path or not."""
    level, starts = depth
    shown = min(level, DEEPEST)
    bars = "" if shown == 0 else "│ " * (shown - 1) + ("├─" if starts else "│ ")
    mark = "●" if _active(scene, boxes[index]) else "○"
    return f"{GUTTER[scene.regions.get(boxes[index].ids[0])]} {bars}{mark}"


def _walk(scene: Scene, boxes: Sequence[Box]) -> list[tuple[int, tuple[int, bool]]]:
    """Boxes in reading order, with how deep each stands and whether it starts a branch."""
    rows: list[tuple[int, tuple[int, bool]]] = []
    roots = [index for index, box in enumerate(boxes) if box.parent is None]
    stack = [(index, (0, False)) for index in reversed(_active_last(scene, boxes, roots))]
    while stack:
        index, depth = stack.pop()
        rows.append((index, depth))
        below = _active_last(scene, boxes, boxes[index].children)
        if below and _active(scene, boxes[below[-1]]) == _active(scene, boxes[index]):
            stack.append((below.pop(), (depth[0], False)))
        stack.extend((each, (depth[0] + 1, True)) for each in reversed(below))
    return rows


def _active(scene: Scene, box: Box) -> bool:
    return box.ids[0] in scene.on_path


def _active_last(scene: Scene, boxes: Sequence[Box], indexes: list[int]) -> list[int]:
    return sorted(indexes, key=lambda index: _active(scene, boxes[index]))
