"""The tree that entries form by their parent ids. Loops only: a chat is one long chain."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from coursekit.view.node import Node, ViewError

MISSING = "missing"
"""Type of the stand-in for a parent that the session does not hold."""


@dataclass(frozen=True)
class Forest:
    """Nodes by id, each id's children in file order, and all ids with parents first."""

    nodes: dict[str, Node]
    children: dict[str, list[str]]
    roots: list[str]
    order: list[str]

    def path(self, leaf_id: str | None) -> list[str]:
        """Ids from the root to `leaf_id`; empty for None. Raises `ViewError` if it is unknown."""
        if leaf_id is None:
            return []
        if leaf_id not in self.nodes:
            raise ViewError(f"leaf {leaf_id!r} is not in this session", (leaf_id,))
        path: list[str] = []
        at: str | None = leaf_id
        while at is not None:
            path.append(at)
            at = self.nodes[at].parent_id
        path.reverse()
        return path


def plant(nodes: Iterable[Node]) -> Forest:
    """Build the forest. A missing parent becomes a stand-in node of type `missing`.

    Raises `ViewError` naming the ids for a duplicate id or a cycle.
    """
    by_id: dict[str, Node] = {}
    for node in nodes:
        if node.id in by_id:
            raise ViewError(f"two entries have the id {node.id!r}", (node.id,))
        by_id[node.id] = node
    for node in list(by_id.values()):
        parent = node.parent_id
        if parent is not None and parent not in by_id:
            by_id[parent] = Node(parent, None, MISSING, {"type": MISSING})
    children: dict[str, list[str]] = {}
    roots: list[str] = []
    for node in by_id.values():
        if node.parent_id is None:
            roots.append(node.id)
        else:
            children.setdefault(node.parent_id, []).append(node.id)
    order: list[str] = []
    waiting = roots[::-1]
    while waiting:
        at = waiting.pop()
        order.append(at)
        waiting.extend(reversed(children.get(at, ())))
    if len(order) < len(by_id):
        ids = _cycle(by_id, set(order))
        raise ViewError(f"these entries are each other's parents: {', '.join(ids)}", ids)
    return Forest(by_id, children, roots, order)


def _cycle(nodes: dict[str, Node], reached: set[str]) -> tuple[str, ...]:
    """The ids of one cycle, in file order."""
    at = next(node_id for node_id in nodes if node_id not in reached)
    seen: dict[str, int] = {}
    while at not in seen:
        seen[at] = len(seen)
        at = nodes[at].parent_id or at
    ring = {node_id for node_id, step in seen.items() if step >= seen[at]}
    return tuple(node_id for node_id in nodes if node_id in ring)
