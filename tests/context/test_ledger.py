"""The ledger: what the budget did with each group, by the rule of `build_context`."""

import copy
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coursekit.context import (
    BudgetError,
    LedgerRow,
    build_context,
    group_interactions,
    ledger,
)
from coursekit.session import Message, ToolResultMessage, parse_session_entry
from coursekit.transcripts import Json
from tests.builders import little_stack, opening, parsed, tool_turns, user
from tests.independence import share_nothing, wreck
from tests.strategies import sessions

GROUPS = group_interactions(parsed(*opening()))
THIRD = ["u3", "calls", "r-test", "r-read", "a3"]


def cost(value: str | Message) -> float:
    """A user message 3, an answer in text 4, else 3: the opening's costs but for a3."""
    assert not isinstance(value, str)
    return 4 if value.role == "assistant" and value.stop_reason == "stop" else 3


@pytest.mark.parametrize(
    ("available", "statuses"),
    [
        (30, ["kept", "kept", "kept"]),
        (29, ["trimmed", "kept", "kept"]),
        (23, ["trimmed", "kept", "kept"]),
        (22, ["trimmed", "trimmed", "kept"]),
        (16, ["trimmed", "trimmed", "kept"]),
        (15, ["trimmed", "trimmed", "overflow"]),
        (0, ["trimmed", "trimmed", "overflow"]),
    ],
)
def test_the_opening_transcript(available: int, statuses: list[str]) -> None:
    # 3 + 4, 3 + 4, and 3 + 3 + 3 + 3 + 4.
    rows = ledger(GROUPS, available_for_messages=available, estimate_tokens=cost)
    assert [row.entry_ids for row in rows] == [["u1", "a1"], ["u2", "a2"], THIRD]
    assert [row.cost for row in rows] == [7, 7, 16]
    assert [row.status for row in rows] == statuses


def test_one_group_without_tools() -> None:
    rows = ledger(GROUPS[:1], available_for_messages=7, estimate_tokens=cost)
    assert rows == [LedgerRow(["u1", "a1"], 7, "kept")]
    rows = ledger(GROUPS[:1], available_for_messages=6, estimate_tokens=cost)
    assert rows == [LedgerRow(["u1", "a1"], 7, "overflow")]


def test_no_groups_no_rows() -> None:
    assert ledger([], available_for_messages=0, estimate_tokens=cost) == []


def test_a_small_old_group_behind_one_that_does_not_fit_is_trimmed() -> None:
    groups = group_interactions(parsed(user("small"), user("large"), user("new")))
    costs = {"small": 1.0, "large": 9.0, "new": 1.0}
    assert len(groups) == 3
    for group in groups:
        group.entries[0].message.timestamp = costs[group.entries[0].id]

    def timestamp(value: str | Message) -> float:
        assert not isinstance(value, str)
        return value.timestamp

    rows = ledger(groups, available_for_messages=5, estimate_tokens=timestamp)
    assert [row.status for row in rows] == ["trimmed", "trimmed", "kept"]


@given(sessions(max_interactions=6, compactions=False), st.integers(0, 60))
def test_it_says_what_build_context_does(session: list[Json], available: int) -> None:
    path = [parse_session_entry(entry) for entry in session]
    groups = group_interactions(path)

    def estimate(value: str | Message) -> float:
        assert not isinstance(value, str)
        return len(value.content) * 2.5

    rows = ledger(groups, available_for_messages=available, estimate_tokens=estimate)
    context = build_context(
        path,
        max_tokens=available,
        reserved_output=0,
        safety_margin=0,
        estimate_tokens=estimate,
    )
    assert [row.entry_ids for row in rows] == [[e.id for e in g.entries] for g in groups]
    kept = [row for row in rows if row.status != "trimmed"]
    assert [each for row in kept for each in row.entry_ids] == context.kept_entry_ids
    assert sum(row.cost for row in kept) == context.tokens.messages
    overflow = context.reason == "single_group_overflow"
    assert ("overflow" in [row.status for row in rows]) == overflow
    assert (len(kept) == len(rows)) == (context.reason == "within_budget" or len(rows) == 1)


@given(sessions(max_interactions=3))
def test_it_only_reads_and_hands_out_copies(session: list[Json]) -> None:
    groups = group_interactions([parse_session_entry(entry) for entry in session])
    kept = copy.deepcopy(groups)
    asked: list[str | Message] = []

    def wrecking(value: str | Message) -> float:
        asked.append(value)
        wreck(value)
        return 1

    rows = ledger(groups, available_for_messages=3, estimate_tokens=wrecking)
    assert groups == kept
    assert share_nothing(rows, groups)
    assert share_nothing(asked, groups)
    again = ledger(groups, available_for_messages=3, estimate_tokens=lambda value: 1)
    assert again == rows
    wreck(rows)
    assert groups == kept
    assert again == ledger(groups, available_for_messages=3, estimate_tokens=lambda value: 1)


@pytest.mark.parametrize("amount", [-1, math.nan, math.inf, True, None, "3", 10**400])
def test_bad_amounts_are_refused_as_by_build_context(amount: float) -> None:
    with pytest.raises(BudgetError, match="available_for_messages"):
        ledger(GROUPS, available_for_messages=amount, estimate_tokens=cost)
    with pytest.raises(BudgetError) as caught:
        ledger(
            GROUPS,
            available_for_messages=0,
            estimate_tokens=lambda m: amount if isinstance(m, ToolResultMessage) else 1,
        )
    assert caught.value.source in ("r-test", "r-read")


def test_an_estimators_error_is_chained() -> None:
    problem = RuntimeError("no")

    def failing(value: str | Message) -> float:
        raise problem

    with pytest.raises(BudgetError, match=r"RuntimeError: no") as caught:
        ledger(GROUPS[:1], available_for_messages=0, estimate_tokens=failing)
    assert caught.value.__cause__ is problem
    assert caught.value.source in ("u1", "a1")


def test_five_thousand_groups() -> None:
    groups = group_interactions([parse_session_entry(entry) for entry in tool_turns(5000)])
    with little_stack():
        rows = ledger(groups, available_for_messages=402, estimate_tokens=lambda value: 1)
    assert [row.status for row in rows] == ["trimmed"] * 4900 + ["kept"] * 100
