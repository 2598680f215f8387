"""Planning: where the cut falls, what goes into which summary, and when there is nothing to do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coursekit.pi import CompactionSettings, SessionManager
from coursekit.pi import prepare_compaction as prepare
from coursekit.pi.compaction.cut_point import may_cut_before
from tests.pi import cases
from tests.pi.compaction.script import Script, two_turns
from tests.pi.generate_turns import TurnMaker


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


def test_why_there_is_nothing_to_do() -> None:
    assert Script().plan(0) is None
    assert Script().user("u1", 10).plan(1) is None
    assert two_turns().compaction("k", "u2").plan(1) is None


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


def test_a_split_turn_has_its_beginning_summarised_apart() -> None:
    script = two_turns().user("u3", 5).call("c1", 5).result("r1", 5).call("c2", 5).result("r2", 30)
    plan = script.plan(33)
    assert plan is not None
    assert script.split(33) == ("u1 a1 u2 a2", "u3 c1 r1", "c2 r2")
    assert plan.is_split_turn
    assert [m["role"] for m in plan.turn_prefix_messages] == ["user", "assistant", "toolResult"]
    assert len(plan.messages_to_summarize) == 4


def test_the_next_plan_carries_the_summary_on_and_starts_from_what_was_kept() -> None:
    script = two_turns().compaction("k", "u2").user("u3", 10).answer("a3", 10)
    plan = script.plan(15)
    assert plan is not None
    assert script.split(15) == ("u2 a2", "", "u3 a3")
    assert plan.previous_summary == "S-k"
    assert plan.tokens_before == 1 + 40  # S-k is one token


def test_kept_then_compacted_again(tmp_path: Path) -> None:
    """Everything active is summarised or kept, once."""
    path = cases.write(tmp_path / "case.jsonl", cases.CASES["kept-then-compacted-again"])
    manager = SessionManager.open(path)
    plan = prepare(manager.get_branch(), CompactionSettings(keep_recent_tokens=2))
    assert plan is not None
    assert plan.previous_summary == "S"
    assert [entry.source_entry.id for entry in plan.summarized] == ["u2", "a2"]
    assert [entry.source_entry.id for entry in plan.kept] == ["u3", "a3"]
    assert [m["role"] for m in plan.messages_to_summarize] == ["user", "assistant"]


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


def test_an_edited_message_counts_and_is_summarised_as_edited() -> None:
    script = two_turns().edit("e", "a2", {"content": "y" * 4_000})
    assert script.split(900) == ("u1 a1", "u2", "a2 e")
    script = two_turns().edit("e", "u1", {"content": "short"})
    plan = script.plan(15)
    assert plan is not None
    assert plan.messages_to_summarize[0]["content"] == "short"


def test_files_are_collected_from_calls_and_from_the_compaction_before() -> None:
    script = Script().user("u1", 5).call("c0", 1, "write", "gone.py").answer("a0", 5)
    details = {"readFiles": ["old.py"], "modifiedFiles": ["b.py"]}
    script.compaction("k", "a0", details=details)
    script.call("c1", 1, "read", "a.py").call("c2", 1, "read", "b.py").call("c3", 1, "edit", "c.py")
    script.call("c4", 1, "bash", "no.py").user("u2", 9).call("c5", 9, "read", "kept.py")
    plan = script.plan(15)
    assert plan is not None
    assert plan.file_ops.read_files == ["a.py", "old.py"]  # b.py was changed, so it isn't only read
    assert plan.file_ops.modified_files == ["b.py", "c.py"]
    assert plan.file_ops.as_text().startswith(
        "\n\n<read-files>\na.py\nold.py\n</read-files>\n\n<mod"
    )


def test_files_of_an_extensions_compaction_are_not_taken_over() -> None:
    script = Script().user("u1", 5)
    script.compaction("k", "u1", details={"readFiles": ["old.py"]}, from_hook=True)
    plan = script.answer("a1", 5).user("u2", 9).plan(5)
    assert plan is not None
    assert plan.file_ops.read_files == []


def test_a_plan_explains_itself() -> None:
    script = two_turns().user("u3", 5).call("c1", 5).result("r1", 30)
    plan = script.plan(33)
    assert plan is not None
    text = plan.explain()
    for part in (
        script.id("u1"),
        script.id("a2"),
        script.id("u3"),
        script.id("c1"),
        "target of 33",
    ):
        assert part in text
    assert max(map(len, text.splitlines())) <= 80


@given(st.integers(0, 10_000), st.integers(0, 2_000))
@settings(max_examples=150, deadline=None)
def test_what_every_plan_keeps_to(seed: int, keep: int) -> None:
    maker = TurnMaker(seed)
    manager = SessionManager.in_memory("/w", entries=maker.lines)
    manager.branch(maker.leaf())
    before = [entry.line() for entry in manager.get_entries()]
    plan = prepare(manager.get_branch(), CompactionSettings(keep_recent_tokens=keep))
    assert [entry.line() for entry in manager.get_entries()] == before
    if plan is None:
        return
    projected = manager.build_session_projection().entries
    parts = [*plan.summarized, *plan.turn_prefix, *plan.kept]
    start = 1 if plan.previous_compaction is not None else 0
    # Every entry of the context is in one of the three, once, in order.
    assert [e.source_entry.id for e in parts] == [e.source_entry.id for e in projected[start:]]
    assert plan.messages_to_summarize or plan.turn_prefix_messages
    # What the model will see first is nothing that needs an entry before it, unless the target
    # was reached where no cut is allowed.
    visible = [entry for entry in plan.kept if entry.messages]
    if visible and plan.cut.reason != "nowhere":
        assert may_cut_before(visible[0]) or plan.cut.reason == "failed_attempt"
    if plan.turn_prefix:
        assert plan.is_split_turn
