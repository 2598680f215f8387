"""What a context costs, as a picture, as rows and as text."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coursekit.pi import CompactionSettings, SessionManager, estimate_tokens, prepare_compaction
from coursekit.view import token_curve, token_table
from coursekit.view.curve import Cost, TokenCurve, costs_of, gathered

DATA = Path(__file__).resolve().parents[2] / "data" / "pi"


def session(name: str) -> SessionManager:
    return SessionManager.open(DATA / f"{name}.jsonl")


@pytest.mark.parametrize("name", sorted(path.stem for path in DATA.glob("*.jsonl")))
def test_the_costs_are_those_of_the_context_message_by_message(name: str) -> None:
    opened = session(name)
    messages = opened.build_session_context().messages
    assert token_curve(opened).total == sum(map(estimate_tokens, messages))
    table = token_table(opened)
    assert list(table["tokens"].cumsum()) == list(table["running"])
    seen = [each.source_entry.id for each in opened.build_session_projection().entries
            if each.messages]  # fmt: skip
    assert list(table["entry"]) == seen


def test_a_plan_names_the_part_of_every_entry() -> None:
    opened = session("long-turn")
    plan = prepare_compaction(opened.get_branch(), CompactionSettings(keep_recent_tokens=400))
    parts = [cost.part for cost in costs_of(opened, plan)]
    # The system message, two messages and two of a tool; then question, edit and read with
    # their results; what follows the read result is kept.
    assert parts == ["summarised"] * 5 + ["turn prefix"] * 5 + ["kept"] * 6
    assert list(token_table(opened, plan)["part"]) == parts


def test_an_earlier_summary_is_carried_on() -> None:
    opened = session("compacted")
    plan = prepare_compaction(opened.get_branch(), CompactionSettings(keep_recent_tokens=1))
    assert costs_of(opened, plan)[0].part == "carried on"


COSTS = st.lists(
    st.builds(
        Cost,
        entry_id=st.text(min_size=1, max_size=12),
        role=st.sampled_from(["user", "assistant", "toolResult", "<&>", "用户"]),
        text=st.just(""),
        tokens=st.integers(0, 100_000),
    ),
    max_size=300,
)


@given(COSTS, st.integers(1, 120))
def test_gathering_loses_nothing_and_keeps_the_order(costs: list[Cost], most: int) -> None:
    columns = gathered(costs, most)
    assert [cost for column in columns for cost in column.costs] == costs
    assert len(columns) <= most
    sums = [column.running for column in columns]
    assert sums == sorted(sums)
    assert not costs or sums[-1] == sum(cost.tokens for cost in costs)


@given(COSTS, st.none() | st.integers(0, 1_000_000))
def test_the_drawing_is_stable_and_well_formed(costs: list[Cost], limit: int | None) -> None:
    curve = TokenCurve(costs, limit)
    svg = curve.svg()
    assert svg == TokenCurve(costs, limit).svg()
    root = ElementTree.fromstring(svg)
    assert [child.tag.rpartition("}")[2] for child in root[:2]] == ["title", "desc"]
    highest = float(root.get("height", "0"))
    for rect in root.iter("{http://www.w3.org/2000/svg}rect"):
        top, tall = float(rect.get("y", "")), float(rect.get("height", ""))
        assert top >= 0
        assert tall >= 0
        assert top + tall <= highest


@given(COSTS)
def test_the_text_fits_a_terminal_and_is_short(costs: list[Cost]) -> None:
    lines = TokenCurve(costs, None).text.splitlines()
    assert len(lines) <= 33
    assert all(len(line) <= 80 for line in lines)


def test_an_empty_session_has_an_empty_curve() -> None:
    curve = token_curve(SessionManager.in_memory("/home/learner"))
    assert curve.text == "0 entries in the context, about 0 tokens"
    assert "<svg" in curve.svg()
