"""What there is to show of a session at one moment: its tree, its leaf, its context."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Literal, TypeAlias

from coursekit.view.facts import ViewError, entries_of, facts_of, field, place_of
from coursekit.view.forest import Forest, forest_of
from coursekit.view.text_width import shown_id

Region: TypeAlias = Literal["context", "summarised"]


class Leaf(Enum):
    """`CURRENT`: the session's own leaf, or the newest entry where there is only a list."""

    CURRENT = "current"


@dataclass(frozen=True)
class Scene:
    """A tree with one leaf chosen.

    `path` runs from the root to the leaf. `labels` holds the labels that stand.
    `checkpoint` is the newest compaction on the path and `first_kept_id` what it
    keeps from. `regions` says of entries on the path whether the model sees them
    (`context`, only when a projection is known) or a summary speaks for them.
    """

    forest: Forest
    leaf_id: str | None
    path: list[str]
    on_path: frozenset[str]
    labels: dict[str, str]
    checkpoint: str | None
    first_kept_id: str | None
    regions: dict[str, Region]

    def describe(self) -> str:
        """One sentence: how many entries, which leaf, what the model sees."""
        total = len(self.forest.parents)
        if total == 0:
            return "Empty session, no leaf."
        words = [_count(total, "entry", "entries")]
        words.append("no leaf" if self.leaf_id is None else f"leaf {shown_id(self.leaf_id, 40)}")
        words.append(f"{len(self.path)} on the active path")
        seen = sum(1 for region in self.regions.values() if region == "context")
        if seen:
            words.append(f"{seen} in the context")
        return ", ".join(words) + "."


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def scene_of(
    session: object, *, leaf: str | Leaf | None = Leaf.CURRENT, projection: object = None
) -> Scene:
    """Read a session as it stands now.

    `leaf` is an entry id, or None for "before the first entry". `projection` is
    what the model sees: a result with `kept_entry_ids`, or entries, or their ids;
    without it, a session that has `build_context_entries` is asked.
    Raises `ViewError` for a duplicate id, a cycle, or an unknown leaf or id.
    """
    entries = entries_of(session)
    forest = forest_of(entries)
    leaf_id = _leaf(session, entries) if isinstance(leaf, Leaf) else leaf
    path = forest.path(leaf_id)
    checkpoint = next((each for each in reversed(path) if each in forest.compactions), None)
    first_kept = facts_of(forest.entries[checkpoint]).first_kept_id if checkpoint else None
    if projection is None and isinstance(leaf, Leaf):
        projection = _own_context(session)
    seen = _seen(projection, forest)
    if checkpoint is not None and projection is not None:
        seen.add(checkpoint)
    return Scene(
        forest=forest,
        leaf_id=leaf_id,
        path=path,
        on_path=frozenset(path),
        labels=_labels(forest),
        checkpoint=checkpoint,
        first_kept_id=first_kept,
        regions=_regions(path, seen, first_kept),
    )


def _leaf(session: object, entries: list[object]) -> str | None:
    ask = getattr(session, "get_leaf_id", None)
    if callable(ask):
        found = ask()
        return found if isinstance(found, str) else None
    return place_of(entries[-1])[0] if entries else None


SILENT = frozenset(
    {
        "context_edit",
        "custom",
        "label",
        "model_change",
        "session_info",
        "thinking_level_change",
        "usage",
    }
)
"""Pi's entry types that hold no message for the model (Pi 1.6.0 session format)."""


def _own_context(session: object) -> list[object] | None:
    """The context entries of a Pi session that the model sees something of, edits applied."""
    ask = getattr(session, "build_context_entries", None)
    if not callable(ask):
        return None
    entries = list(ask())
    edits = [facts_of(entry) for entry in entries if field(entry, "type") == "context_edit"]
    hidden = {edit.target_id: edit.hides for edit in edits}
    return [
        entry
        for entry in entries
        if field(entry, "type") not in SILENT and not hidden.get(place_of(entry)[0])
    ]


def _labels(forest: Forest) -> dict[str, str]:
    labels: dict[str, str] = {}
    for each in forest.labels:
        facts = facts_of(forest.entries[each])
        if facts.target_id is not None:
            labels.pop(facts.target_id, None)
            if facts.label:
                labels[facts.target_id] = facts.label
    return labels


def _seen(projection: object, forest: Forest) -> set[str]:
    if projection is None:
        return set()
    kept = field(projection, "kept_entry_ids", projection)
    if not isinstance(kept, Iterable) or isinstance(kept, (str, bytes)):
        raise TypeError(
            "projection: a result with kept_entry_ids, or entries, or their ids is needed, "
            f"not {type(projection).__name__}"
        )
    ids = [each if isinstance(each, str) else str(field(each, "id")) for each in kept]
    unknown = tuple(each for each in ids if each not in forest.parents)
    if unknown:
        raise ViewError(
            f"projection names entries that this session does not hold: {', '.join(unknown)}",
            unknown,
        )
    return set(ids)


def _regions(path: list[str], seen: set[str], first_kept: str | None) -> dict[str, Region]:
    regions: dict[str, Region] = {}
    summarised = first_kept is not None and first_kept in path
    for each in path:
        if each == first_kept:
            summarised = False
        if each in seen:
            regions[each] = "context"
        elif summarised:
            regions[each] = "summarised"
    return regions
