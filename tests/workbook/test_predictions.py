"""Predictions: what counts as an answer, what is said to it, and where it is kept."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coursekit import context, pi, session, transcripts
from coursekit.check.coursekit_error import CoursekitError
from coursekit.check.protocol import JsonValue
from coursekit.course import COURSE
from coursekit.workbook.predictions import (
    Answer,
    Prediction,
    find_prediction,
    judge_answer,
    judge_stored,
    predict,
    predictions_of,
    question_text,
    read_answer,
)
from coursekit.workbook.progress import FILE, Progress
from coursekit.workbook.standing import status_json

ALL = [pytest.param(each, id=each.name) for each in predictions_of(COURSE)]


def find(name: str) -> Prediction:
    return find_prediction(COURSE, name)


@pytest.mark.parametrize("prediction", ALL)
def test_each_definition_holds_together(prediction: Prediction) -> None:
    assert prediction.kind in ("id", "ids", "number", "choice")
    assert read_answer(prediction, prediction.answer) == prediction.answer
    wrong = [answer for answer, _ in prediction.wrong]
    for answer in wrong:
        assert read_answer(prediction, answer) == answer
        assert answer != prediction.answer
    texts = [prediction.right, prediction.otherwise, *(why for _, why in prediction.wrong)]
    assert all(len(each) > 10 for each in texts)
    assert len(set(texts)) == len(texts)
    if prediction.kind == "choice":
        # Every choice that is wrong says why.
        assert {*prediction.choices} == {prediction.answer, *wrong}


def test_names_are_unique() -> None:
    names = [each.name for each in predictions_of(COURSE)]
    assert len({*names}) == len(names)


def test_the_budget_answers_are_what_the_library_returns() -> None:
    opening = transcripts.opening()
    path = [session.parse_session_entry(entry) for entry in opening.entries]
    for window in (31, 30):
        result = context.build_context(path, **opening.options | {"max_tokens": window})
        assert find(f"kept-at-{window}").answer == result.kept_entry_ids
    assert find("budget-left").answer == 22


def test_the_compaction_answers_are_what_the_library_returns() -> None:
    settings = pi.CompactionSettings()
    trigger = find("compact-trigger").answer
    assert isinstance(trigger, int)
    assert pi.should_compact(trigger, 128_000, settings)
    assert not pi.should_compact(trigger - 1, 128_000, settings)

    long_turn = pi.SessionManager.open(COURSE.data / "pi" / "long-turn.jsonl")
    keep = pi.CompactionSettings(keep_recent_tokens=400)
    plan = pi.prepare_compaction(long_turn.get_branch(), keep)
    assert plan is not None
    assert plan.first_kept_entry_id == find("plan-cut").answer
    summaries = pi.ScriptedSummarizer(["history", "prefix"])
    pi.compact(plan, summaries)
    assert len(summaries.requests) == find("split-requests").answer

    opening = transcripts.opening()
    entries = [*opening.entries, opening.compaction, *opening.continuation]
    path = [session.parse_session_entry(entry) for entry in entries]
    assert context.build_context(path, **opening.options).kept_entry_ids == ["u4", "a4"]
    assert find("summary-first").answer == ["u4", "a4"]


@pytest.mark.parametrize("prediction", ALL)
@pytest.mark.parametrize("which", ["ask", "right", "foreseen", "other"])
def test_what_is_shown_fits_a_terminal(prediction: Prediction, which: str, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("{}")
    other: object = {"id": "Z", "ids": ["Z"], "number": -1, "choice": "z"}[prediction.kind]
    answers: dict[str, object] = {
        "ask": ...,
        "right": prediction.answer,
        "foreseen": prediction.wrong[0][0] if prediction.wrong else other,
        "other": other,
    }
    text = repr(predict(prediction.name, answers[which], folder=tmp_path))
    assert all(len(line) <= 80 for line in text.splitlines())
    assert text.startswith(question_text(prediction))
    assert ("Right." in text) == (which == "right")


def test_an_answer_is_stored_counted_and_replaced(folder: Path) -> None:
    assert "Not so. B was the leaf between" in repr(predict("exercise-leaf", "B", folder=folder))
    assert Progress(folder).predictions == {"exercise-leaf": "B"}
    assert "Right." in repr(predict("exercise-leaf", " E ", folder=folder))
    assert Progress(folder).predictions == {"exercise-leaf": "E"}
    predict("budget-left", 22, folder=folder)
    assert status_json(folder)["predictions"]["given"] == 2


def test_asking_and_bad_answers_store_nothing(folder: Path) -> None:
    before = (folder / FILE).read_bytes()
    assert "in place of `...`" in repr(predict("exercise-leaf", folder=folder))
    for name, value in (("exercise-leaf", 3), ("budget-left", "many"), ("why-parent", "d")):
        assert f"{name}: the answer is" in repr(predict(name, value, folder=folder))
    assert (folder / FILE).read_bytes() == before


def test_the_same_answer_again_leaves_the_file_alone(folder: Path) -> None:
    predict("exercise-leaf", "E", folder=folder)
    os.utime(folder / FILE, (1, 1))
    predict("exercise-leaf", "E", folder=folder)
    assert (folder / FILE).stat().st_mtime == 1


def test_the_folder_you_stand_in_is_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    predict("user-leaf", "B")
    assert json.loads((folder / FILE).read_bytes())["predictions"] == {"user-leaf": "B"}


def test_outside_a_practice_folder_it_says_that_nothing_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = repr(predict("user-leaf", "B"))
    assert "Right." in text
    assert "Not stored" in text
    with pytest.raises(CoursekitError):
        predict("user-leaf", "B", folder=tmp_path / "none")


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(CoursekitError, match=r"'nope'.*exercise-leaf"):
        predict("nope")


@pytest.mark.parametrize(
    ("name", "value", "answer"),
    [
        ("exercise-leaf", None, "none"),
        ("exercise-file", "A, B C,D E", ["A", "B", "C", "D", "E"]),
        ("exercise-file", ("A", "B"), ["A", "B"]),
        ("exercise-file", [], []),
        ("budget-left", "22", 22),
        ("budget-left", 22.0, 22),
        ("why-parent", " C ", "c"),
    ],
)
def test_answers_in_other_clothes(name: str, value: object, answer: Answer) -> None:
    assert read_answer(find(name), value) == answer


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("exercise-leaf", ""),
        ("exercise-leaf", ["E"]),
        ("exercise-file", 5),
        ("exercise-file", ["A", 2]),
        ("exercise-file", ["A", " "]),
        ("budget-left", True),
        ("budget-left", float("nan")),
        ("budget-left", None),
        ("budget-left", "inf"),
        ("why-parent", "maybe"),
        ("why-parent", 1),
    ],
)
def test_what_is_no_answer_is_refused_with_what_is_due(name: str, value: object) -> None:
    with pytest.raises(ValueError, match=f"{name}: the answer is"):
        read_answer(find(name), value)


def test_a_grader_judges_what_is_stored_and_passes_over_the_rest() -> None:
    stored: dict[str, JsonValue] = {
        "kept-at-30": ["a3"],
        "exercise-leaf": "E",
        "from the future": 1,
        "budget-left": {},
    }
    verdicts = judge_stored(COURSE, stored)
    assert [(each.name, each.right) for each in verdicts] == [
        ("kept-at-30", False),
        ("exercise-leaf", True),
    ]
    assert verdicts[0].explanation == find("kept-at-30").otherwise


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)


@given(prediction=st.sampled_from(predictions_of(COURSE)), value=json_values)
def test_anything_at_all_is_an_answer_or_a_value_error(
    prediction: Prediction, value: object
) -> None:
    try:
        answer = read_answer(prediction, value)
    except ValueError:
        return
    # What is stored is JSON and reads back as itself.
    assert read_answer(prediction, json.loads(json.dumps(answer, allow_nan=False))) == answer
    assert judge_answer(prediction, answer).right == (answer == prediction.answer)
