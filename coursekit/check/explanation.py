"""From an outcome to a message that teaches.

The message shows the call, what was expected, what came, the rule behind it, and where in
the notebook the rule is explained. It is plain text, so that a terminal, a notebook and a
graded report say the same. What is particular to one kind of call is in its `Wording`.
"""

import re
import textwrap

from coursekit.check.case import Case, Row, Step
from coursekit.check.course import Course, Lab
from coursekit.check.differences import differences, lines_of
from coursekit.check.outcome import EndedEarly, Failed, Incomplete, NotStarted, Outcome
from coursekit.check.protocol import (
    Ended,
    EndedBy,
    Note,
    Observation,
    Place,
    Refused,
    Returned,
    note_of,
)

WIDTH = 64
"""Characters of a row's text; with the names in front and an indent it fits in 80."""

ENDED: dict[EndedBy, str] = {
    "time": "it had not come to an end when its time was up: look for a loop that never stops",
    "output": "it was stopped because it printed without end",
    "exit": "it ended the whole Python process: look for a call that exits",
    "crash": "it crashed Python itself: look for a recursion that never stops",
    "memory": "it was stopped because it took too much memory",
}
"""How answer code can end a check early, in words."""


def explain(course: Course, case: Case, outcome: Outcome, *, show_expected: bool = True) -> str:
    """The message for an outcome; empty for a check that passed.

    Without `show_expected` it leaves out what was expected, and keeps call, result and rule.
    """
    match outcome:
        case NotStarted():
            return _not_started(course, case, outcome)
        case Failed(at, expected, observed):
            problem = _no_function(course, note_of(observed)) or _no_python(note_of(observed))
            if problem:
                return problem
            step = case.steps[at]
            rows = _rows(course, step, expected, observed, show_expected)
            if outcome.mistake is not None:
                rows.append(("note", outcome.mistake.remark))
            return _message(course, case, step, expected, observed, rows)
        case EndedEarly(at, expected, observed):
            step = case.steps[at]
            rows = _rows(course, step, expected, observed, show_expected)
            return _message(course, case, step, expected, observed, rows)
        case Incomplete():
            return "the cell that makes these calls did not come to its end"
        case _:
            return ""


def _rows(
    course: Course, step: Step, expected: Observation, observed: Observation, show_expected: bool
) -> list[Row]:
    rows: list[Row] = [("call", step.call)]
    if not (isinstance(expected, Returned) and isinstance(observed, Returned)):
        if show_expected:
            rows.append(("expected", _expected_text(step, expected)))
        return [*rows, ("got", _observed_text(course, step, expected, observed))]
    if show_expected or step.wording.shows_expected:
        rows += step.wording.compared(step, expected.value, observed.value)
    else:
        rows.append(("got", lines_of(differences(expected.value, observed.value))[1]))
    return rows if show_expected else [row for row in rows if row[0] != "expected"]


def _message(
    course: Course,
    case: Case,
    step: Step,
    expected: Observation,
    observed: Observation,
    rows: list[Row],
) -> str:
    wrong = ""
    if isinstance(expected, Returned):
        wrong = step.wording.first_wrong(step, expected, observed)
    rule = step.other_rules.get(wrong, step.rule)
    notebook = course.lab_of(case.check).notebook
    rows = [*rows, ("rule", rule.text), ("read", f"“{rule.heading}” in {notebook}")]
    return "\n".join(_row(*row) for row in rows)


# --- what is not there ------------------------------------------------------------


def _not_started(course: Course, case: Case, outcome: NotStarted) -> str:
    """A lab that is a stub still; it may be an earlier one than the check's own."""
    lab = course.lab_of(case.check).id
    if outcome.lab not in (None, lab):
        return f"not started: {outcome.text}. Lab {lab} builds on it."
    return f"not started: {outcome.text}"


