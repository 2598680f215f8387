"""Checks: run cases beside a learner's saved files, compare, explain.

The comparison is made here, in a process that no answer runs in, with what the
reference gives for the same case.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from coursekit.workbook.answers import observe_answers
from coursekit.workbook.cases import Case, build
from coursekit.workbook.explain import explain
from coursekit.workbook.manifest import Lab, find_labs
from coursekit.workbook.observe import observe, without_note


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

    def __str__(self) -> str:
        lines = []
        for lab, results in self.labs().items():
            lines.append(f"{lab}: {sum(result.passed for result in results)}/{len(results)}")
            for result in results:
                mark = "✓" if result.passed else "✗"
                lines.append(f"  {mark} {result.name}  {result.title}")
                if not result.passed:
                    lines += [f"    {line}".rstrip() for line in result.message.splitlines()]
        if self.printed and self.passed < self.total:
            lines += ["your code printed:"]
            lines += [f"    {line}" for line in self.printed.splitlines()[:20]]
        return "\n".join(lines)


def run(labs: Sequence[str], folder: Path, variant: int = 0) -> Report:
    """Check `labs` (all when empty) against the saved files in `folder`."""
    chosen = find_labs(labs)
    cases = [build(check, variant) for lab in chosen for check in lab.checks]
    seen = observe_answers(cases, folder)
    titles = {check: (lab, title) for lab in chosen for check, title in lab.checks.items()}
    return Report(
        [_judge(case, *titles[case.check], seen.steps[case.check]) for case in cases], seen.printed
    )


def expect(case: Case) -> list[dict[str, Any]]:
    """What the reference gives for each step of a case."""
    return observe_case(case, lambda name: import_module(f"coursekit.{name}"))


def observe_case(case: Case, load: Callable[[str], Any]) -> list[dict[str, Any]]:
    """Run a case's steps here, beside the modules that `load` gives; notes left out."""
    held: dict[str, Any] = {}
    return [without_note(observe(step.ask, held, load)) for step in case.steps]


def _judge(case: Case, lab: Lab, title: str, observed: list[dict[str, Any]]) -> CheckResult:
    message = ""
    for at, wanted in enumerate(expect(case)):
        if at >= len(observed) or without_note(observed[at]) != wanted:
            message = explain(case, at, wanted, observed[at])
            break
    return CheckResult(case.check, lab.id, title, not message, message)
