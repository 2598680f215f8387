"""Answers that never end, or end everything: one observation says so, and no other is lost."""

import pytest

from coursekit.check import supervision
from coursekit.check.outcome import EndedEarly
from coursekit.check.protocol import Skipped, Unwritten
from coursekit.check.report import Report
from coursekit.check.supervision import observe_answers
from coursekit.course import COURSE
from tests.check.reports import GROUPS, BrokenAnswers, failed, messages

pytestmark = pytest.mark.usefixtures("_short_limits")


def ended_by(report: Report) -> set[str]:
    """What ended the checks that ended early."""
    outcomes = [result.outcome for result in report.results]
    return {each.observed.by for each in outcomes if isinstance(each, EndedEarly)}


def test_an_endless_loop_is_stopped_and_its_line_shown(answers: BrokenAnswers) -> None:
    answers.append(
        "context.py",
        "\ndef group_interactions(entries):\n    at = 0\n    while at < 1:\n        at *= 2\n",
    )
    report = answers.check("11.1", "11.2")
    assert failed(report) == GROUPS
    assert ended_by(report) == {"time"}
    for name in GROUPS:
        message = messages(report)[name]
        assert "it had not come to an end when its time was up" in message
        assert "at context.py, line" in message
        assert "while at < 1:" in message or "at *= 2" in message


def test_an_endless_loop_while_importing_costs_what_imports_it(answers: BrokenAnswers) -> None:
    answers.append("context.py", "\nwhile True:\n    pass\n")
    report = answers.check("11.1", "11.2", "11.4")
    assert failed(report) == [*GROUPS, "11.4/1", "11.4/2"]
    message = messages(report)["11.4/2"]
    assert "while context.py was imported, it had not come to an end" in message


def test_endless_printing_is_stopped(answers: BrokenAnswers) -> None:
    answers.append(
        "context.py",
        "\ndef group_interactions(entries):\n    while True:\n        print('so ' * 100)\n",
    )
    report = answers.check("11.1", "11.2")
    assert failed(report) == GROUPS
    assert ended_by(report) == {"output"}
    assert "it was stopped because it printed without end" in messages(report)["11.2/1"]
    assert report.printed.startswith("so so so")
    assert len(report.printed) <= supervision.PRINTED


@pytest.mark.parametrize(
    ("end", "sentence"),
    [
        ("import os; os._exit(0)", "it ended the whole Python process"),
        ("import os; os._exit(7)", "it ended the whole Python process"),
        ("raise KeyboardInterrupt", "it ended the whole Python process"),
        ("import os; os.abort()", "it crashed Python itself"),
        ("import sys; sys.exit()", "SystemExit"),
        ("input()", "EOFError"),
    ],
)
def test_an_answer_that_ends_everything_costs_its_own_lab(
    answers: BrokenAnswers, end: str, sentence: str
) -> None:
    answers.append("context.py", f"\ndef restore(active_path):\n    {end}\n")
    report = answers.check()
    assert failed(report) == ["11.5/1", "11.5/2", "11.5/3"]
    assert sentence in messages(report)["11.5/1"]
    assert sentence in messages(report)["11.5/3"]


def test_a_look_at_what_no_call_returned_blames_nobody(answers: BrokenAnswers) -> None:
    """A check's later steps find nothing where the call before them returned nothing."""
    (answers.folder / "session.py").write_bytes((COURSE.starters / "session.py").read_bytes())
    case = COURSE.case("11.1/1", 0)
    seen = observe_answers(COURSE, [case], answers.folder).steps["11.1/1"]
    assert {type(each) for each in seen} == {Unwritten, Skipped}


def test_every_step_of_every_case_is_observed_once(answers: BrokenAnswers) -> None:
    cases = [COURSE.case(name, 1) for name in ("11.1/1", "11.2/1", "11.5/1")]
    seen = observe_answers(COURSE, cases, answers.folder)
    assert {check: len(steps) for check, steps in seen.steps.items()} == {
        case.check: len(case.steps) for case in cases
    }
