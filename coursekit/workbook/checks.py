"""Checks: run cases beside a learner's saved files, compare, explain.

The comparison is made here, in a process that no answer runs in, with what the
reference gives for the same case.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import zip_longest
from pathlib import Path
from typing import Any

from coursekit.workbook import edits, manifest
from coursekit.workbook.answers import observe_answers
from coursekit.workbook.cases import Case, build
from coursekit.workbook.differences import same
from coursekit.workbook.explain import NOT_CALLED, explain
from coursekit.workbook.observer import observe, without_note


@dataclass(frozen=True)
class CheckResult:
    """One check: its name (`"11.2/1"`), its title, the verdict, and what there is to say."""

    name: str
    lab: str
    title: str
    passed: bool
    message: str


@dataclass(frozen=True)
class Report:
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

    def to_json(self) -> dict[str, Any]:
        """The report as JSON: labs with their checks, and the sums."""
        return {
            "labs": {
                lab: {
                    "passed": sum(result.passed for result in results),
                    "total": len(results),
                    "checks": [
                        {"name": each.name, "passed": each.passed, "message": each.message}
                        for each in results
                    ],
                }
                for lab, results in self.labs().items()
            },
            "passed": self.passed,
            "total": self.total,
        }


def run(labs: Sequence[str], folder: Path, variant: int = 0) -> Report:
    """Check `labs` (all when empty) against the saved files in `folder`."""
    asked = [(lab, check) for lab in manifest.choose(labs) for check in lab.checks]
    cases = [build(check.name, variant) for _, check in asked]
    seen = observe_answers(cases, folder)
    results = []
    for (lab, check), case in zip(asked, cases, strict=True):
        message = first_wrong(case, expect(case), seen.steps[check.name])
        if NOT_CALLED in message and edits.is_stub(folder, lab):
            # What else differs says nothing while the lab's function is not there.
            message = f"not started: Lab {lab.id}: {lab.function} is not written yet"
        results.append(CheckResult(check.name, lab.id, check.title, not message, message))
    return Report(results, seen.printed)


def expect(case: Case) -> list[dict[str, Any]]:
    """What the reference gives for each step of a case."""
    return observe_case(case, lambda name: import_module(f"coursekit.{name}"))


def observe_case(case: Case, load: Callable[[str], Any]) -> list[dict[str, Any]]:
    """Run a case's steps here, beside the modules that `load` gives; notes left out.

    The steps cross as JSON here too, so that no object of the case is the answer's.
    """
    held: dict[str, Any] = {}
    asks = json.loads(json.dumps([step.ask for step in case.steps]))
    return [without_note(observe(ask, held, load)) for ask in asks]


def first_wrong(case: Case, expected: list[dict[str, Any]], observed: list[dict[str, Any]]) -> str:
    """What there is to say of the first step that went another way; else nothing."""
    nothing: dict[str, Any] = {}
    pairs = zip_longest(expected, observed, fillvalue=nothing)
    for at, (wanted, came) in enumerate(pairs):
        if not same(wanted, without_note(came)):
            return explain(case, at, wanted, came)
    return ""