def _no_function(course: Course, note: Note) -> str:
    """What to say when a lab's function, or its file, is not there any more; else nothing."""
    for lab in course.labs:
        if note.error == "ModuleNotFoundError" and note.module == _module(lab):
            problem = f"{lab.module} is not there: give it its name again."
            stub = f"Or begin anew: coursekit reset {lab.id} puts the starter there."
            return "\n".join([_row("got", problem), _row("next", stub)])
        if note.name == lab.function and note.module in ("", _module(lab)):
            problem = f"{lab.module} has no function {lab.function} any more."
            stub = f"coursekit reset {lab.id} puts its stub back."
            return "\n".join([_row("got", problem), _row("next", stub)])
    return ""


def _module(lab: Lab) -> str:
    return lab.module.removesuffix(".py")


def _no_python(note: Note) -> str:
    """What to say of a file that is no Python; no rule of the course speaks of that."""
    if note.error not in ("SyntaxError", "IndentationError", "TabError") or note.place is None:
        return ""
    place = note.place
    problem = f"{place.file} can't be read: line {place.line}, {note.text}"
    return _row("got", f"{problem}\n    {place.source}")


# --- expected and observed, in words ----------------------------------------------


def _expected_text(step: Step, expected: Observation) -> str:
    if isinstance(expected, Returned):
        return f"no error: it returns {step.wording.returned(expected.value)}"
    return step.wording.refusal(step)


def _observed_text(course: Course, step: Step, expected: Observation, observed: Observation) -> str:
    """What came, with the line of the answer that it came from."""
    if isinstance(observed, Ended):
        return _ended_text(observed)
    if isinstance(observed, Returned):
        return f"no error: it returned {step.wording.returned(observed.value)}"
    note = note_of(observed)
    kind = step.wording.wrong_kind(step, note)
    if kind:
        return kind + _place_text(note.place, note.caller)
    text = f"{note.error}: {note.text}".removesuffix(": ") + _place_text(note.place, note.caller)
    called = step.wording.function
    if called and note.error == "TypeError" and not note.place and re.match(_SIGNATURE, note.text):
        text += f"\nIts parameters are no longer those of the starter: {course.signature(called)}"
    if note.error == "MemoryError":
        text += "\nIt asked for more and more memory: look for a list that never stops growing."
    if isinstance(expected, Refused) and isinstance(observed, Refused):
        found = step.named(observed)
        missing = [name for name in step.named(expected) if name not in found]
        if missing:
            text += f"\nIts message does not name {' and '.join(map(repr, missing))}."
        elif step.caused(expected) != step.caused(observed):
            text += f"\n{step.wording.unchained()}"
    elif isinstance(expected, Refused) and note.error not in _SLIPS:
        file = note.place.file if note.place else "the program"
        text += f"\nThat is not a ValueError, so a caller can't tell it from a fault in {file}."
    return text


def _ended_text(ended: Ended) -> str:
    text = ENDED[ended.by]
    if ended.loading:
        text = f"while {ended.loading}.py was imported, {text}"
    return text + _place_text(ended.place)


def _place_text(place: Place | None, caller: Place | None = None) -> str:
    """Where in the answers it was, and what stands there."""
    if place is None:
        return ""
    text = f"\nat {place.file}, line {place.line}:\n    {place.source}"
    return text + (f"\ncalled from {caller.file}, line {caller.line}" if caller else "")


_SIGNATURE = r"[\w.<>]+\(\) (missing|takes|got) "
"""How Python begins when a call and a function's parameters don't fit."""

_SLIPS = ("NameError", "UnboundLocalError", "ImportError", "ModuleNotFoundError")
"""Errors that no caller is meant to tell from others: a name is wrong in the file."""


def _row(title: str, text: str) -> str:
    """A name in a narrow column, its text wrapped beside it."""
    parts = [
        part
        for line in text.splitlines() or [""]
        for part in textwrap.wrap(
            line,
            WIDTH,
            break_on_hyphens=False,
            subsequent_indent=" " * (len(line) - len(line.lstrip())),
        )
        or [""]
    ]
    return "\n".join(
        f"  {title if i == 0 else '':<9} {part}".rstrip() for i, part in enumerate(parts)
    )
