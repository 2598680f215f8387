"""An entry and its JSON are two spellings of one thing."""

import copy
import json
import math
from typing import Any

import pytest
from hypothesis import given

from coursekit.session import (
    JsonValue,
    MessageSessionEntry,
    MetadataSessionEntry,
    SessionEntryError,
    UserMessage,
    entry_to_json,
    parse_session_entry,
)
from coursekit.transcripts import Json
from tests.builders import assistant, compaction, metadata, opening, result
from tests.independence import share_nothing, wreck
from tests.strategies import entries


@given(entries())
def test_json_to_entry_and_back_is_the_same_json(record: Json) -> None:
    entry = parse_session_entry(record)
    again = entry_to_json(entry)
    assert again == record
    assert parse_session_entry(again) == entry
    # Equality takes 1 for True and 0.0 for -0.0; the text does not.
    assert json.dumps(again, sort_keys=True) == json.dumps(record, sort_keys=True)


@given(entries())
def test_the_json_shares_nothing_with_the_entry(record: Json) -> None:
    entry = parse_session_entry(record)
    kept = copy.deepcopy(entry)
    again = entry_to_json(entry)
    assert share_nothing(again, entry)
    wreck(again)
    assert entry == kept


def test_keys_come_in_the_order_of_the_lab_document() -> None:
    record = entry_to_json(parse_session_entry(compaction("c", "u") | {"parentId": "a"}))
    assert list(record) == [
        "type",
        "id",
        "parentId",
        "timestamp",
        "summary",
        "firstKeptEntryId",
        "tokensBefore",
    ]
    summary = record["summary"]
    assert isinstance(summary, dict)
    assert list(summary) == [
        "goal",
        "constraints",
        "completed",
        "decisions",
        "changedFiles",
        "unresolved",
        "next",
    ]


def message_of(record: Json) -> dict[str, JsonValue]:
    """The record's message, after it was an object."""
    message = entry_to_json(parse_session_entry(record))["message"]
    assert isinstance(message, dict)
    return message


def test_what_was_left_out_stays_out() -> None:
    for record in [*opening(), metadata("m")]:
        assert entry_to_json(parse_session_entry(record)) == record
    assert "errorMessage" not in message_of(assistant("a"))
    assert "details" not in message_of(result("r", "k"))


@pytest.mark.parametrize("details", [0, False, "", [], {}, {"a": None}])
def test_details_that_are_falsy_are_not_lost(details: Any) -> None:
    record = result("r", "k")
    record["message"]["details"] = details
    assert message_of(record)["details"] == details


def test_what_json_cannot_say_is_refused() -> None:
    with pytest.raises(SessionEntryError, match=r"m\.value\.a"):
        entry_to_json(MetadataSessionEntry("m", None, 0, "k", {"a": math.inf}))
    with pytest.raises(SessionEntryError, match=r"u\.message\.timestamp"):
        entry_to_json(MessageSessionEntry("u", None, 0, UserMessage([], math.nan)))
