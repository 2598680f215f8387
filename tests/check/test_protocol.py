"""What crosses: every observation comes back as it was, and any JSON at all is one."""

import json
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coursekit.check.protocol import (
    NO_NOTE,
    UNREADABLE,
    Ended,
    EndedBy,
    JsonValue,
    Note,
    Observation,
    Place,
    Raised,
    Refused,
    Request,
    Returned,
    Skipped,
    Unwritten,
    note_of,
    observation_from_json,
    observation_to_json,
)
from tests.check.json_values import any_json

texts = st.text(max_size=8)
# A caller is shown by its file and line alone.
callers = st.builds(Place, texts, st.integers(), st.just(""))
places = st.builds(Place, texts, st.integers(), texts)
notes = st.builds(Note, texts, texts, texts, texts, st.none() | places, st.none() | callers, texts)
observations: st.SearchStrategy[Observation] = st.one_of(
    st.builds(Returned, any_json),
    st.builds(Refused, texts, texts, notes),
    st.builds(Raised, texts, notes),
    st.builds(Unwritten, notes),
    st.builds(Skipped, texts, notes),
    # Where it was is found out on this side.
    st.builds(Ended, st.sampled_from(get_args(EndedBy)), st.none() | texts, st.none()),
)


def crossed(observation: Observation) -> Observation:
    return observation_from_json(json.loads(json.dumps(observation_to_json(observation))))


@given(observations)
def test_an_observation_crosses_as_it_was(observation: Observation) -> None:
    again = crossed(observation)
    assert type(again) is type(observation)
    assert again == observation


KEYS = ("returned", "refused", "raised", "unfinished", "skipped", "ended", "note", "loading")


@given(any_json | st.dictionaries(st.sampled_from(KEYS), any_json))
def test_any_json_at_all_is_an_observation(value: JsonValue) -> None:
    observation = observation_from_json(value)
    assert isinstance(observation, get_args(Observation))
    assert isinstance(note_of(observation), Note)
    assert crossed(observation) == observation


@given(
    st.dictionaries(
        st.sampled_from([*Note._fields, "file", "line", "source"]),
        any_json | st.dictionaries(st.sampled_from(["file", "line", "source"]), any_json),
    )
)
def test_any_note_has_parts_of_the_types_that_it_should_have(note: dict[str, JsonValue]) -> None:
    read = note_of(observation_from_json({"raised": "E", "note": note}))
    assert all(isinstance(each, str) for each in (read.error, read.text, read.name, read.held))
    for place in (read.place, read.caller):
        assert place is None or [type(each) for each in place] == [str, int, str]


@pytest.mark.parametrize("value", [None, [], 3, {}, {"ended": "never"}, {"refuse": []}])
def test_what_means_none_is_an_unreadable_error(value: JsonValue) -> None:
    assert observation_from_json(value) == Raised(UNREADABLE, NO_NOTE)


def test_a_refusal_of_another_shape_names_nothing() -> None:
    for value in (None, [], ["a"], ["a", 1], ["a", "b", "c"], "ab"):
        assert observation_from_json({"refused": value}) == Refused("", "")


def test_a_request_crosses_with_its_name_and_arguments_alone() -> None:
    assert Request("parse", {"value": 1}).to_json() == {
        "observation": "parse",
        "arguments": {"value": 1},
    }
