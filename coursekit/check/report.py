"""Checking answers: the results of some checks, and how they come about.

The comparison is made here, in a process that no answer runs in, with what the
reference's answers give for the same case.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from coursekit.check.case import Case
from coursekit.check.course import Check, Course
from coursekit.check.explanation import explain
from coursekit.check.observing import FindModule, Observations, load_observations, observe
from coursekit.check.outcome import AskReference, Failed, NotStarted, Outcome, Passed, judge
from coursekit.check.protocol import JsonObject, Observation, Request
from coursekit.check.source_text import is_stub
from coursekit.check.supervision import observe_answers


class CheckResult(NamedTuple):
    """One check: its name (`"11.2/1"`), its lab's id, title, outcome, and what there is to say."""

    name: str
    lab: str
    title: str
    outcome: Outcome
    message: str

    @property
    def passed(self) -> bool:
        """Whether the check passed."""
        return isinstance(self.outcome, Passed)


class Report(NamedTuple):
    """The results of some checks, in the labs' order; `printed` is what answers printed."""

    results: list[CheckResult]
    printed: str = ""

    @property
    def passed(self) -> int:
        """How many checks passed."""
        return sum(result.passed for result in self.results)

    @property
    def total(self) -> int:
        """How many checks there are."""
        return len(self.results)

    def labs(self) -> dict[str, list[CheckResult]]:
        """The results of each lab."""
        grouped: dict[str, list[CheckResult]] = {}
        for result in self.results:
            grouped.setdefault(result.lab, []).append(result)
        return grouped

    def to_json(self) -> JsonObject:
        """The report as JSON: labs with their checks, and the sums."""
        labs: JsonObject = {}
        for lab, results in self.labs().items():
            labs[lab] = {
                "passed": sum(result.passed for result in results),
                "total": len(results),
                "checks": [
                    {"name": each.name, "passed": each.passed, "message": each.message}
                    for each in results
                ],
            }
        return {"labs": labs, "passed": self.passed, "total": self.total}


def check_answers(course: Course, labs: Sequence[str], folder: Path, variant: int = 0) -> Report:
    """Check `labs` (all when empty) against the saved files in `folder`."""
    asked = [(lab, check) for lab in course.choose(labs) for check in lab.checks]
    cases = [course.case(check.name, variant) for _, check in asked]
    observed = observe_answers(course, cases, folder)
    observations = load_observations(course.observations)
    results = []
    for (lab, check), case in zip(asked, cases, strict=True):
        outcome = judge(
            case,
            expect(course, case, observations),
            observed.steps[check.name],
            reference_of(course, observations),
        )
        if isinstance(outcome, Failed) and outcome.mistake and is_stub(course, folder, lab):
            # What else differs says nothing while the lab's function is not there.
            text = f"Lab {lab.id}: {lab.function} is not written yet"
            outcome = NotStarted(outcome.step, text)
        message = explain(course, case, outcome)
        results.append(CheckResult(check.name, lab.id, check.title, outcome, message))
    return Report(results, observed.printed)


def checks_of(course: Course) -> list[Check]:
    """Every check of a course, in order."""
    return [check for lab in course.labs for check in lab.checks]


def expect(course: Course, case: Case, observations: Observations) -> list[Observation]:
    """What the reference's answers give for each step of a case."""
    return observe_case(case, course.reference_module, observations)


def observe_case(case: Case, find: FindModule, observations: Observations) -> list[Observation]:
    """Run a case's steps here, beside the modules that `find` returns."""
    held: dict[str, object] = {}
    return [observe(_crossed(step.request), held, find, observations) for step in case.steps]


def reference_of(course: Course, observations: Observations) -> AskReference:
    """Asks the reference's answers for single requests."""

    def ask(request: Request) -> Observation:
        return observe(_crossed(request), {}, course.reference_module, observations)

    return ask


def _crossed(request: Request) -> Request:
    """The request as it would be elsewhere, so that no object of a case is the answer's."""
    return Request(request.observation, json.loads(json.dumps(request.arguments)))
