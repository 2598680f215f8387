"""The files in data/: the opening transcript, and the same with one thing wrong."""

import json
from copy import deepcopy
from typing import Any

import pytest

from coursekit.course import COURSE
from coursekit.transcripts import chain, opening


def lines(name: str) -> list[dict[str, Any]]:
    text = (COURSE.data / name).read_text(encoding="utf-8")
    assert text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()]


def test_the_opening_transcript() -> None:
    assert lines("opening.jsonl") == opening().entries


def renamed_field() -> list[dict[str, Any]]:
    record = deepcopy(opening().compaction)
    record["summary"]["files"] = record["summary"].pop("changedFiles")
    return [*opening().entries, record]


def unknown_call() -> list[dict[str, Any]]:
    entries = deepcopy(opening().entries)
    entries[6]["message"]["toolCallId"] = "unknown-1"
    return entries


def early_result() -> list[dict[str, Any]]:
    entries = opening().entries
    return chain([*entries[:5], entries[6], entries[5], *entries[7:]])


def repeated_id() -> list[dict[str, Any]]:
    extra = {**opening().continuation[0], "id": "u2", "parentId": "a3"}
    return [*opening().entries, extra]


def missing_parent() -> list[dict[str, Any]]:
    return [entry for entry in opening().entries if entry["id"] != "a1"]


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("old-field", renamed_field()),
        ("unknown-call", unknown_call()),
        ("early-result", early_result()),
        ("repeated-id", repeated_id()),
        ("missing-parent", missing_parent()),
    ],
)
def test_one_thing_is_wrong(name: str, wanted: list[dict[str, Any]]) -> None:
    assert lines(f"damaged/{name}.jsonl") == wanted


def test_a_torn_tail() -> None:
    text = (COURSE.data / "damaged/torn-tail.jsonl").read_text(encoding="utf-8")
    *committed, tail = text.split("\n")
    assert [json.loads(line) for line in committed] == opening().entries
    assert json.dumps(opening().compaction).startswith(tail)
    with pytest.raises(json.JSONDecodeError):
        json.loads(tail)
