"""The course's 14 checks under pytest: the same ones that `coursekit check` runs.

The answers looked at are those in the folder that the fixture `answers` returns.
"""

from pathlib import Path

import pytest

from coursekit.workbook import manifest
from coursekit.workbook.checks import CheckResult, run

CHECKS = [check for lab in manifest.labs() for check in lab.checks]


@pytest.fixture(scope="session")
def results(answers: Path) -> dict[str, CheckResult]:
    """How each check ends for these answers, by name."""
    report = run([lab.id for lab in manifest.labs()], answers)
    return {result.name: result for result in report.results}


@pytest.mark.parametrize("check", CHECKS, ids=[check.name for check in CHECKS])
def test_lab(check: manifest.Check, results: dict[str, CheckResult]) -> None:
    result = results[check.name]
    if not result.passed:
        pytest.fail(f"{check.name} {check.title}\n{result.message}", pytrace=False)
