"""The entries of one session in memory: the tree, its labels, its leaf, and every look at them."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from coursekit.pi.errors import EntryNotFoundError, PiSessionError
from coursekit.pi.files.entries import Entry
from coursekit.pi.javascript import is_truthy, trim
from coursekit.pi.manager.lineage import TreeNode, build_tree, path_to
from coursekit.pi.projection import (
    SessionContext,
    SessionProjection,
    build_context_entries,
    build_session_projection,
)


class SessionTree:
    """A tree of entries and the leaf that the next one hangs on.

    Pi 1.6.0 has one class, SessionManager. Here are two, one above the other, so that a reader of
    this one can be sure that nothing in it writes: it holds the looks and the leaf moves, which
    need memory alone. `SessionManager` is such a tree, with appends and the file behind them.
    """

    def __init__(self) -> None:
        self._by_id: dict[str, Entry] = {}
        self._labels: dict[str, Entry] = {}
        self._leaf_id: str | None = None
        self.write_guard: Callable[[], None] | None = None
        """Asked before every append and leaf move; raises to refuse it. For a session's owner."""

    def get_entries(self) -> list[Entry]:
        """Every entry in the order of the file, all branches."""
        return [*self._by_id.values()]

    def get_entry_count(self) -> int:
        """How many entries there are, on all branches."""
        return len(self._by_id)

    def get_entry(self, entry_id: str) -> Entry | None:
        """The entry of this id; None if there is none."""
        return self._by_id.get(entry_id)

    def get_leaf_id(self) -> str | None:
        """The entry that the next append hangs on; None before the first one."""
        return self._leaf_id

    def get_leaf_entry(self) -> Entry | None:
        """The entry that the next append hangs on; None before the first one."""
        return self._by_id.get(self._leaf_id) if self._leaf_id else None

    def get_children(self, parent_id: str) -> list[Entry]:
        """The entries that name this one as their parent, oldest first."""
        return [entry for entry in self._by_id.values() if entry.parent_id == parent_id]

    def get_label(self, entry_id: str) -> str | None:
        """The label that an entry has now; None if it has none."""
        label = self._labels.get(entry_id)
        # Text where Pi wrote the file; another value is passed on, as in Pi.
        return cast("str", label.get("label")) if label else None

    def get_session_name(self) -> str | None:
        """The name that was set last, on whichever branch; None when it was cleared."""
        for entry in reversed(self._by_id.values()):
            if entry.type == "session_info":
                name = entry.get("name")
                if name is not None and not isinstance(name, str):
                    raise PiSessionError(f"session_info entry {entry.id}: the name is no text")
                return trim(name or "") or None
        return None

    def get_branch(self, from_id: str | None = None) -> list[Entry]:
        """The path to the leaf or to `from_id`, root first. Raises CycleError."""
        return path_to(self._by_id, self._leaf_id if from_id is None else from_id)

    def get_tree(self) -> list[TreeNode]:
        """Every entry as a node with its children and label. Raises CycleError."""
        return build_tree(self._by_id, self._labels)

    def build_context_entries(self) -> list[Entry]:
        """The entries of the active path that count: see `projection.build_context_entries`."""
        return build_context_entries(self.get_branch())

    def build_session_projection(self) -> SessionProjection:
        """What the model sees, each message beside the entry it came from."""
        return build_session_projection(self.get_branch())

    def build_session_context(self) -> SessionContext:
        """What the model is called with: messages, thinking level, model."""
        projection = self.build_session_projection()
        return SessionContext(projection.messages, projection.thinking_level, projection.model)

    def branch(self, entry_id: str) -> None:
        """Move the leaf to an earlier entry. Nothing is written until the next append."""
        self._ask_guard()
        self._leaf_id = self._require(entry_id).id

    def reset_leaf(self) -> None:
        """Move the leaf before the first entry; the next append makes a new root."""
        self._ask_guard()
        self._leaf_id = None

    # Inside

    def _ask_guard(self) -> None:
        if self.write_guard is not None:
            self.write_guard()

    def _add(self, entry: Entry) -> None:
        """Take an entry that the file holds into memory."""
        self._by_id[entry.id] = entry
        self._leaf_id = entry.id
        if entry.type == "label":
            self._take_label(entry)

    def _load(self, by_id: dict[str, Entry]) -> None:
        """Take the place of what was here; the leaf is the last entry."""
        self._by_id, self._labels = by_id, {}
        self._leaf_id = next(reversed(by_id), None)
        for entry in by_id.values():
            if entry.type == "label":
                self._take_label(entry)

    def _take_label(self, entry: Entry) -> None:
        value = entry.to_json()
        target_id = value.get("targetId")
        if not isinstance(target_id, str):
            return
        if is_truthy(value.get("label")):
            self._labels[target_id] = entry
        else:
            self._labels.pop(target_id, None)

    def _require(self, entry_id: str) -> Entry:
        entry = self._by_id.get(entry_id)
        if entry is None:
            raise EntryNotFoundError(entry_id)
        return entry

    def _require_on_path(self, entry_id: str) -> None:
        if self._require(entry_id) not in self.get_branch():
            raise PiSessionError(f"Entry {entry_id} is not on the active branch")
