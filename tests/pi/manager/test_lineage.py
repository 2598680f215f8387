"""Parents and children: every entry once, cycles by name, no depth too deep."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from coursekit.pi import (
    CycleError,
    SessionManager,
)
from tests.pi import cases
from tests.pi.generate import SessionMaker
from tests.pi.strategies import sessions


def test_named_difference_a_cycle_ends_with_its_ids(tmp_path: Path) -> None:
    manager = SessionManager.open(cases.write(tmp_path / "case.jsonl", cases.PARENT_CYCLE))
    for walk in (manager.get_branch, manager.get_tree, manager.build_session_projection):
        with pytest.raises(CycleError, match="u1") as raised:
            walk()
        assert set(raised.value.ids) == {"u1", "u2"}
    manager = SessionManager.in_memory(entries=[cases.user("self", "self")])
    with pytest.raises(CycleError, match="self -> self"):
        manager.get_branch()


def test_a_long_cycle_ends_too(tmp_path: Path) -> None:
    path = cases.write_chain(tmp_path / "case.jsonl", 100_000, parent_of_first="e99999")
    manager = SessionManager.open(path)
    for walk in (manager.get_branch, manager.get_tree):
        with pytest.raises(CycleError, match="100000 entries") as raised:
            walk()
        assert len(raised.value.ids) == 100_000


def test_a_chain_of_a_hundred_thousand_is_no_trouble(tmp_path: Path) -> None:
    path = cases.write_chain(tmp_path / "long.jsonl", 100_000, parent_of_first=None)
    manager = SessionManager.open(path)
    assert len(manager.get_branch()) == 100_000
    assert len(manager.build_session_projection().entries) == 100_000
    assert len(manager.get_tree()) == 1
    manager.create_branched_session("e99999")
    assert manager.get_entry_count() == 100_000


@given(sessions)
def test_a_tree_holds_every_entry_once_below_its_parent(maker: SessionMaker) -> None:
    manager = SessionManager.in_memory("/w", entries=maker.lines)
    seen: list[str] = []
    stack = manager.get_tree()
    while stack:
        node = stack.pop()
        seen.append(node.entry.id)
        assert node.label == manager.get_label(node.entry.id)
        assert all(child.entry.parent_id == node.entry.id for child in node.children)
        stack.extend(node.children)
    assert sorted(seen) == sorted(maker.ids)
