"""An entry and its JSON are two spellings of one thing."""

import copy
import json
import math
from typing import Any

import pytest
from hypothesis import given

from coursekit.session import (
    MessageSessionEntry,
    MetadataSessionEntry,
    SessionEntryError,
    UserMessage,
    entry_to_json,
    parse_session_entry,
)
from tests.builders import Json, assistant, compaction, metadata, opening, result
from tests.independence import share_nothing, wreck
from tests.strategies import entries


@given(entries())
def test_json_to_entry_and_back_is_the_same_json(told: Json) -> None:
    entry = parse_session_entry(told)
    again = entry_to_json(entry)
    assert again == told
    assert parse_session_entry(again) == entry
    # Equality takes 1 for True and 0.0 for -0.0; the text does not.
    assert json.dumps(again, sort_keys=True) == json.dumps(told, sort_keys=True)


@given(entries())
def test_the_json_shares_nothing_with_the_entry(told: Json) -> None:
    entry = parse_session_entry(told)
    kept = copy.deepcopy(entry)
    again = entry_to_json(entry)
    assert share_nothing(again, entry)
    wreck(again)
    assert entry == kept


def test_keys_come_in_the_order_of_the_lab_document() -> None:
    told = entry_to_json(parse_session_entry(compaction("c", "u") | {"parentId": "a"}))
    assert list(told) == [
        "type",
        "id",
        "parentId",
        "timestamp",
        "summary",
        "firstKeptEntryId",
        "tokensBefore",
    ]
    assert list(told["summary"]) == [
        "goal",
        "constraints",
        "completed",
        "decisions",
        "changedFiles",
        "unresolved",
        "next",
    ]


def test_what_was_left_out_stays_out() -> None:
    for told in [*opening(), metadata("m")]:
        assert entry_to_json(parse_session_entry(told)) == told
    assert "errorMessage" not in entry_to_json(parse_session_entry(assistant("a")))["message"]
    assert "details" not in entry_to_json(parse_session_entry(result("r", "k")))["message"]


@pytest.mark.parametrize("details", [0, False, "", [], {}, {"a": None}])
def test_details_that_are_falsy_are_not_lost(details: Any) -> None:
    told = result("r", "k")
    told["message"]["details"] = details
    assert entry_to_json(parse_session_entry(told))["message"]["details"] == details


def test_what_json_cannot_say_is_refused() -> None:
    with pytest.raises(SessionEntryError, match=r"m\.value\.a"):
        entry_to_json(MetadataSessionEntry("m", None, 0, "k", {"a": math.inf}))
    with pytest.raises(SessionEntryError, match=r"u\.message\.timestamp"):
        entry_to_json(MessageSessionEntry("u", None, 0, UserMessage([], math.nan)))
