"""What a picture of a scene is made of: nodes, frames and edges, as plain values.

Text stands here as it is read; `dot` writes it as DOT. Boxes carry their own size,
worked out here, so the layout does not hang on which fonts the drawing program knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

from coursekit.view import style
from coursekit.view.facts import Facts, facts_of
from coursekit.view.fold import Box
from coursekit.view.scene import Region, Scene
from coursekit.view.text_width import clip, ems, shown_id

POINTS = 11
TEXT_COLUMNS = 40
ID_COLUMNS = 20
NARROWEST = 1.0
UNDER_LABEL = 2.2
"""Inches of a box: at the least, and for the first one in a frame that an edge comes into."""

LEAF = "leaf"
"""Class of the pointer in the SVG; entries have `entry`, folds `fold`."""

Attributes: TypeAlias = dict[str, str]
"""Graphviz attributes by name."""


@dataclass(frozen=True, slots=True)
class Node:
    """A box: its name in the drawing, its lines of text, and how it looks."""

    name: str
    lines: tuple[str, ...]
    look: Attributes
    tooltip: str | None = None


@dataclass(frozen=True, slots=True)
class Edge:
    """A line from one node to another, by their names."""

    tail: str
    head: str
    look: Attributes


@dataclass(frozen=True, slots=True)
class Cluster:
    """Nodes with a line around them and a label."""

    name: str
    label: str
    look: Attributes
    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Diagram:
    """One scene, ready to be drawn; `nodes` are those that stand in no frame."""

    clusters: tuple[Cluster, ...]
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


def diagram_of(scene: Scene, boxes: Sequence[Box], prefix: str = "") -> Diagram:
    """The diagram of one scene. `prefix` keeps the names of two in a drawing apart."""
    names = [f"{prefix}e{index}" for index in range(len(boxes))]
    active = [index for index, box in enumerate(boxes) if box.ids[0] in scene.on_path]
    by_region = groupby(active, key=lambda index: scene.regions.get(boxes[index].ids[0]))
    runs = [(region, list(run)) for region, run in by_region]
    # An edge from above comes in at the middle: a frame's label must end before that.
    below = {run[0] for region, run in runs[1:] if region is not None}
    nodes = [
        _node(scene, box, names[index], UNDER_LABEL if index in below else NARROWEST)
        for index, box in enumerate(boxes)
    ]
    clusters = tuple(
        Cluster(
            name=f"cluster_{prefix}{region}{number}",
            label=_REGION_LABELS[region],
            look=_REGIONS[region],
            nodes=tuple(nodes[index] for index in run),
        )
        for number, (region, run) in enumerate(runs)
        if region is not None
    )
    unframed = [nodes[at] for at, box in enumerate(boxes) if box.ids[0] not in scene.regions]
    edges = [
        Edge(names[box.parent], names[at], _ACTIVE if box.ids[0] in scene.on_path else _LEFT)
        for at, box in enumerate(boxes)
        if box.parent is not None
    ]
    edges += _first_kept(scene, boxes, names)
    pointer = _pointer(scene, f"{prefix}leaf")
    at_leaf = [at for at, box in enumerate(boxes) if scene.leaf_id in box.ids]
    edges += [Edge(names[at], pointer.name, _TO_POINTER) for at in at_leaf]
    return Diagram(clusters, (*unframed, pointer), tuple(edges))


_REGION_LABELS: dict[Region, str] = {"summarised": "summarised", "context": "in the context"}
_REGIONS: dict[Region, Attributes] = {
    "summarised": {
        "style": "filled,rounded",
        "color": style.SHADE,
        "fontcolor": style.CAPTION,
        "margin": "9",
    },
    "context": {
        "style": "rounded",
        "color": style.CONTEXT,
        "fontcolor": style.CONTEXT,
        "penwidth": "2",
        "margin": "9",
    },
}
_ACTIVE: Attributes = {"color": style.ACTIVE_EDGE, "penwidth": "2.2", "weight": "20"}
_LEFT: Attributes = {"color": style.FADED_LINE, "style": "dashed"}
_TO_POINTER: Attributes = {
    "color": style.ACTIVE_EDGE,
    "dir": "back",
    "penwidth": "1.4",
    "minlen": "1",
}


def _node(scene: Scene, box: Box, name: str, least: float) -> Node:
    """One box; `least` is its width in inches where its text needs less."""
    if box.folded:
        return _fold(scene, box, name, least)
    entry_id = box.ids[0]
    facts = facts_of(scene.forest.entries[entry_id])
    form = style.box_style(facts.kind)
    lines = _lines(scene, entry_id, facts)
    look = _size(lines, form.shape, least)
    if entry_id in scene.on_path:
        look |= {
            "style": form.style,
            "fillcolor": form.fill,
            "color": form.line,
            "fontcolor": style.INK,
            "penwidth": "3" if entry_id == scene.leaf_id else "1.4",
            "class": "entry active",
        }
    else:
        look |= {
            "style": f"{form.style},dashed",
            "fillcolor": style.FADED_FILL,
            "color": style.FADED_LINE,
            "fontcolor": style.FADED_INK,
            "class": "entry",
        }
    return Node(name, lines, look, facts.text if lines[1] != facts.text else None)


def _lines(scene: Scene, entry_id: str, facts: Facts) -> tuple[str, ...]:
    lines = [f"{shown_id(entry_id, ID_COLUMNS)} · {facts.kind}", clip(facts.text, TEXT_COLUMNS)]
    if facts.first_kept_id is not None:
        lines.append(f"first kept: {shown_id(facts.first_kept_id, ID_COLUMNS)}")
    if entry_id in scene.labels:
        lines.append(f"label: {shown_id(scene.labels[entry_id], TEXT_COLUMNS - 7)}")
    return tuple(lines)


def _fold(scene: Scene, box: Box, name: str, least: float) -> Node:
    active = box.ids[0] in scene.on_path
    look = _size([box.words], "box", least) | {
        "style": "filled,rounded" if active else "filled,rounded,dashed",
        "fillcolor": style.FOLD_FILL if active else style.FADED_FILL,
        "color": style.ACTIVE_EDGE if active else style.FADED_LINE,
        "fontcolor": style.FOLD_INK if active else style.FADED_INK,
        "class": "fold active" if active else "fold",
    }
    return Node(name, (box.words,), look)


def _size(lines: Sequence[str], shape: str, least: float) -> Attributes:
    """The shape, and its inches, with room for what it takes at its edges."""
    extra = 0.45 if shape in ("octagon", "component") else 0.28
    width = max(least, max(ems(line) for line in lines) * POINTS / 72 + extra)
    height = (len(lines) * POINTS * 1.25 + 9) / 72 + (0.06 if shape in ("folder", "tab") else 0)
    return {"shape": shape, "width": f"{width:.2f}", "height": f"{height:.2f}"}


def _first_kept(scene: Scene, boxes: Sequence[Box], names: Sequence[str]) -> list[Edge]:
    """An edge from each compaction shown to the first entry it keeps."""
    place = {each: names[index] for index, box in enumerate(boxes) for each in box.ids}
    edges: list[Edge] = []
    for name, box in zip(names, boxes, strict=True):
        if box.folded or box.ids[0] not in scene.forest.compactions:
            continue
        kept = place.get(facts_of(scene.forest.entries[box.ids[0]]).first_kept_id or "")
        if kept is not None:
            newest = box.ids[0] == scene.checkpoint
            look = {
                "color": style.FIRST_KEPT if newest else style.FADED_LINE,
                "style": "dotted",
                "penwidth": "2.2",
                "constraint": "false",
            }
            edges.append(Edge(name, kept, look))
    return edges


def _pointer(scene: Scene, name: str) -> Node:
    """The leaf, standing where the next entry would."""
    words = "leaf" if scene.leaf_id is not None else "leaf: none yet"
    look = {
        "shape": "box",
        "style": "filled,rounded",
        "fillcolor": style.LEAF_FILL,
        "color": style.LEAF_INK,
        "fontcolor": style.LEAF_INK,
        "height": "0.26",
        "width": f"{ems(words) * POINTS / 72 + 0.25:.2f}",
        "class": LEAF,
    }
    return Node(name, (words,), look)
