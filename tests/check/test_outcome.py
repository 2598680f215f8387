"""Judging: each outcome, and that no text of an answer makes one."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coursekit.check.case import Case, Mistake, Rule, Step, Wording
from coursekit.check.outcome import (
    EndedEarly,
    Failed,
    Incomplete,
    NotStarted,
    Outcome,
    Passed,
    agrees,
    compared_json,
    judge,
)
from coursekit.check.protocol import (
    Ended,
    JsonValue,
    Note,
    Observation,
    Raised,
    Refused,
    Request,
    Returned,
    Skipped,
    Unwritten,
)
from tests.check.json_values import any_json

RULE = Rule("A rule.", "A heading")
REQUEST = Request("group", {})
STEP = Step(REQUEST, "a call", RULE, names=[["u1"]], causes=["why"])
REFUSED = Refused("u1 is wrong", "that is why")
MISTAKEN = Returned("mistaken")
MISTAKE = Mistake(Request("build", {}), "a remark")


def judged(
    expected: Sequence[Observation],
    observed: Sequence[Observation],
    step: Step = STEP,
    mistaken: Observation = MISTAKEN,
) -> Outcome:
    """The outcome of a case with as many steps as observations are expected."""
    case = Case("11.2/1", 0, [step] * len(expected))
    return judge(case, expected, observed, lambda request: mistaken)


def test_what_the_reference_does_passes() -> None:
    assert isinstance(judged([Returned(1), REFUSED], [Returned(1), REFUSED]), Passed)
    assert isinstance(judged([], []), Passed)


def test_a_refusal_in_other_words_passes_if_it_has_name_and_cause() -> None:
    assert isinstance(judged([REFUSED], [Refused("Oh, u1!", "why not")]), Passed)


@pytest.mark.parametrize(
    "observed",
    [
        Refused("it is wrong", "that is why"),
        Refused("u1 is wrong", ""),
        Returned("u1 is wrong"),
        Raised("ValueError", Note("ValueError", "u1 is wrong")),
        Skipped("groups"),
    ],
)
def test_another_end_than_the_expected_refusal_fails(observed: Observation) -> None:
    assert judged([Returned(1), REFUSED], [Returned(1), observed]) == Failed(1, REFUSED, observed)


def test_the_first_step_that_went_another_way_counts() -> None:
    outcome = judged([Returned(1), Returned(2)], [Returned(0), Ended("time")])
    assert outcome == Failed(0, Returned(1), Returned(0))


def test_a_stub_is_not_started_and_names_its_lab() -> None:
    outcome = judged([Returned(1)], [Unwritten(Note(text="Lab 11.2: f is not written yet"))])
    assert isinstance(outcome, NotStarted)
    assert outcome.lab == "11.2"
    assert NotStarted(0, "The transfer exercise: ledger is not written yet").lab is None


def test_a_process_that_ended_is_ended_early_and_lacking_steps_are_incomplete() -> None:
    assert judged([Returned(1)], [Ended("exit")]) == EndedEarly(0, Returned(1), Ended("exit"))
    assert judged([Returned(1), Returned(2)], [Returned(1)]) == Incomplete(1)
    assert isinstance(judged([Returned(1)], []), Incomplete)


def test_a_known_mistake_is_one_if_the_reference_would_return_the_same_for_it() -> None:
    step = Step(REQUEST, "a call", RULE, mistake=MISTAKE)
    known = judged([Returned(1)], [Returned("mistaken")], step)
    assert known == Failed(0, Returned(1), Returned("mistaken"), MISTAKE)
    other = judged([Returned(1)], [Returned("other")], step)
    assert other == Failed(0, Returned(1), Returned("other"))
    refused = judged([Returned(1)], [Returned("mistaken")], step, Refused("no"))
    assert refused == Failed(0, Returned(1), Returned("mistaken"))


WORDS = st.sampled_from(
    [
        "",
        "not started: Lab 11.2: f is not written yet",
        "Lab 11.2: f is not written yet",
        "LabNotDone",
        "u1 why",
        "passed",
        "time",
    ]
)
NOTES = st.builds(Note, WORDS, WORDS, WORDS, WORDS)


@given(WORDS, WORDS, NOTES)
def test_no_text_makes_an_outcome(text: str, error: str, note: Note) -> None:
    """Whatever an answer says, it is judged by what kind of end it came to."""
    others: list[Observation] = [Raised(error, note), Skipped(text, note)]
    for observed in (Returned(text), *others):
        assert isinstance(judged([REFUSED], [observed]), Failed)
    for observed in (Refused(text, text, note), *others):
        assert isinstance(judged([Returned(text)], [observed]), Failed)
    assert isinstance(judged([Returned(text)], [Unwritten(note)]), NotStarted)


@given(any_json, NOTES)
def test_notes_take_no_part(value: JsonValue, note: Note) -> None:
    assert agrees(STEP, Returned(value), Returned(value))
    assert agrees(STEP, Raised("E"), Raised("E", note))
    assert agrees(STEP, REFUSED, REFUSED._replace(note=note))


def test_equal_tuples_of_different_kinds_do_not_agree() -> None:
    note = Note()
    assert not agrees(STEP, Returned("x"), Raised("x", note))
    assert not agrees(STEP, Raised("x", note), Skipped("x", note))
    assert not agrees(STEP, Unwritten(note), Unwritten(note)), "no reference has a stub"


class Chained(Wording):
    is_chained = True


def test_what_notebooks_store_is_the_part_that_is_compared() -> None:
    note = Note("ValueError", "u1 is wrong")
    chained = STEP._replace(wording=Chained())
    refused = REFUSED._replace(note=note)
    assert compared_json(chained, refused) == {"refused": ["u1"], "cause": ["why"]}
    assert compared_json(STEP, refused) == {"refused": ["u1"]}
    bare = Step(REQUEST, "a call", RULE, names=[["u1"], ["u2"]])
    assert compared_json(bare, Refused("u2", "", note)) == {"refused": ["u2"]}
    assert compared_json(STEP, Returned([1])) == {"returned": [1]}
    assert compared_json(STEP, Raised("KeyError", note)) == {"raised": "KeyError"}
