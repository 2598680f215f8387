"""Moves without a screen: each is made by one call, which it names."""

from __future__ import annotations

import pytest

from coursekit.view.moves import Moves
from tests.view.drawn_sessions import leaf_exercise, stamped


def test_each_move_names_its_call() -> None:
    moves = Moves(stamped(leaf_exercise()))
    moves.tree("B")
    moves.append("assistant", "x")
    moves.compact("A", "so far")
    moves.reset()
    assert [step.call.partition("(")[0] for step in moves.steps] == [
        "SessionManager.in_memory",
        "session.branch",
        "session.append_message",
        "session.append_compaction",
        "session.reset_leaf",
    ]
    with pytest.raises(ValueError, match="'nope'"):
        moves.tree("nope")
