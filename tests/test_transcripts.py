"""The opening transcript as the lab document has it, and variants of the same kind."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coursekit.context import build_context, group_interactions
from coursekit.session import entry_to_json, parse_session_entry, path_to
from coursekit.transcripts import (
    Draw,
    Transcript,
    chain,
    message_key,
    metadata,
    opening,
    table_estimator,
    transcript,
)

variants = st.integers(min_value=0, max_value=10**9)


def test_the_opening_transcript_is_the_sources() -> None:
    # Ids, groups, costs and options: the lab document, its first table and worked example.
    worked = opening()
    assert [[entry["id"] for entry in group] for group in worked.groups] == [
        ["u1", "a1"],
        ["u2", "a2"],
        ["u3", "calls", "r-test", "r-read", "a3"],
    ]
    assert [worked.costs[entry["id"]] for entry in worked.entries] == [3, 4, 3, 4, 3, 3, 3, 3, 3]
    options = (worked.max_tokens, worked.system_cost, worked.reserved_output, worked.safety_margin)
    assert options == (31, 3, 4, 2)
    assert (worked.compaction["id"], worked.compaction["parentId"]) == ("compact-1", "a3")
    assert (worked.compaction["firstKeptEntryId"], worked.compaction["tokensBefore"]) == ("u2", 29)
    assert [entry["id"] for entry in worked.continuation] == ["u4", "a4"]


def test_the_opening_results_answer_their_calls_in_the_other_order() -> None:
    asked = opening().entries[5]["message"]["content"]
    answered = [entry["message"]["toolCallId"] for entry in opening().entries[6:8]]
    assert [part["id"] for part in asked] == ["read-1", "test-1"]
    assert answered == ["test-1", "read-1"]


@given(variants)
def test_a_variant_is_one_good_path_that_a_proper_suffix_of_fits_exactly(variant: int) -> None:
    drawn = transcript(variant)
    records = [*drawn.entries, drawn.compaction, *drawn.continuation]
    entries = [parse_session_entry(record) for record in records]
    assert [entry_to_json(entry) for entry in entries] == records
    assert path_to(entries, entries[-1].id) == entries
    path = entries[: len(drawn.entries)]
    grouped = [[entry.id for entry in group.entries] for group in group_interactions(path)]
    assert grouped == [[entry["id"] for entry in group] for group in drawn.groups]
    built = build_context(path, **drawn.options)
    assert built.reason == "trimmed"
    assert built.tokens.total == drawn.max_tokens


@given(variants)
def test_a_number_draws_the_same_variant_again(variant: int) -> None:
    assert transcript(variant) == transcript(variant)


@given(st.lists(variants, min_size=2, max_size=2, unique=True))
def test_variants_share_no_id_and_no_text(pair: list[int]) -> None:
    one, other = (json.dumps(transcript(variant + 1).entries) for variant in pair)
    ids = [entry["id"] for entry in transcript(pair[0] + 1).entries]
    assert one != other
    assert not [entry_id for entry_id in ids if f'"{entry_id}"' in other]


@given(variants)
def test_every_message_of_a_variant_has_a_price_of_its_own(variant: int) -> None:
    drawn = transcript(variant)
    keys = [message_key(entry["message"]) for entry in drawn.entries + drawn.continuation]
    assert len({*keys, drawn.system_prompt}) == len(keys) + 1 == len(drawn.prices)


@given(st.text(max_size=20))
def test_drawn_names_are_no_part_of_each_other(seed: str) -> None:
    draw = Draw(seed)
    names = [draw.name(stem) for stem in ("t", "compact", "u", "r", "t", "at") * 5]
    assert not [(a, b) for a in names for b in names if a is not b and a in b]


def test_an_estimator_prices_objects_and_json_alike_and_what_it_does_not_know() -> None:
    worked = opening()
    estimate = table_estimator(worked.prices, otherwise=8)
    for record in worked.entries:
        entry: Any = parse_session_entry(record)
        assert estimate(record["message"]) == estimate(entry.message) == worked.costs[record["id"]]
    assert estimate("sys") == 3
    assert estimate("another prompt") == 8


def test_chain_links_copies_and_leaves_the_originals() -> None:
    entries = [metadata(name, None, "k", 1) for name in "abc"]
    assert [entry["parentId"] for entry in chain(entries, "root")] == ["root", "a", "b"]
    assert [entry["parentId"] for entry in entries] == [None, None, None]


def test_a_transcript_keeps_its_fields() -> None:
    with pytest.raises(AttributeError):
        opening().max_tokens = 1  # type: ignore[misc]
    assert isinstance(opening(), Transcript)
