"""Verdicts: what they say is what `check` says, and no shape of data stops them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coursekit.check.report import check_answers
from coursekit.course import COURSE
from coursekit.grading.grade import GradeOptions, grade
from coursekit.grading.graded_notebook import Station, plan
from coursekit.grading.runner import StationResult
from coursekit.grading.verdict import judge_run, status
from tests.grading.hostile.corpus import right
from tests.solutions.answers import right_file

STATIONS = plan(COURSE, 11)

CHANGED = [
    ("a line of a given file, called from the lab's own",
     "fields = summary_to_json(summary) if isinstance(summary, CompactionSummary) else summary",
     "fields = summary", "called from context.py, line"),
    ("a generator", "return groups", "return iter(groups)", "not a list"),
]  # fmt: skip


@pytest.mark.bwrap
def test_graded_feedback_says_what_a_check_says(tmp_path: Path) -> None:
    submissions = tmp_path / "submissions"
    submissions.mkdir()
    context = right_file("context.py")
    for name, old, new, _ in CHANGED:
        right()(submissions / name)
        assert context.count(old) >= 1
        (submissions / name / "context.py").write_text(context.replace(old, new, 1))
    asked = GradeOptions(COURSE, submissions, tmp_path / "report", variant=0, show_expected=True)
    records = {record.student: record for record in grade(asked)}
    for name, _, _, part in CHANGED:
        checked = {
            each.name: each.message
            for each in check_answers(COURSE, [], submissions / name).results
        }
        graded = {
            each.check: each.message.partition("\nMend ")[0] for each in records[name].verdicts
        }
        assert graded == checked
        assert any(part in message for message in checked.values())


def seen(change: Callable[[Station], Any]) -> dict[str, StationResult]:
    """What comes of a run in which nbval found everything alike, and this besides."""
    return {
        each.name: StationResult(
            verdicts=[True] * len(each.cells),
            observed=[cell.expected for cell in each.cells],
            refusals=[change(each)] * len(each.cells),
            notes=[change(each)] * len(each.cells),
        )
        for each in STATIONS
    }


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["refused", "line", "caller", "file", "text"]), inner)
    ),
    max_leaves=12,
)


@settings(max_examples=30, deadline=None)
@given(ANY)
def test_words_of_any_shape_give_no_point_and_no_error(words: Any) -> None:
    """Each check has a call to refuse, so none passes when no refusal says a name."""
    verdicts = judge_run(COURSE, STATIONS, seen(lambda _: json.dumps(words)), show_expected=True)
    assert len(verdicts) == 14
    assert not any(each.passed for each in verdicts)


@pytest.mark.parametrize("text", [None, "", "nul", "[" * 100_000, "9" * 10_000, '"\\ud800"'])
def test_words_that_are_no_words(text: str | None) -> None:
    verdicts = judge_run(COURSE, STATIONS, seen(lambda _: text), show_expected=False)
    assert not any(each.passed for each in verdicts)


def test_notes_are_cut_cleaned_and_escaped() -> None:
    note = {
        "error": "\x1b[31mE", "text": "\u202e" + "x" * 100_000, "file": "\x07", "line": 1,
        "source": "\udfff", "caller": {"file": "\x1b[2J", "line": 2, "other": "y"},
    }  # fmt: skip

    def failing(station: Station) -> StationResult:
        count = [len(cell.steps) for cell in station.cells]
        return StationResult(
            verdicts=[False] * len(count),
            observed=[json.dumps([{"raised": "E"}] * each) for each in count],
            refusals=[None] * len(count),
            notes=[json.dumps([note] * each) for each in count],
        )

    came = {each.name: failing(each) for each in STATIONS if each.is_check}
    for verdict in judge_run(COURSE, STATIONS, came, show_expected=True):
        assert "called from" in verdict.message or len(verdict.message) > 4000
        assert len(verdict.message) < 4200
        assert not any(bad in verdict.message for bad in "\x1b\x07\u202e\udfff")


def test_a_first_try_that_ended_is_in_the_status_and_costs_nothing() -> None:
    came = {"11.2/1": StationResult(before="exit")}
    assert status(STATIONS, came) == "crash"
