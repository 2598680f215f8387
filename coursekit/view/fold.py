"""Which entries get a box of their own, and which share one: `… 37 entries …`.

A picture stays readable at any size because it folds in steps, each taken only
when the one before leaves too many boxes: straight runs; then every branch that
was left; then all but the landmarks of the active path and the largest forks. A fold is always
connected and never mixes what the model sees with what it does not, so the
folded picture is a tree as well.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from coursekit.view.scene import Scene

LIMIT = 48
"""Boxes that a picture shows before it folds harder."""

SMALLEST = 3
"""A run shorter than this is not worth a fold."""

HEAD, TAIL = 2, 6
"""Entries shown at the start of the active path, and before its leaf."""

NEWEST_LABELS = 12

FORKS = 6
"""Forks shown in a tree that has too many of them."""


@dataclass
class Box:
    """One entry, or several that are folded; `ids` parents first, `parent` a box index."""

    ids: list[str]
    parent: int | None
    folded: bool
    tips: int = 0
    children: list[int] = field(default_factory=list)

    @property
    def words(self) -> str:
        """What a fold says in place of its entries."""
        number = f"{len(self.ids):,} entries"
        return f"… {number} …" if self.tips < 2 else f"… {number} on {self.tips:,} branches …"


def boxes_of(scene: Scene, *, unfold: bool | Iterable[str] = (), limit: int = LIMIT) -> list[Box]:
    """The boxes of a scene, parents first.

    `unfold` is True to fold nothing, or ids: each fold that holds one is opened.
    """
    if unfold is True or len(scene.forest.order) <= limit:
        return _group(scene, None)
    shown: set[str] = set()
    for choose in _STEPS:
        shown = choose(scene)
        if len(shown) <= limit:
            break
    boxes = _group(scene, shown)
    wanted = set() if unfold is False else set(unfold)
    opened = [
        box
        for box in boxes
        if box.folded and (len(box.ids) < SMALLEST or not wanted.isdisjoint(box.ids))
    ]
    if opened:
        shown.update(each for box in opened for each in box.ids)
        boxes = _group(scene, shown)
    return boxes


def _group(scene: Scene, shown: set[str] | None) -> list[Box]:
    """Boxes for the ids shown (None: all) and folds for the rest."""
    nodes, on_path, regions = scene.forest.nodes, scene.on_path, scene.regions
    children = scene.forest.children
    boxes: list[Box] = []
    box_of: dict[str, int] = {}
    folds: dict[tuple[int | None, bool, str | None], int] = {}
    for each in scene.forest.order:
        above = nodes[each].parent_id
        parent = None if above is None else box_of[above]
        if shown is None or each in shown:
            index = len(boxes)
            boxes.append(Box([each], parent, False))
        else:
            active = each in on_path
            joins = parent is not None and boxes[parent].folded
            if joins and active:
                joins = regions.get(each) == regions.get(above or "")
            if joins and parent is not None:
                index = parent
                boxes[index].ids.append(each)
            else:
                key = (parent, active, regions.get(each))
                if key in folds:
                    index = folds[key]
                    boxes[index].ids.append(each)
                else:
                    index = folds[key] = len(boxes)
                    boxes.append(Box([each], parent, True))
            if each not in children:
                boxes[index].tips += 1
        box_of[each] = index
    for index, box in enumerate(boxes):
        if box.parent is not None:
            boxes[box.parent].children.append(index)
    return boxes


def _landmarks(scene: Scene) -> set[str]:
    """The entries a reader needs to find their way along the active path."""
    path = scene.path
    marks = {*path[:HEAD], *path[-TAIL:]}
    before: str | None = None
    for each in path:
        if before is not None and scene.regions.get(each) != scene.regions.get(before):
            marks.update((before, each))
        before = each
    marks.update(_essentials(scene))
    return marks


def _essentials(scene: Scene) -> set[str]:
    path = scene.path
    marks = {*path[:1], *path[-TAIL:], *list(scene.labels)[-NEWEST_LABELS:]}
    marks.update(each for each in (scene.checkpoint, scene.first_kept_id) if each is not None)
    return {each for each in marks if each in scene.forest.nodes}


def _straight_runs(scene: Scene) -> set[str]:
    shown = _landmarks(scene) | set(scene.labels) | set(scene.forest.roots)
    shown &= scene.forest.nodes.keys()
    for each in scene.forest.order:
        below = scene.forest.children.get(each)
        if below is None:
            shown.add(each)
        elif len(below) > 1:
            shown.add(each)
            shown.update(below)
        if scene.forest.nodes[each].type == "compaction":
            shown.add(each)
    return shown


def _left_branches(scene: Scene) -> set[str]:
    shown = _landmarks(scene) | _largest_forks(scene)
    shown.update(each for each in scene.path if len(scene.forest.children.get(each, ())) > 1)
    return shown


def _main_forks(scene: Scene) -> set[str]:
    return _landmarks(scene) | _largest_forks(scene)


def _least(scene: Scene) -> set[str]:
    return _essentials(scene) | _largest_forks(scene)


def _largest_forks(scene: Scene) -> set[str]:
    """The forks whose second branch is largest, each with its two largest branches."""
    children, nodes = scene.forest.children, scene.forest.nodes
    size = dict.fromkeys(nodes, 1)
    for each in reversed(scene.forest.order):
        above = nodes[each].parent_id
        if above is not None:
            size[above] += size[each]
    branches = {
        each: sorted(below, key=lambda child: -size[child])[:2]
        for each, below in children.items()
        if len(below) > 1
    }
    largest = heapq.nlargest(FORKS, branches, key=lambda each: size[branches[each][1]])
    return {each for fork in largest for each in (fork, *branches[fork])}


_STEPS: tuple[Callable[[Scene], set[str]], ...] = (
    _straight_runs,
    _left_branches,
    _main_forks,
    _least,
)
