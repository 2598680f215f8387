"""Tables: what they hold, and their dtypes."""

from __future__ import annotations

from typing import Any

import pytest

from coursekit import context, session, transcripts
from coursekit.session import SessionEntry
from coursekit.transcripts import Transcript
from coursekit.view import (
    budget_table,
    groups_table,
    ledger_table,
    projection_table,
    transcript_table,
)


@pytest.fixture(scope="module")
def opening() -> Transcript:
    return transcripts.opening()


@pytest.fixture(scope="module")
def entries(opening: Transcript) -> list[SessionEntry]:
    return [session.parse_session_entry(entry) for entry in opening.entries]


def test_the_deductions_of_the_worked_example(
    opening: Transcript, entries: list[SessionEntry]
) -> None:
    table = budget_table(context.build_context(entries, **opening.options))
    # The source's own table: 31, then 28, 24 and 22 are left.
    assert list(table["left for messages"]) == [31, 28, 24, 22]
    assert list(table["tokens"]) == [31, 3, 4, 2]
    assert str(table).splitlines() == [
        "item             tokens  left for messages",
        "---------------  ------  -----------------",
        "max_tokens           31                 31",
        "system prompt         3                 28",
        "reserved_output       4                 24",
        "safety_margin         2                 22",
    ]


def test_deductions_stop_at_zero_and_keep_fractions() -> None:
    table = budget_table({"maxTokens": 5, "system": 3.5, "reserved_output": 4, "safety_margin": 2})
    assert list(table["left for messages"]) == [5, 1.5, 0, 0]
    assert str(table["tokens"].dtype) == "Float64"
    with pytest.raises(ValueError, match="system"):
        budget_table({"maxTokens": 5})


def test_the_transcript_with_costs(opening: Transcript, entries: list[SessionEntry]) -> None:
    table = transcript_table(entries, opening.options["estimate_tokens"])
    assert list(table["id"]) == ["u1", "a1", "u2", "a2", "u3", "calls", "r-test", "r-read", "a3"]
    assert list(table["tokens"]) == [3, 4, 3, 4, 3, 3, 3, 3, 3]
    assert [str(each) for each in table.dtypes] == ["string"] * 5 + ["Int64"]
    assert table["parent"].isna().tolist() == [True] + [False] * 8
    as_json = transcript_table(opening.entries, opening.options["estimate_tokens"])
    assert as_json.equals(table)


def test_entries_without_messages_have_no_role_and_no_cost(opening: Transcript) -> None:
    table = transcript_table([opening.compaction], lambda message: 1)
    assert table["role"].isna().all()
    assert table["tokens"].isna().all()


def test_an_estimator_cannot_change_what_is_shown(entries: list[SessionEntry]) -> None:
    def greedy(message: Any) -> int:
        message.content.clear()
        return 1

    before = [session.entry_to_json(entry) for entry in entries]
    transcript_table(entries, greedy)
    assert [session.entry_to_json(entry) for entry in entries] == before


def test_the_groups(opening: Transcript, entries: list[SessionEntry]) -> None:
    groups = context.group_interactions(entries)
    table = groups_table(groups, opening.options["estimate_tokens"])
    assert list(table["entries"]) == ["u1 a1", "u2 a2", "u3 calls r-test r-read a3"]
    assert list(table["tokens"]) == [7, 7, 15]
    assert (list(table["calls"]), list(table["results"])) == ([0, 0, 2], [0, 0, 2])


@pytest.mark.parametrize(
    ("available", "status", "mark"),
    [
        (22, ["trimmed", "kept", "kept"], "font-style:italic"),
        (10, ["trimmed", "trimmed", "overflow"], "outline"),
    ],
)
def test_the_ledger_counts_from_the_newest_back(
    opening: Transcript, entries: list[SessionEntry], available: int, status: list[str], mark: str
) -> None:
    groups = context.group_interactions(entries)
    estimate = opening.options["estimate_tokens"]
    rows = context.ledger(groups, available_for_messages=available, estimate_tokens=estimate)
    table = ledger_table(rows)
    assert list(table["running"]) == [29, 22, 15]
    assert list(table["status"]) == status
    assert mark in table._repr_html_()


def test_the_projection_stands_beside_its_sources(opening: Transcript) -> None:
    parts = [*opening.entries, opening.compaction, *opening.continuation]
    entries = [session.parse_session_entry(entry) for entry in parts]
    result = context.build_context(entries, **opening.options | {"max_tokens": 100})
    table = projection_table(result, entries)
    assert len(table) == len(result.messages)
    assert list(table["source"])[:3] == ["compact-1", "u2", "a2"]
    assert list(table["source type"])[:2] == ["compaction", "message"]
    assert table["role"].iloc[0] == "user"
