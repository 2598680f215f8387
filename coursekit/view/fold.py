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
    tips = len(scene.forest.parents) - len(scene.forest.children)
    for choose in _STEPS if tips < limit else _STEPS[1:]:
        shown = choose(scene)
        if len(shown) <= limit:
            break
    boxes = _group(scene, shown)
    wanted = set() if unfold is False else set(unfold)
    opened = {
        index
        for index, box in enumerate(boxes)
        if box.folded and (len(box.ids) < SMALLEST or not wanted.isdisjoint(box.ids))
    }
    return _open(scene, boxes, opened) if opened else boxes


def _open(scene: Scene, boxes: list[Box], opened: set[int]) -> list[Box]:
    """The same boxes with some folds taken apart."""
    taken: list[Box] = []
    place: dict[int, int] = {}
    single: dict[str, int] = {}
    for index, box in enumerate(boxes):
        place[index] = len(taken)
        for each in box.ids if index in opened else box.ids[:1]:
            above = scene.forest.parents[each]
            parent = single.get(above or "")
            if parent is None and box.parent is not None:
                parent = place[box.parent]
            if index in opened:
                single[each] = len(taken)
                taken.append(Box([each], parent, False))
            else:
                taken.append(Box(box.ids, parent, box.folded, box.tips))
    return _joined(taken)


def _joined(boxes: list[Box]) -> list[Box]:
    for index, box in enumerate(boxes):
        if box.parent is not None:
            boxes[box.parent].children.append(index)
    return boxes


def _group(scene: Scene, shown: set[str] | None) -> list[Box]:
    """Boxes for the ids shown (None: all) and folds for the rest."""
    parents, on_path, regions = scene.forest.parents, scene.on_path, scene.regions
    boxes: list[Box] = []
    box_of: dict[str | None, int] = {}
    folds: dict[tuple[int | None, bool, str | None], int] = {}
    for each in scene.forest.order:
        above = parents[each]
        parent = box_of.get(above)
        if shown is None or each in shown:
            box_of[each] = len(boxes)
            boxes.append(Box([each], parent, False))
            continue
        if (
            parent is not None
            and boxes[parent].folded
            and (each not in on_path or regions.get(each) == regions.get(above or ""))
        ):
            index = parent
        else:
            key = (parent, each in on_path, regions.get(each))
            index = folds.setdefault(key, len(boxes))
            if index == len(boxes):
                boxes.append(Box([], parent, True))
        boxes[index].ids.append(each)
        box_of[each] = index
    children = scene.forest.children
    for box in boxes:
        if box.folded:
            box.tips = sum(1 for each in box.ids if each not in children)
    return _joined(boxes)


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
    return {each for each in marks if each in scene.forest.parents}


def _straight_runs(scene: Scene) -> set[str]:
    parents, children = scene.forest.parents, scene.forest.children
    shown = _landmarks(scene) | scene.labels.keys() | set(scene.forest.roots)
    shown |= parents.keys() - children.keys()
    for fork, below in children.items():
        if len(below) > 1:
            shown.update((fork, *below))
    shown |= scene.forest.compactions
    return shown & parents.keys()


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
    children, parents = scene.forest.children, scene.forest.parents
    size = dict.fromkeys(parents, 1)
    for each in reversed(scene.forest.order):
        above = parents[each]
        if above is not None:
            size[above] += size[each]
    forks = [each for each, below in children.items() if len(below) > 1]
    forks.sort(key=size.__getitem__, reverse=True)
    found: list[tuple[int, str, list[str]]] = []
    for fork in forks:
        # A second branch is smaller than half of its fork, and forks only get smaller.
        if len(found) == FORKS and size[fork] <= 2 * found[-1][0]:
            break
        pair = heapq.nlargest(2, children[fork], key=size.__getitem__)
        found.append((size[pair[1]], fork, pair))
        found.sort(key=lambda each: each[0], reverse=True)
        del found[FORKS:]
    return {each for _, fork, pair in found for each in (fork, *pair)}


_STEPS: tuple[Callable[[Scene], set[str]], ...] = (
    _straight_runs,
    _left_branches,
    _main_forks,
    _least,
)
