"""Where the cut falls."""

from __future__ import annotations

from typing import Any

import pytest

from tests.pi.compaction.script import Script, two_turns


@pytest.mark.parametrize(
    ("keep", "expected"),
    [
        (1, ("u1 a1", "u2", "a2")),  # the newest entry reaches the target alone
        (10, ("u1 a1", "u2", "a2")),  # reached exactly
        (11, ("u1 a1", "", "u2 a2")),
        (20, ("u1 a1", "", "u2 a2")),
        (21, ("", "u1", "a1 u2 a2")),
        (31, None),  # reached at the first entry, so nothing lies before it
        (1_000, None),
    ],
)
def test_the_cut_comes_from_the_newest_backwards(keep: int, expected: Any) -> None:
    assert two_turns().split(keep) == expected


def test_a_cut_is_never_at_a_tool_result() -> None:
    script = Script().user("u1", 5).call("c1", 5).result("r1", 50).answer("a1", 5)
    # The target is reached at r1; the next entry that may be cut at is a1.
    assert script.split(20) == ("", "u1 c1 r1", "a1")
    plan = script.plan(20)
    assert plan is not None
    assert plan.cut.reason == "target"


def test_results_at_the_end_that_reach_the_target_alone_keep_their_call() -> None:
    script = Script().user("u1", 5).call("c1", 5).result("r1", 50).result("r2", 50)
    assert script.split(20) == ("", "u1", "c1 r1 r2")
    plan = script.plan(20)
    assert plan is not None
    assert plan.cut.reason == "last_allowed"
    assert "the call that they answer" in plan.explain()


def test_entries_that_the_model_does_not_see_go_with_what_follows() -> None:
    script = Script().user("u1", 9).answer("a1", 9).label("l1").label("l2").user("u2", 9)
    # Pi asks the first kept entry whether a turn begins there. A label says no, so the turn before
    # it passes for the beginning of a split turn, though the cut is between two turns.
    assert script.split(5) == ("", "u1 a1", "l1 l2 u2")


def test_such_entries_are_not_taken_across_a_compaction() -> None:
    script = Script().user("u0", 9).compaction("k0", "u0").label("l1").user("u1", 9)
    script.answer("a1", 9).compaction("k1", "u0").user("u2", 9)
    # The older compaction lies in what the newer one kept.
    assert script.split(25) == ("", "u0 k0", "l1 u1 a1 u2")


def test_a_failed_answer_that_was_omitted_moves_the_cut_behind_the_question() -> None:
    script = two_turns().user("u3", 50).answer("a3", 5).edit("e", "a3")
    assert script.split(20) == ("u1 a1 u2 a2", "u3", "a3 e")
    plan = script.plan(20)
    assert plan is not None
    assert plan.cut.reason == "failed_attempt"


def test_an_omitted_answer_with_something_visible_after_it_moves_no_cut() -> None:
    script = two_turns().user("u3", 50).answer("a3", 5).edit("e", "a3").user("u4", 5)
    assert script.split(55) == ("u1 a1 u2 a2", "", "u3 a3 e u4")


def test_metadata_after_a_question_does_not_move_the_cut_behind_it() -> None:
    script = two_turns().user("u3", 50).label("l")
    assert script.split(20) == ("u1 a1 u2 a2", "", "u3 l")


def test_an_edit_of_something_else_closes_no_recovery() -> None:
    script = two_turns().user("u3", 50).answer("a3", 5).edit("e", "a3")
    script.edit("e2", "u3", {"content": "y" * 400})
    assert script.split(20) == ("u1 a1 u2 a2", "", "u3 a3 e e2")
