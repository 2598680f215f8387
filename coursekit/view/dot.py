"""DOT text from a scene. The same scene gives the same bytes.

Boxes carry their own size, worked out here, so the layout does not hang on which
fonts the drawing program knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from coursekit.view import style
from coursekit.view.columns import clip, ems, name
from coursekit.view.fold import Box
from coursekit.view.node import Facts, facts_of
from coursekit.view.scene import Region, Scene

FONT = "Helvetica,Arial,sans-serif"
POINTS = 11
TEXT_COLUMNS = 40
ID_COLUMNS = 20
NARROWEST = 1.0
UNDER_LABEL = 2.0
"""Inches of a box: at the least, and for the first one in a frame that an edge comes into."""

LEAF = "leaf"
"""Class of the pointer in the SVG; entries have `entry`, folds `fold`."""


def graph(body: Iterable[str], caption: str) -> str:
    """A whole drawing around the statements of one or two scenes."""
    head = [
        "digraph session {",
        f"  graph [{_attributes(_GRAPH | {'label': escape(caption)})}]",
        f"  node [{_attributes(_NODE)}]",
        f"  edge [{_attributes(_EDGE)}]",
    ]
    return "\n".join([*head, *(f"  {line}" for line in body), "}", ""])


_GRAPH = {
    "rankdir": "TB",
    "bgcolor": "transparent",
    "fontname": FONT,
    "fontsize": "10",
    "fontcolor": style.CAPTION,
    "labelloc": "t",
    "labeljust": "l",
    "nodesep": "0.3",
    "ranksep": "0.28",
    "pad": "0.1",
}
_NODE = {"fontname": FONT, "fontsize": str(POINTS), "fixedsize": "true"}
_EDGE = {"arrowsize": "0.6"}


def statements(scene: Scene, boxes: Sequence[Box], prefix: str = "") -> list[str]:
    """Nodes, groups and edges of one scene. `prefix` keeps two scenes in a drawing apart."""
    names = [f"{prefix}e{index}" for index in range(len(boxes))]
    active = [index for index, box in enumerate(boxes) if box.ids[0] in scene.on_path]
    by_region = groupby(active, key=lambda index: scene.regions.get(boxes[index].ids[0]))
    runs = [(region, list(run)) for region, run in by_region]
    # An edge from above comes in at the middle: a frame's label must end before that.
    below = {run[0] for region, run in runs[1:] if region is not None}
    drawn = [
        _box(scene, box, names[index], UNDER_LABEL if index in below else NARROWEST)
        for index, box in enumerate(boxes)
    ]
    lines: list[str] = []
    for number, (region, run) in enumerate(runs):
        if region is not None:
            nodes = [drawn[index] for index in run]
            lines += _group(f"cluster_{prefix}{region}{number}", nodes, _REGIONS[region])
    lines += [drawn[index] for index, box in enumerate(boxes) if box.ids[0] not in scene.regions]
    lines += [
        _edge(names[box.parent], names[index], box.ids[0] in scene.on_path)
        for index, box in enumerate(boxes)
        if box.parent is not None
    ]
    return [*lines, *_first_kept(scene, boxes, names), *_pointer(scene, boxes, names, prefix)]


_SUMMARISED = {
    "label": "summarised",
    "style": "filled,rounded",
    "color": style.SHADE,
    "fontcolor": style.CAPTION,
    "margin": "9",
}
_CONTEXT = {
    "label": "in the context",
    "style": "rounded",
    "color": style.CONTEXT,
    "fontcolor": style.CONTEXT,
    "penwidth": "2",
    "margin": "9",
}


_REGIONS: dict[Region, dict[str, str]] = {"summarised": _SUMMARISED, "context": _CONTEXT}


def _group(group: str, nodes: list[str], look: dict[str, str]) -> list[str]:
    if not nodes:
        return []
    return [
        f"subgraph {group} {{",
        f"  graph [{_attributes(look)}]",
        *("  " + n for n in nodes),
        "}",
    ]


def side(title: str, body: Iterable[str]) -> list[str]:
    """One half of a before-and-after drawing."""
    look = {"label": escape(title), "style": "rounded,dashed", "color": style.FADED_LINE}
    return _group(
        f"cluster_{title}", list(body), look | {"fontcolor": style.CAPTION, "margin": "12"}
    )


def _box(scene: Scene, box: Box, mine: str, least: float) -> str:
    """One box; `least` is its width in inches where its text needs less."""
    if box.folded:
        return _fold(scene, box, mine, least)
    entry_id = box.ids[0]
    facts = facts_of(scene.forest.entries[entry_id])
    look = style.look_of(facts.kind)
    lines = _lines(scene, entry_id, facts)
    attributes = {"label": "\\n".join(escape(line) for line in lines)}
    attributes |= _size(lines, look.shape, least)
    attributes |= {"shape": look.shape}
    if entry_id in scene.on_path:
        attributes |= {
            "style": look.style,
            "fillcolor": look.fill,
            "color": look.line,
            "fontcolor": style.INK,
            "penwidth": "3" if entry_id == scene.leaf_id else "1.4",
            "class": "entry active",
        }
    else:
        attributes |= {
            "style": f"{look.style},dashed",
            "fillcolor": style.FADED_FILL,
            "color": style.FADED_LINE,
            "fontcolor": style.FADED_INK,
            "class": "entry",
        }
    if lines[1] != facts.text:
        attributes["tooltip"] = escape(facts.text)
    return f"{mine} [{_attributes(attributes)}]"


def _lines(scene: Scene, entry_id: str, facts: Facts) -> list[str]:
    lines = [f"{name(entry_id, ID_COLUMNS)} · {facts.kind}", clip(facts.text, TEXT_COLUMNS)]
    if facts.first_kept_id is not None:
        lines.append(f"first kept: {name(facts.first_kept_id, ID_COLUMNS)}")
    if entry_id in scene.labels:
        lines.append(f"label: {name(scene.labels[entry_id], TEXT_COLUMNS - 7)}")
    return lines


def _fold(scene: Scene, box: Box, mine: str, least: float) -> str:
    active = box.ids[0] in scene.on_path
    attributes = {"label": escape(box.words)} | _size([box.words], "box", least)
    attributes |= {
        "shape": "box",
        "style": "filled,rounded" if active else "filled,rounded,dashed",
        "fillcolor": style.FOLD_FILL if active else style.FADED_FILL,
        "color": style.ACTIVE_EDGE if active else style.FADED_LINE,
        "fontcolor": style.FOLD_INK if active else style.FADED_INK,
        "class": "fold active" if active else "fold",
    }
    return f"{mine} [{_attributes(attributes)}]"


def _size(lines: Sequence[str], shape: str, least: float) -> dict[str, str]:
    """Inches, with room for what the shape takes at its edges."""
    extra = 0.45 if shape in ("octagon", "component") else 0.28
    width = max(least, max(ems(line) for line in lines) * POINTS / 72 + extra)
    height = (len(lines) * POINTS * 1.25 + 9) / 72 + (0.06 if shape in ("folder", "tab") else 0)
    return {"width": f"{width:.2f}", "height": f"{height:.2f}"}


def _edge(above: str, below: str, active: bool) -> str:
    look = _ACTIVE if active else _LEFT
    return f"{above} -> {below} [{_attributes(look)}]"


_ACTIVE = {"color": style.ACTIVE_EDGE, "penwidth": "2.2", "weight": "20"}
_LEFT = {"color": style.FADED_LINE, "style": "dashed"}


def _first_kept(scene: Scene, boxes: Sequence[Box], names: Sequence[str]) -> list[str]:
    """An edge from each compaction shown to the first entry it keeps."""
    place = {each: names[index] for index, box in enumerate(boxes) for each in box.ids}
    lines: list[str] = []
    for mine, box in zip(names, boxes, strict=True):
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
            lines.append(f"{mine} -> {kept} [{_attributes(look)}]")
    return lines


def _pointer(scene: Scene, boxes: Sequence[Box], names: Sequence[str], prefix: str) -> list[str]:
    """The leaf, standing where the next entry would."""
    words = "leaf" if scene.leaf_id is not None else "leaf: none yet"
    look = {
        "label": words,
        "shape": "box",
        "style": "filled,rounded",
        "fillcolor": style.LEAF_FILL,
        "color": style.LEAF_INK,
        "fontcolor": style.LEAF_INK,
        "height": "0.26",
        "width": f"{ems(words) * POINTS / 72 + 0.25:.2f}",
        "class": LEAF,
    }
    lines = [f"{prefix}leaf [{_attributes(look)}]"]
    for index, box in enumerate(boxes):
        if scene.leaf_id in box.ids:
            edge = {"color": style.ACTIVE_EDGE, "dir": "back", "penwidth": "1.4", "minlen": "1"}
            lines.append(f"{names[index]} -> {prefix}leaf [{_attributes(edge)}]")
    return lines


def escape(text: str) -> str:
    """Text as it may stand between double quotes in DOT, entities included."""
    return text.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')


def _attributes(values: dict[str, str]) -> str:
    return ", ".join(f'{key}="{value}"' for key, value in values.items())
