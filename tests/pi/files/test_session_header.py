"""The header: what a new one holds, what is none, and nothing lost of an odd one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from coursekit.pi import CURRENT_SESSION_VERSION, PiSessionError, SessionHeader


def test_a_new_header_is_of_the_current_version_and_reads_back() -> None:
    header = SessionHeader.new("/w", "an-id", "/old.jsonl")
    value = json.loads(header.line())
    assert SessionHeader.from_json(value) == header
    assert (value["version"], value["id"]) == (CURRENT_SESSION_VERSION, "an-id")
    assert (value["cwd"], value["parentSession"]) == ("/w", "/old.jsonl")
    assert "parentSession" not in SessionHeader.new("/w").to_json()


def test_a_field_that_nobody_knows_is_kept_and_a_missing_one_is_none() -> None:
    value = {"type": "session", "id": "s", "later": [1]}
    header = SessionHeader.from_json(value)
    assert header.to_json() == value
    assert (header.version, header.cwd, header.parent_session) == (1, None, None)


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ([], "the first line holds a list"),
        ({"type": "message", "id": "s"}, "the first line is no header"),
        ({"type": "session"}, "the first line is no header"),
        ({"type": "session", "id": 5}, "the first line is no header"),
        ({"type": "session", "id": "s", "version": "3"}, "version is text, not a number"),
        ({"type": "session", "id": "s", "version": True}, "version is a boolean, not a number"),
    ],
)
def test_what_is_no_header_is_an_error_that_says_why(value: Any, problem: str) -> None:
    with pytest.raises(PiSessionError, match=problem):
        SessionHeader.from_json(value)


def test_a_header_shares_nothing_with_its_json() -> None:
    header = SessionHeader.new("/w", "s")
    header.to_json()["id"] = "changed"
    assert header.to_json()["id"] == "s"
