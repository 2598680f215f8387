"""How a check ended: the outcome first; whatever is said of it is made from it.

`judge` compares what was observed of a case with what the reference's answers give, on the
side that no answer runs on.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from coursekit.check.case import Case, Mistake, Step
from coursekit.check.differences import is_same
from coursekit.check.protocol import (
    Ended,
    JsonObject,
    Observation,
    Raised,
    Refused,
    Request,
    Returned,
    Unwritten,
    observation_to_json,
)


class Passed(NamedTuple):
    """Every step went as the reference's did."""


class NotStarted(NamedTuple):
    """A stub was reached, at a step counted from 0; `text` is what its error says."""

    step: int
    text: str

    @property
    def lab(self) -> str | None:
        """The id of the lab that is named; None for an exercise that is no lab."""
        found = re.match(r"Lab (\S+):", self.text)
        return found[1] if found else None


class Failed(NamedTuple):
    """A step, counted from 0, went another way than the reference's; `mistake` if known."""

    step: int
    expected: Observation
    observed: Observation
    mistake: Mistake | None = None


class EndedEarly(NamedTuple):
    """The process ended during a step, counted from 0."""

    step: int
    expected: Observation
    observed: Ended


class Incomplete(NamedTuple):
    """Fewer observations came than there are steps, and nothing says why."""

    step: int


Outcome: TypeAlias = Passed | NotStarted | Failed | EndedEarly | Incomplete

AskReference: TypeAlias = Callable[[Request], Observation]
"""What the reference's answers give for one request."""


def judge(
    case: Case,
    expected: Sequence[Observation],
    observed: Sequence[Observation],
    ask_reference: AskReference,
) -> Outcome:
    """The outcome of a case: that of the first step that went another way."""
    for at, wanted in enumerate(expected):
        if at >= len(observed):
            return Incomplete(at)
        step, came = case.steps[at], observed[at]
        if isinstance(came, Ended):
            return EndedEarly(at, wanted, came)
        if not agrees(step, wanted, came):
            if isinstance(came, Unwritten):
                return NotStarted(at, came.note.text)
            return Failed(at, wanted, came, _mistake(step, came, ask_reference))
    return Passed()


def agrees(step: Step, expected: Observation, observed: Observation) -> bool:
    """Whether an observation is what the reference gave; notes don't count."""
    match expected, observed:
        case Returned(wanted), Returned(came):
            return is_same(wanted, came)
        case Refused(), Refused():
            named = step.named(expected) == step.named(observed)
            return named and step.caused(expected) == step.caused(observed)
        case Raised(wanted_error), Raised(error):
            return wanted_error == error
        case _:
            return False


def compared_json(step: Step, observation: Observation) -> JsonObject:
    """The part of an observation that is compared, as notebooks store it."""
    if isinstance(observation, Refused):
        part: JsonObject = {"refused": [*step.named(observation)]}
        return part | {"cause": [*step.caused(observation)]} if step.wording.is_chained else part
    part = observation_to_json(observation)
    return {key: value for key, value in part.items() if key != "note"}


def _mistake(step: Step, observed: Observation, ask_reference: AskReference) -> Mistake | None:
    """The step's known mistake, if what came is what that mistake leads to."""
    mistake = step.mistake
    if mistake is None or not isinstance(observed, Returned):
        return None
    alike = ask_reference(mistake.request)
    if not isinstance(alike, Returned):
        return None
    same = step.wording.is_alike(alike.value, observed.value)
    return mistake if same else None
