"""The course's checks under pytest: the same ones that `coursekit check` runs.

The answers looked at are those in the folder that the fixture `answers` returns.
"""

from pathlib import Path

import pytest

from coursekit.check.course import Check
from coursekit.check.report import CheckResult, check_answers, checks_of
from coursekit.workbook.chosen_course import course_of

COURSE = course_of(Path(__file__).parents[1])
CHECKS = checks_of(COURSE)


@pytest.fixture(scope="session")
def results(answers: Path) -> dict[str, CheckResult]:
    """How each check ends for these answers, by name."""
    report = check_answers(COURSE, [lab.id for lab in COURSE.labs], answers)
    return {result.name: result for result in report.results}


@pytest.mark.parametrize("check", CHECKS, ids=[check.name for check in CHECKS])
def test_lab(check: Check, results: dict[str, CheckResult]) -> None:
    result = results[check.name]
    if not result.passed:
        pytest.fail(f"{check.name} {check.title}\n{result.message}", pytrace=False)
