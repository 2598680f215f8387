"""Parents and children: the path to a leaf, and the whole tree. Nothing here recurses.

Pi 1.6.0 buildSessionPath and SessionManager.getTree.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from coursekit.pi.errors import CycleError
from coursekit.pi.files.entries import Entry
from coursekit.pi.javascript import date_ms


@dataclass(slots=True, eq=False)
class TreeNode:
    """An entry with the branches that go on from it, oldest first."""

    entry: Entry
    children: list[TreeNode] = field(default_factory=list, repr=False)
    label: str | None = None
    """The entry's label now, if it has one."""
    label_timestamp: str | None = None


def path_to(by_id: Mapping[str, Entry], leaf_id: str | None) -> list[Entry]:
    """The active path, root first, in time linear in its length.

    It ends at an entry without a parent or whose parent is missing, as in Pi. An unknown leaf has
    an empty path. Raises CycleError, where Pi would walk until its memory is full.
    """
    path: list[Entry] = []
    current = by_id.get(leaf_id) if leaf_id else None
    for _ in by_id:  # as many steps as there are entries, and no more
        if current is None:
            break
        path.append(current)
        current = by_id.get(parent_id) if (parent_id := current.parent_id) else None
    if current is not None:
        raise _cycle_at(by_id, current)
    path.reverse()
    return path


def build_tree(by_id: Mapping[str, Entry], labels: Mapping[str, Entry]) -> list[TreeNode]:
    """Every entry below its parent. Entries without one, or whose parent is missing, are roots.

    `labels` holds the label entry in force by target id. Children stand by timestamp. Raises
    CycleError where entries hang on no root.
    """
    nodes: dict[str, TreeNode] = {}
    for entry_id, entry in by_id.items():
        label = labels.get(entry_id)
        node = TreeNode(entry)
        if label is not None:
            # Text where Pi wrote the file; another value is passed on, as in Pi.
            node.label = cast("str", label.get("label"))
            node.label_timestamp = label.timestamp
        nodes[entry_id] = node
    roots: list[TreeNode] = []
    for node in nodes.values():
        parent_id = node.entry.parent_id
        parent = nodes.get(parent_id) if parent_id is not None else None
        (roots if parent is None else parent.children).append(node)
    reached: set[str] = set()
    stack = list(roots)
    while stack:
        node = stack.pop()
        reached.add(node.entry.id)
        if len(node.children) > 1:
            _sort_by_time(node.children)
        stack.extend(node.children)
    if len(reached) < len(nodes):
        raise _cycle_at(by_id, next(e for e in by_id.values() if e.id not in reached))
    return roots


def _sort_by_time(nodes: list[TreeNode]) -> None:
    times = {node.entry.id: _time(node.entry) for node in nodes}

    def compare(a: TreeNode, b: TreeNode) -> int:
        # A time that can't be read compares equal to any other, as NaN does in JavaScript. Where
        # such times mix with others the order is each engine's own; here it is Python's.
        left, right = times[a.entry.id], times[b.entry.id]
        return 0 if left is None or right is None else left - right

    nodes.sort(key=functools.cmp_to_key(compare))


def _time(entry: Entry) -> int | None:
    if entry.timestamp is None and "timestamp" not in entry.to_json():
        return None
    return date_ms(entry.timestamp)


def _cycle_at(by_id: Mapping[str, Entry], entry: Entry) -> CycleError:
    """The cycle that following parents from this entry runs into, in parent order."""
    seen: dict[str, None] = {}
    current = entry.id
    while current not in seen:
        seen[current] = None
        current = by_id[current].parent_id or current
    ids = list(seen)
    return CycleError(ids[ids.index(current) :])
