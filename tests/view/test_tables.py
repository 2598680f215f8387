"""Tables: what they hold, their dtypes, and how they read as text."""

from __future__ import annotations

import html
import re

import pytest

from coursekit import context, session, transcripts
from coursekit.view import (
    budget_table,
    groups_table,
    ledger_table,
    projection_table,
    transcript_table,
)
from coursekit.view.text_width import columns


@pytest.fixture(scope="module")
def opening():
    return transcripts.opening()


@pytest.fixture(scope="module")
def entries(opening):
    return [session.parse_session_entry(entry) for entry in opening.entries]


def test_the_deductions_of_the_worked_example(opening, entries):
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


def test_deductions_stop_at_zero_and_keep_fractions():
    table = budget_table({"maxTokens": 5, "system": 3.5, "reserved_output": 4, "safety_margin": 2})
    assert list(table["left for messages"]) == [5, 1.5, 0, 0]
    assert str(table["tokens"].dtype) == "Float64"
    with pytest.raises(ValueError, match="system"):
        budget_table({"maxTokens": 5})


def test_the_transcript_with_costs(opening, entries):
    table = transcript_table(entries, opening.options["estimate_tokens"])
    assert list(table["id"]) == ["u1", "a1", "u2", "a2", "u3", "calls", "r-test", "r-read", "a3"]
    assert list(table["tokens"]) == [3, 4, 3, 4, 3, 3, 3, 3, 3]
    assert [str(each) for each in table.dtypes] == ["string"] * 5 + ["Int64"]
    assert table["parent"].isna().tolist() == [True] + [False] * 8
    as_json = transcript_table(opening.entries, opening.options["estimate_tokens"])
    assert as_json.equals(table)


def test_entries_without_messages_have_no_role_and_no_cost(opening):
    table = transcript_table([opening.compaction], lambda message: 1)
    assert table["role"].isna().all()
    assert table["tokens"].isna().all()


def test_an_estimator_cannot_change_what_is_shown(entries):
    def greedy(message):
        message.content.clear()
        return 1

    before = [session.entry_to_json(entry) for entry in entries]
    transcript_table(entries, greedy)
    assert [session.entry_to_json(entry) for entry in entries] == before


def test_the_groups(opening, entries):
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
def test_the_ledger_counts_from_the_newest_back(opening, entries, available, status, mark):
    groups = context.group_interactions(entries)
    estimate = opening.options["estimate_tokens"]
    rows = context.ledger(groups, available_for_messages=available, estimate_tokens=estimate)
    table = ledger_table(rows)
    assert list(table["running"]) == [29, 22, 15]
    assert list(table["status"]) == status
    assert mark in table._repr_html_()


def test_the_projection_stands_beside_its_sources(opening):
    parts = [*opening.entries, opening.compaction, *opening.continuation]
    entries = [session.parse_session_entry(entry) for entry in parts]
    result = context.build_context(entries, **opening.options | {"max_tokens": 100})
    table = projection_table(result, entries)
    assert len(table) == len(result.messages)
    assert list(table["source"])[:3] == ["compact-1", "u2", "a2"]
    assert list(table["source type"])[:2] == ["compaction", "message"]
    assert table["role"].iloc[0] == "user"


def test_tables_read_at_eighty_columns_and_escape_html():
    text = "<b>检查</b>" * 30
    entry = {
        "type": "message",
        "id": "x" * 40,
        "parentId": None,
        "message": {"role": "user", "content": text},
    }
    table = transcript_table([entry])
    assert max(columns(line) for line in str(table).splitlines()) <= 80
    assert "<b>" not in table._repr_html_()
    assert "&lt;b&gt;检查" in table._repr_html_()


def test_a_row_of_html_is_short_and_its_tooltip_has_the_rest():
    text = "word " * 30
    entry = {
        "type": "message",
        "id": "compact-1",
        "parentId": None,
        "message": {"role": "user", "content": text},
    }
    drawn = transcript_table([entry])._repr_html_()
    shown = [html.unescape(each) for each in re.findall(r"<td[^>]*>([^<]*)</td>", drawn)]
    assert shown[0] == "compact-1"
    assert shown[-1].endswith("word…")
    assert columns(shown[-1]) <= 60
    assert f'title="{text.strip()}"' in drawn
    # Without this a browser breaks an id at its hyphen. A long text gives way in a narrow place.
    assert drawn.count("white-space:nowrap") == 2 * len(shown) - 1


def test_an_empty_table_still_has_its_columns():
    table = transcript_table([])
    assert list(table.columns) == ["id", "parent", "type", "role", "text"]
    assert len(str(table).splitlines()) == 2
