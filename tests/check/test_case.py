"""Steps: the names and causes that a refusal holds, and the words for what came."""

import pytest

from coursekit.check.case import PLAIN, Rule, Step, Wording
from coursekit.check.protocol import Note, Place, Refused, Request, Returned

RULE = Rule("A rule.", "A heading")
STEP = Step(
    Request("parse", {"value": {}}),
    "a call",
    RULE,
    names=[["compact-1.summary", "summary of compact-1"], ["goal"]],
    causes=["no price"],
)


def test_a_refusal_names_each_by_any_of_its_forms_and_by_the_first_in_reports() -> None:
    assert STEP.named(Refused("summary of compact-1: goal")) == ["compact-1.summary", "goal"]
    assert STEP.named(Refused("compact-1.summary is wrong")) == ["compact-1.summary"]
    assert STEP.named(Refused("it is wrong")) == []


def test_a_cause_counts_where_it_is_the_cause() -> None:
    assert STEP.caused(Refused("x", "no price for t-1")) == ["no price"]
    assert STEP.caused(Refused("no price for t-1", "x")) == []


def test_a_refusal_is_spelled_with_the_names_that_it_must_hold() -> None:
    assert PLAIN.refusal(STEP) == (
        "a ValueError whose message names 'compact-1.summary' and 'goal'"
    )


class _Kind(Wording):
    function = "context.build_context"
    result = "BuildContextResult"


@pytest.mark.parametrize(
    ("error", "text", "words"),
    [
        (
            "AttributeError",
            "'NoneType' object has no attribute 'tokens'",
            "None: build_context has no return on this way",
        ),
        (
            "AttributeError",
            "'dict' object has no attribute 'tokens'",
            "dict, not a BuildContextResult",
        ),
        ("AttributeError", "'Own' object has no attribute 'tokens'", ""),
        ("KeyError", "'NoneType' object has no attribute 'tokens'", ""),
    ],
)
def test_another_kind_of_result_is_named(error: str, text: str, words: str) -> None:
    assert _Kind().wrong_kind(STEP, Note(error, text)) == words
    # An error inside the answer is the answer's own.
    assert _Kind().wrong_kind(STEP, Note(error, text, place=Place("context.py", 1, ""))) == ""


def test_a_call_to_accept_that_was_refused_went_wrong_by_that() -> None:
    assert PLAIN.first_wrong(STEP, Returned(1), Refused("x")) == "refused"
    assert PLAIN.first_wrong(STEP, Returned(1), Returned(2)) == ""
