"""Short answers in a notebook: an id, some ids, a number, or a choice.

`predictions.toml` holds the questions, the answers, and why a wrong answer is wrong.
A learner's answer is stored in the practice folder's progress file as it was written;
whether it is right is worked out anew whenever someone asks, so a grader needs the
stored answers alone.
"""

import math
import textwrap
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import EllipsisType
from typing import Any, TypeAlias

from coursekit.check.course import Course
from coursekit.check.coursekit_error import CoursekitError
from coursekit.check.protocol import JsonValue
from coursekit.course import COURSE
from coursekit.workbook.chosen_course import course_of
from coursekit.workbook.progress import Progress
from coursekit.workbook.shown_text import WIDTH, ShownText, wrapped

Answer: TypeAlias = str | float | list[str]
"""An id or a choice; a number; ids in order."""

NO_ID = "none"
"""The answer of kind `id` that says there is no such entry."""

_WANTED = {
    "id": 'an id in quotes, as in "u1" ("none" if there is none)',
    "ids": 'ids in quotes and in order, as in "u1 a1" or ["u1", "a1"]',
    "number": "a number, as in 7",
    "choice": "the letter of one choice in quotes",
}
"""The kinds of prediction, and how an answer of each is written."""


@dataclass(frozen=True)
class Prediction:
    """A question with its answer; `wrong` says why each foreseen wrong answer is wrong."""

    name: str
    kind: str
    question: str
    choices: Mapping[str, str]
    answer: Answer
    right: str
    wrong: tuple[tuple[Answer, str], ...]
    otherwise: str


@dataclass(frozen=True)
class JudgedAnswer:
    """What an answer is worth: the explanation says why, right or wrong."""

    name: str
    answer: Answer
    right: bool
    explanation: str


def predict(name: str, answer: object = ..., *, folder: Path | None = None) -> ShownText:
    """In a notebook: show a question; with an answer, store it and explain.

    `...` in place of an answer asks only. `folder` is the practice folder, by default
    the one that you stand in; outside of any, the answer is explained and not stored.
    Raises `CoursekitError` for a name that no prediction has.
    """
    place = _practice_folder(folder)
    prediction = find_prediction(COURSE if place is None else course_of(place), name)
    asked = question_text(prediction)
    if isinstance(answer, EllipsisType):
        form = f"Answer with {_WANTED[prediction.kind]}."
        return ShownText(
            f"{asked}\n\n{wrapped(form)}\nPut your answer in place of `...` and run the cell again."
        )
    try:
        read = read_answer(prediction, answer)
    except ValueError as problem:
        return ShownText(f"{asked}\n\n{wrapped(str(problem))}")
    judged = judge_answer(prediction, read)
    mark = "Right." if judged.right else "Not so."
    parts = [asked, f"Your answer: {_spell(read)}", wrapped(f"{mark} {judged.explanation}")]
    if place is None:
        parts.append("(Not stored: there is no practice folder here.)")
    else:
        _store(name, read, place)
    return ShownText("\n\n".join(parts))


def judge_answer(prediction: Prediction, answer: Answer) -> JudgedAnswer:
    """Compare an answer with the right one and find its explanation."""
    if answer == prediction.answer:
        return JudgedAnswer(prediction.name, answer, True, prediction.right)
    why = next((why for wrong, why in prediction.wrong if wrong == answer), prediction.otherwise)
    return JudgedAnswer(prediction.name, answer, False, why)


def judge_stored(course: Course, stored: Mapping[str, JsonValue]) -> list[JudgedAnswer]:
    """Judge stored answers by name, in the order of the course.

    Answers of an unknown name, or of a form that `read_answer` refuses, count as not
    made: a newer release may have written them. `stored` is `Progress.predictions`.
    """
    judged: list[JudgedAnswer] = []
    for prediction in predictions_of(course):
        if prediction.name in stored:
            try:
                answer = read_answer(prediction, stored[prediction.name])
            except ValueError:
                continue
            judged.append(judge_answer(prediction, answer))
    return judged


def read_answer(prediction: Prediction, value: object) -> Answer:
    """Narrow what was written to an answer of the prediction's kind.

    Outer space and the case of a choice don't matter; ids may also come as one text
    with spaces or commas. Raises `ValueError` saying what is due.
    """
    answer: Answer | None = None
    match prediction.kind:
        case "number":
            answer = _number(value)
        case "ids":
            answer = _ids(value)
        case "choice" if isinstance(value, str):
            letter = value.strip().lower()
            answer = letter if letter in prediction.choices else None
        case "id":
            answer = NO_ID if value is None else _id(value)
    if answer is None:
        wanted = _WANTED[prediction.kind]
        if prediction.choices:
            wanted += f": {', '.join(prediction.choices)}"
        raise ValueError(f"{prediction.name}: the answer is {wanted}, not {_short(value)}.")
    return answer


def question_text(prediction: Prediction) -> str:
    """The question with its choices, at 80 columns."""
    lines = [wrapped(prediction.question)]
    for letter, choice in prediction.choices.items():
        lines.append(
            textwrap.fill(choice, WIDTH, initial_indent=f"  {letter}) ", subsequent_indent=" " * 5)
        )
    return "\n".join(lines)


def find_prediction(course: Course, name: str) -> Prediction:
    """The prediction of this name; `CoursekitError` names the known ones."""
    for prediction in predictions_of(course):
        if prediction.name == name:
            return prediction
    known = ", ".join(each.name for each in predictions_of(course))
    raise CoursekitError(f"There is no prediction {name!r}. There are: {known}")


@cache
def predictions_of(course: Course) -> tuple[Prediction, ...]:
    """All predictions, in the order of the course."""
    if not course.predictions.is_file():
        return ()
    tables = tomllib.loads(course.predictions.read_text(encoding="utf-8")).get("prediction", ())
    return tuple(_prediction(table) for table in tables)


def _prediction(table: dict[str, Any]) -> Prediction:
    return Prediction(
        name=table["name"],
        kind=table["kind"],
        question=" ".join(table["question"].split()),
        choices=table.get("choices", {}),
        answer=table["answer"],
        right=" ".join(table["right"].split()),
        wrong=tuple(
            (each["answer"], " ".join(each["why"].split())) for each in table.get("wrong", ())
        ),
        otherwise=" ".join(table["otherwise"].split()),
    )


def _practice_folder(folder: Path | None) -> Path | None:
    """The folder whose progress file stores answers; None outside of any."""
    from coursekit.workbook import practice

    try:
        return practice.find(folder)
    except CoursekitError:
        if folder is not None:
            raise
        return None


def _store(name: str, answer: Answer, folder: Path) -> None:
    progress = Progress(folder)
    if progress.predictions.get(name) != answer:
        progress.mark_prediction(name, [*answer] if isinstance(answer, list) else answer)
        progress.save()


def _number(value: object) -> float | None:
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    # JSON has no infinities and no NaN. Every int is finite, even one that no float holds.
    return value if isinstance(value, int) or math.isfinite(value) else None


def _id(value: object) -> str | None:
    return value.strip() or None if isinstance(value, str) else None


def _ids(value: object) -> list[str] | None:
    if isinstance(value, str):
        value = value.replace(",", " ").split()
    if not isinstance(value, Iterable):
        return None
    ids = [_id(each) for each in value]
    return [each for each in ids if each is not None] if all(ids) else None


def _spell(answer: Answer) -> str:
    if isinstance(answer, list):
        return " ".join(answer) or "no ids"
    return f"{answer:g}" if isinstance(answer, float) else str(answer)


def _short(value: object) -> str:
    return textwrap.shorten(repr(value), 40, placeholder="…")
