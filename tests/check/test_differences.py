"""Where two JSON values differ, and how they are spelled."""

import json

from hypothesis import given

from coursekit.check.differences import (
    MISSING,
    MOST,
    attributes,
    differences,
    is_same,
    lines_of,
    part_of,
    spell,
)
from coursekit.check.protocol import JsonValue
from tests.check.json_values import any_json


@given(any_json, any_json)
def test_there_are_differences_just_where_values_are_not_the_same(
    one: JsonValue, other: JsonValue
) -> None:
    assert (differences(one, other) == []) == is_same(one, other)


@given(any_json)
def test_a_value_is_the_same_as_its_copy(value: JsonValue) -> None:
    copy = json.loads(json.dumps(value))
    assert is_same(value, copy)
    assert differences(value, copy) == []


@given(any_json, any_json)
def test_every_difference_is_one_in_itself(one: JsonValue, other: JsonValue) -> None:
    for _, wanted, came in differences(one, other):
        assert not is_same(wanted, came)


def test_true_is_not_one_and_a_missing_place_is_nothing() -> None:
    assert differences({"a": 1, "b": [1]}, {"a": True, "b": [1]}) == [("a", 1, True)]
    [(path, want, came)] = differences({"a": 1}, {})
    assert (path, want, spell(came)) == ("a", 1, "nothing")
    assert came is MISSING


def test_the_order_of_keys_is_no_difference_and_that_of_a_list_is() -> None:
    assert is_same({"a": 1, "b": 2}, {"b": 2, "a": 1})
    assert not is_same([1, 2], [2, 1])


def test_places_are_paths_in_the_expected_order() -> None:
    expected: JsonValue = {"kept": [{"id": "a"}, {"id": "b"}], "tokens": {"total": 1}}
    observed: JsonValue = {"tokens": {"total": 2}, "kept": [{"id": "a"}, {"id": "c"}]}
    assert differences(expected, observed) == [("kept[1].id", "b", "c"), ("tokens.total", 1, 2)]


def test_a_list_of_plain_values_is_compared_whole() -> None:
    assert differences({"ids": ["a", "b"]}, {"ids": ["b"]}) == [("ids", ["a", "b"], ["b"])]


def test_more_differences_than_teach_are_counted() -> None:
    found = differences({str(i): i for i in range(9)}, {})
    wanted, came = lines_of(found)
    assert len(wanted.splitlines()) == MOST
    assert came.splitlines()[-1] == f"and {9 - MOST} more differences"


def test_things_with_an_id_are_spelled_by_it_and_messages_by_their_role() -> None:
    assert spell([{"id": "u1"}, {"role": "user", "content": [{"text": "hi"}]}]) == "[u1 user(hi)]"
    assert spell({"python": "Name"}) == "a Python Name"
    assert attributes("summary.changedFiles") == "summary.changed_files"


def test_a_part_that_is_not_there_is_missing() -> None:
    assert part_of({"a": {"b": None}}, "a", "b") is None
    assert part_of({"a": 1}, "a", "b") is MISSING
