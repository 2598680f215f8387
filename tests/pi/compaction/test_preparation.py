"""A plan: what goes into which summary, and when there is nothing to do."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from coursekit.pi import CompactionSettings, SessionManager
from coursekit.pi import prepare_compaction as prepare
from coursekit.pi.compaction.cut_point import may_cut_before
from tests.pi import cases
from tests.pi.compaction.script import Script, two_turns
from tests.pi.generate_turns import TurnMaker


def test_why_there_is_nothing_to_do() -> None:
    assert Script().plan(0) is None
    assert Script().user("u1", 10).plan(1) is None
    assert two_turns().compaction("k", "u2").plan(1) is None


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


def test_an_edited_message_counts_and_is_summarised_as_edited() -> None:
    script = two_turns().edit("e", "a2", {"content": "y" * 4_000})
    assert script.split(900) == ("u1 a1", "u2", "a2 e")
    script = two_turns().edit("e", "u1", {"content": "short"})
    plan = script.plan(15)
    assert plan is not None
    assert plan.messages_to_summarize[0]["content"] == "short"


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
