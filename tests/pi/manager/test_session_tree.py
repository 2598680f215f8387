"""The leaf: where it goes, and that moving it writes nothing."""

from __future__ import annotations

from pathlib import Path

from coursekit.pi import (
    SessionManager,
)
from tests.pi.cases import ANSWER, USER, file_of


def test_going_back_and_appending_makes_a_branch(manager: SessionManager) -> None:
    root = manager.append_message(USER)
    a = manager.append_message(ANSWER)
    manager.branch(root)
    b = manager.append_message(ANSWER)
    assert [entry.id for entry in manager.get_branch()] == [root, b]
    assert [entry.id for entry in manager.get_branch(a)] == [root, a]
    (tree,) = manager.get_tree()
    assert [node.entry.id for node in tree.children] == [a, b]


def test_moving_the_leaf_alone_writes_nothing(tmp_path: Path) -> None:
    manager = SessionManager.create("/w", tmp_path)
    root = manager.append_message(USER)
    a = manager.append_message(ANSWER)
    before = file_of(manager).read_bytes()
    manager.branch(root)
    assert file_of(manager).read_bytes() == before
    again = SessionManager.open(file_of(manager))
    assert again.get_leaf_id() == a  # the last line, whatever the leaf was
    again.branch(root)
    b = again.append_message(ANSWER)
    assert SessionManager.open(file_of(manager)).get_leaf_id() == b


def test_a_reset_leaf_makes_a_new_root(manager: SessionManager) -> None:
    manager.append_message(USER)
    manager.reset_leaf()
    assert manager.get_branch() == []
    manager.append_message(USER)
    assert len(manager.get_tree()) == 2
