"""From what was seen to verdicts: a check passed or not, and what there is to say.

nbval has compared what calls returned. Here the names are looked for in what refusals say,
and a check that did not pass gets the message that a learner would see. What came from a
sandbox is data of any shape, and is treated so.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Literal

from coursekit.check.case import Case
from coursekit.check.course import Course
from coursekit.check.explanation import explain
from coursekit.check.observing import NOT_DONE, load_observations
from coursekit.check.outcome import (
    AskReference,
    EndedEarly,
    Failed,
    Incomplete,
    NotStarted,
    Outcome,
    Passed,
    agrees,
    judge,
)
from coursekit.check.protocol import (
    Ended,
    EndedBy,
    JsonObject,
    JsonValue,
    Observation,
    Raised,
    Refused,
    Returned,
    note_of,
    observation_from_json,
)
from coursekit.check.report import reference_of
from coursekit.grading.graded_notebook import Station
from coursekit.grading.reports import safe_text
from coursekit.grading.runner import StationResult

Status = Literal["ok", "timeout", "memory", "crash", "unreadable", "infrastructure"]

_STATUS: dict[EndedBy, Status] = {
    "time": "timeout",
    "memory": "memory",
    "exit": "crash",
    "output": "crash",
    "crash": "crash",
}


@dataclass(frozen=True)
class CheckVerdict:
    """One check: whether it passed, what there is to say, and in short what came."""

    check: str
    passed: bool
    message: str = ""
    wrong: str = ""

    def to_json(self) -> JsonObject:
        """The verdict as JSON."""
        return asdict(self)


def judge_run(
    course: Course,
    stations: Sequence[Station],
    seen: Mapping[str, StationResult],
    *,
    show_expected: bool,
) -> list[CheckVerdict]:
    """The verdicts of all checks, in order."""
    ask_reference = reference_of(course, load_observations(course.observations))
    verdicts: list[CheckVerdict] = []
    for station in stations:
        if station.case is not None:
            came = seen.get(station.name, StationResult())
            verdicts.append(
                _verdict(course, station, station.case, came, show_expected, ask_reference)
            )
    failed = [verdict.check for verdict in verdicts if not verdict.passed]
    return [_with_earlier(course, verdict, failed) for verdict in verdicts]


def status(stations: Sequence[Station], seen: Mapping[str, StationResult]) -> Status:
    """How the run went, apart from the score: the first thing that ended a check early."""
    for station in stations:
        came = seen.get(station.name, StationResult())
        ended = came.ended or came.before
        if ended is not None:
            return _STATUS[ended]
        observed = _observations(station, came)
        if any(isinstance(each, Raised) and each.error == "MemoryError" for each in observed):
            return "memory"
    return "ok"


def _verdict(
    course: Course,
    station: Station,
    case: Case,
    came: StationResult,
    show_expected: bool,
    ask_reference: AskReference,
) -> CheckVerdict:
    try:
        outcome = _outcome(station, case, came, ask_reference)
        if isinstance(outcome, Passed):
            return CheckVerdict(station.name, True)
        message = explain(course, case, outcome, show_expected=show_expected)
        wrong = _in_short(case, outcome)
    except Exception:  # no shape of data may cost another student a report
        message, wrong = "what came back could not be read", "unreadable"
    return CheckVerdict(station.name, False, safe_text.text(message), safe_text.line(wrong))


def _outcome(
    station: Station, case: Case, came: StationResult, ask_reference: AskReference
) -> Outcome:
    """The outcome of a check; it has passed only if nbval says so, and refusals agree."""
    observed = _observations(station, came)
    alike = came.ended is None and len(came.verdicts) == len(station.cells) and all(came.verdicts)
    if alike and len(observed) == len(case.steps):
        expected = zip(case.steps, station.expected, observed, strict=True)
        if all(agrees(*each) for each in expected if isinstance(each[1], Refused)):
            return Passed()
    outcome = judge(case, station.expected, observed, ask_reference)
    if isinstance(outcome, Passed | Incomplete):
        at = min(len(observed), len(case.steps) - 1)
        if came.ended is None:
            return Incomplete(at)
        return EndedEarly(at, station.expected[at], Ended(came.ended, came.while_loading))
    return outcome


def _observations(station: Station, came: StationResult) -> list[Observation]:
    """The observations step by step, as far as they came."""
    found: list[Observation] = []
    for cell, *texts in zip(station.cells, came.observed, came.refusals, came.notes, strict=False):
        shown, refusals, notes = map(_list, texts)
        if len(shown) != len(cell.steps):
            break
        # Where refusals or notes are no list, or a shorter one.
        rest: list[JsonValue] = [None] * len(shown)
        parts = zip(shown, refusals + rest, notes + rest, strict=False)
        found += [_observation(*each) for each in parts]
    return found


def _observation(value: JsonValue, refusal: JsonValue, note: JsonValue) -> Observation:
    """An observation put together from its three parts."""
    parts = dict(value) if isinstance(value, dict) else {}
    if "refused" in parts:
        parts = {"refused": refusal}
    return observation_from_json(parts | {"note": note})


def _list(text: str | None) -> list[JsonValue]:
    try:
        value = json.loads(text or "null")
    except (ValueError, RecursionError):
        return []
    return value if isinstance(value, list) else []


def _in_short(case: Case, outcome: Outcome) -> str:
    match outcome:
        case Failed(at, _, observed):
            return f"{case.steps[at].call}: {_kind(observed)}"
        case NotStarted(at):
            return f"{case.steps[at].call}: {NOT_DONE}"
        case EndedEarly(_, _, ended):
            return f"stopped: {ended.by}"
        case _:
            return "no result"


def _kind(observed: Observation) -> str:
    match observed:
        case Returned():
            return "another result"
        case Refused():
            return "refused"
        case Raised(error):
            return error
        case _:
            return note_of(observed).error


def _with_earlier(course: Course, verdict: CheckVerdict, failed: Sequence[str]) -> CheckVerdict:
    """Say which earlier check to mend first, if this one needs it."""
    if verdict.passed:
        return verdict
    lab = course.lab_of(verdict.check)
    earlier = next((each for each in failed if course.lab_of(each).id in lab.builds_on), None)
    if earlier is None:
        return verdict
    hint = f"Mend {earlier} first: lab {lab.id} builds on it."
    return CheckVerdict(verdict.check, False, f"{verdict.message}\n{hint}", verdict.wrong)
