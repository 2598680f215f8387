"""Messages: what was called, expected and got, the rule, and where to read about it."""

from coursekit.check.explanation import explain
from coursekit.check.outcome import EndedEarly, Failed, Incomplete, NotStarted, Passed
from coursekit.check.protocol import Ended, Place, Returned
from coursekit.course import COURSE
from coursekit.course.lab_11_1 import PARSE
from coursekit.course.steps import SHARING
from tests.check.explained import case, groups, message_of, replaced
from tests.solutions.answers import Answers, messages, right


def appended(text: str) -> Answers:
    """The right answers, with text at the end of `context.py`."""
    return right().changed("context.py", lambda own: own + text)


def test_a_message_has_call_rule_and_place() -> None:
    message = message_of(groups("u1 a1"), groups())
    assert message == "\n".join(
        [
            "  call      a call",
            "  groups       expected  got",
            "            -> u1 a1     none",
            "  rule      A rule.",
            "  read      “A heading” in 11_2_interactions.ipynb",
        ]
    )


def test_a_learner_s_line_is_shown_and_a_starter_function_s_is_not() -> None:
    answers = replaced(
        "session.py",
        'tokens_before=read_non_negative(record["tokensBefore"]',
        'tokens_before=read_non_negative(-1 - record["tokensBefore"]',
    )
    message = messages(answers, ["11.1/1"])["11.1/1"]
    assert "SessionEntryError: compact-1.tokensBefore: must not be negative" in message
    assert 'read_non_negative(-1 - record["tokensBefore"]' in " ".join(message.split())
    assert "Traceback" not in message


def test_a_place_is_named_as_the_call_names_it() -> None:
    changed = "message.content[0].arguments"
    shared = (
        "\nOWN = group_interactions\n\ndef group_interactions(entries):\n"
        "    known = {each.id: each for each in entries}\n"
        "    return [\n"
        "        InteractionGroup([known[each.id] for each in group.entries])\n"
        "        for group in OWN(entries)\n"
        "    ]\n"
    )
    message = messages(appended(shared), ["11.2/1"])["11.2/1"]
    assert f"change groups[-1].entries[1].{changed}" in message
    assert f"it shows at path[5].{changed}" in message


def test_no_message_quotes_the_reference() -> None:
    """What a message shows of code is the answer's own."""
    body = right().context
    empty = appended("\n\ndef group_interactions(entries):\n    return []\n")
    for message in messages(empty, ["11.2/1", "11.2/2", "11.2/3"]).values():
        for line in body.splitlines():
            if len(line.strip()) > 20:
                assert line.strip() not in message


def test_what_is_no_json_is_named_by_its_type() -> None:
    wrong = Failed(0, Returned({"id": "x"}), Returned({"id": {"python": "Name"}}))
    message = explain(COURSE, case(PARSE, "11.1/1"), wrong)
    assert "got       id: a Python Name" in message


def test_what_ended_early_is_shown_with_its_place() -> None:
    ended = EndedEarly(0, Returned([]), Ended("time", None, Place("context.py", 7, "while x:")))
    lines = [line.strip() for line in explain(COURSE, case(), ended).splitlines()]
    assert "at context.py, line 7:" in lines
    assert "while x:" in lines


def test_what_passed_needs_no_word_and_what_is_lacking_has_one() -> None:
    assert explain(COURSE, case(), Passed()) == ""
    assert "did not come to its end" in explain(COURSE, case(), Incomplete(0))
    own = explain(COURSE, case(), NotStarted(0, "Lab 11.2: f is not written yet"))
    assert own == "not started: Lab 11.2: f is not written yet"
    earlier = explain(COURSE, case(), NotStarted(0, "Lab 11.1: f is not written yet"))
    assert earlier.endswith(". Lab 11.2 builds on it.")


def test_what_was_expected_can_be_left_out() -> None:
    wrong = Failed(0, groups("secret"), groups("u1"))
    shown = explain(COURSE, case(), wrong)
    hidden = explain(COURSE, case(), wrong, show_expected=False)
    assert "secret" in shown
    assert "secret" not in hidden
    assert "expected" not in hidden
    assert {line.split()[0] for line in hidden.splitlines()} == {"call", "got", "rule", "read"}


def test_what_shows_its_expectation_in_other_words_loses_that_row_too() -> None:
    case = COURSE.case("11.1/1", 0)
    at = next(at for at, step in enumerate(case.steps) if step.wording is SHARING)
    wrong = Failed(at, Returned({"id": "a"}), Returned({"id": "b"}))
    shown, hidden = (
        explain(COURSE, case, wrong, show_expected=each).splitlines() for each in (True, False)
    )
    assert [line for line in shown if "  expected  " not in line] == hidden
    assert len(shown) == len(hidden) + 1
