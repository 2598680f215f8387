"""The tree that entries form by their parent ids. Loops only: a chat is one long chain."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from coursekit.view.facts import ViewError, place_of

MISSING = "missing"
"""Type of the stand-in for a parent that the session does not hold."""


@dataclass(frozen=True)
class Forest:
    """Entries and parents by id, each id's children in file order, all ids parents first.

    `order` is file order where the file has parents first, as an append-only file does.
    `labels` and `compactions` are the ids of the entries of these types, in file order.
    """

    entries: dict[str, object]
    parents: dict[str, str | None]
    children: dict[str, list[str]]
    roots: list[str]
    order: list[str]
    labels: list[str]
    compactions: frozenset[str]

    def path(self, leaf_id: str | None) -> list[str]:
        """Ids from the root to `leaf_id`; empty for None. Raises `ViewError` if it is unknown."""
        if leaf_id is None:
            return []
        if leaf_id not in self.parents:
            raise ViewError(
                f"leaf {leaf_id!r} is not in this session; draw it without a leaf to see its ids",
                (leaf_id,),
            )
        path: list[str] = []
        at: str | None = leaf_id
        while at is not None:
            path.append(at)
            at = self.parents[at]
        path.reverse()
        return path


def forest_of(sources: Iterable[object]) -> Forest:
    """Build the forest of these entries. A missing parent gets a stand-in of type `missing`.

    Raises `ViewError` for an entry without id or type, and naming the ids for a
    duplicate id or a cycle.
    """
    entries: dict[str, object] = {}
    parents: dict[str, str | None] = {}
    children: dict[str, list[str]] = {}
    roots: list[str] = []
    labels: list[str] = []
    compactions: list[str] = []
    appended = True
    for index, entry in enumerate(sources):
        if type(entry) is dict:
            # JSON entries come by the ten thousand: their good case is read in place.
            entry_id, parent, kind = entry.get("id"), entry.get("parentId"), entry.get("type")
            if not (type(entry_id) is type(parent) is type(kind) is str and entry_id):
                entry_id, parent, kind = place_of(entry, index)
        else:
            entry_id, parent, kind = place_of(entry, index)
        if entry_id in parents:
            raise ViewError(f"two entries have the id {entry_id!r}", (entry_id,))
        if parent is None:
            roots.append(entry_id)
        elif parent in children:
            children[parent].append(entry_id)
        else:
            children[parent] = [entry_id]
            appended = appended and parent in parents
        entries[entry_id] = entry
        parents[entry_id] = parent
        if kind == "label":
            labels.append(entry_id)
        elif kind == "compaction":
            compactions.append(entry_id)
    for parent in children:
        if parent not in parents:
            entries[parent] = {"type": MISSING, "id": parent}
            parents[parent] = None
            roots.append(parent)
    order = list(parents) if appended else _parents_first(parents, children, roots)
    return Forest(entries, parents, children, roots, order, labels, frozenset(compactions))


def _parents_first(
    parents: dict[str, str | None], children: dict[str, list[str]], roots: list[str]
) -> list[str]:
    order: list[str] = []
    stack = roots[::-1]
    while stack:
        at = stack.pop()
        order.append(at)
        stack.extend(reversed(children.get(at, ())))
    if len(order) < len(parents):
        ids = _cycle(parents, set(order))
        raise ViewError(f"these entries are each other's parents: {', '.join(ids)}", ids)
    return order


def _cycle(parents: dict[str, str | None], reached: set[str]) -> tuple[str, ...]:
    """The ids of one cycle, in file order."""
    at = next(entry_id for entry_id in parents if entry_id not in reached)
    seen: dict[str, int] = {}
    while at not in seen:
        seen[at] = len(seen)
        at = parents[at] or at
    ring = {entry_id for entry_id, step in seen.items() if step >= seen[at]}
    return tuple(entry_id for entry_id in parents if entry_id in ring)
