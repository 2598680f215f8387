"""From what was seen to verdicts: a check passed or not, and what there is to say.

nbval has compared what calls returned. Here the names are looked for in what refusals say,
and a check that did not pass gets the message that a learner would see. What came from
a sandbox is data of any shape, and is treated so.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from coursekit.grading.graded_notebook import Station
from coursekit.grading.reports import safe_text
from coursekit.grading.runner import EarlyEnd, StationResult
from coursekit.workbook import manifest
from coursekit.workbook.cases import Case
from coursekit.workbook.differences import same
from coursekit.workbook.explain import explain
from coursekit.workbook.observer import named, without_note

Status = Literal["ok", "timeout", "memory", "crash", "unreadable", "infrastructure"]

_STATUS: dict[EarlyEnd, Status] = {
    "time": "timeout",
    "memory": "memory",
    "exit": "crash",
    "output": "crash",
}


@dataclass(frozen=True)
class CheckVerdict:
    """One check: whether it passed, what there is to say, and in short what came."""

    check: str
    passed: bool
    message: str = ""
    wrong: str = ""

    def to_json(self) -> dict[str, Any]:
        """The verdict as JSON."""
        return asdict(self)


def judge(
    stations: Sequence[Station], seen: Mapping[str, StationResult], *, show_expected: bool
) -> list[CheckVerdict]:
    """The verdicts of all checks, in order."""
    verdicts: list[CheckVerdict] = []
    for station in stations:
        if station.case is not None:
            came = seen.get(station.name, StationResult())
            verdicts.append(_verdict(station, station.case, came, show_expected))
    failed = [verdict.check for verdict in verdicts if not verdict.passed]
    return [_with_earlier(verdict, failed) for verdict in verdicts]


def status(stations: Sequence[Station], seen: Mapping[str, StationResult]) -> Status:
    """How the run went, apart from the score: the first thing that ended a check early."""
    for station in stations:
        came = seen.get(station.name, StationResult())
        ended = came.ended or came.before
        if ended is not None:
            return _STATUS[ended]
        if any('"raised": "MemoryError"' in (each or "") for each in came.observed):
            return "memory"
    return "ok"


def _verdict(
    station: Station, case: Case, came: StationResult, show_expected: bool
) -> CheckVerdict:
    alike = came.ended is None and len(came.verdicts) == len(station.cells) and all(came.verdicts)
    try:
        observed = _observations(station, case, came)
        if alike and _refusals(observed) == _refusals(station.expected):
            return CheckVerdict(station.name, True)
        message, wrong = _first_difference(station, case, observed, came, show_expected)
    except Exception:  # no shape of data may cost another student a report
        message, wrong = "what came back could not be read", "unreadable"
    return CheckVerdict(station.name, False, safe_text.text(message), safe_text.line(wrong))


def _refusals(observations: Sequence[Mapping[str, Any]]) -> list[tuple[Any, Any] | None]:
    """Step by step, which names a refusal holds, and which its cause; None for the others."""
    return [
        (each["refused"], each.get("cause")) if "refused" in each else None for each in observations
    ]


def _first_difference(
    station: Station,
    case: Case,
    observed: Sequence[dict[str, Any]],
    came: StationResult,
    show_expected: bool,
) -> tuple[str, str]:
    """The message for the first step that went another way, and in short what came."""
    expected = station.expected
    for at, wanted in enumerate(expected):
        if at >= len(observed):
            break
        if not same(without_note(observed[at]), wanted):
            message = explain(case, at, wanted, observed[at], show_expected=show_expected)
            return message, f"{case.steps[at].call}: {_short(observed[at])}"
    if came.ended is not None:
        at = min(len(observed), len(expected) - 1)
        ended = {"ended": came.ended, "loading": came.while_loading}
        message = explain(case, at, expected[at], ended, show_expected=show_expected)
        return message, f"stopped: {came.ended}"
    return "the cell that makes these calls did not come to its end", "no result"


def _observations(station: Station, case: Case, came: StationResult) -> list[dict[str, Any]]:
    """The observations step by step, as far as they came, names and notes put in."""
    found: list[dict[str, Any]] = []
    for cell, *texts in zip(station.cells, came.observed, came.refusals, came.notes, strict=False):
        shown, refusals, notes = map(_list, texts)
        if len(shown) != len(cell.steps):
            break
        rest = [None] * len(shown)  # where refusals or notes are no list, or a shorter one
        for at, *each in zip(cell.steps, shown, refusals + rest, notes + rest, strict=False):
            found.append(_observation(case.steps[at].ask, *each))
    return found


def _list(text: str | None) -> list[Any]:
    try:
        value = json.loads(text or "null")
    except (ValueError, RecursionError):
        return []
    return value if isinstance(value, list) else []


def _observation(ask: dict[str, Any], value: Any, refusal: Any, words: Any) -> dict[str, Any]:
    """An observation that explaining can rely on, whatever was sent."""
    observation = dict(value) if isinstance(value, dict) else {"raised": "nothing that can be read"}
    if "refused" in observation and "names" in ask:
        texts = refusal if isinstance(refusal, list) else []
        whole = len(texts) == 2 and all(isinstance(each, str) for each in texts)
        observation = named({"refused": texts if whole else ["", ""]}, ask)
    if "returned" not in observation:
        observation["note"] = _note(words if isinstance(words, dict) else {})
    return observation


def _note(words: Mapping[str, Any]) -> dict[str, Any]:
    """The wording that came with an observation, each part of the type that it should have."""
    note: dict[str, Any] = {key: str(words.get(key, "")) for key in ("error", "text", "held")}
    if type(words.get("line")) is int:
        note |= {key: str(words.get(key, "")) for key in ("file", "source")}
        note["line"] = words["line"]
        caller = words.get("caller")
        if isinstance(caller, dict) and type(caller.get("line")) is int:
            note["caller"] = {"file": str(caller.get("file", "")), "line": caller["line"]}
    return note


def _short(observation: Mapping[str, Any]) -> str:
    if "returned" in observation:
        return "another result"
    if "refused" in observation:
        return "refused"
    note = observation.get("note", {})
    return str(observation.get("raised") or observation.get("unfinished") or note.get("error"))


def _with_earlier(verdict: CheckVerdict, failed: Sequence[str]) -> CheckVerdict:
    """Say which earlier check to mend first, if this one needs it."""
    if verdict.passed:
        return verdict
    lab = manifest.lab_of(verdict.check)
    earlier = next((each for each in failed if manifest.lab_of(each).id in lab.builds_on), None)
    if earlier is None:
        return verdict
    hint = f"Mend {earlier} first: lab {lab.id} builds on it."
    return CheckVerdict(verdict.check, False, f"{verdict.message}\n{hint}", verdict.wrong)
