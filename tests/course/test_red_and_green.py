"""A starter fails its own checks and no earlier one; with the reference every check passes."""

from pathlib import Path

import pytest

from coursekit.check.course import Lab
from coursekit.check.report import check_answers
from coursekit.course import COURSE
from coursekit.workbook import answer_files, practice

LABS = COURSE.labs
VARIANTS = range(1, 13)
"""Variants of each case that are tried beside the source's own, 0."""


def up_to(folder: Path, number: int) -> Path:
    """A practice folder with the first labs filled in and the others as they came."""
    practice.make(COURSE, folder)
    for lab in LABS[:number]:
        answer_files.reveal(COURSE, folder, lab)
    return folder


@pytest.mark.parametrize("number", range(len(LABS) + 1))
def test_what_is_done_passes_and_each_check_of_the_rest_fails(tmp_path: Path, number: int) -> None:
    report = check_answers(COURSE, [], up_to(tmp_path / "practice", number))
    done = {lab.id for lab in LABS[:number]}
    assert {each.name: each.passed for each in report.results} == {
        check.name: lab.id in done for lab in LABS for check in lab.checks
    }


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.id)
def test_the_next_lab_reads_as_not_started_and_names_itself(tmp_path: Path, lab: Lab) -> None:
    report = check_answers(COURSE, [lab.id], up_to(tmp_path / "practice", LABS.index(lab)))
    for result in report.results:
        assert f"not started: Lab {lab.id}: {lab.function}" in result.message, result.name


@pytest.mark.gate
@pytest.mark.parametrize("variant", VARIANTS)
def test_at_every_variant_too(tmp_path: Path, variant: int) -> None:
    for number in (0, len(LABS)):
        report = check_answers(COURSE, [], up_to(tmp_path / str(number), number), variant)
        assert {each.passed for each in report.results} == {number > 0}


@pytest.mark.gate
@pytest.mark.parametrize(
    "check", [check.name for lab in LABS for check in lab.checks], ids=lambda name: name
)
def test_a_variant_is_the_same_each_time_and_unlike_the_others(check: str) -> None:
    built = [COURSE.case(check, variant) for variant in (0, *VARIANTS)]
    asks = [str([step.request for step in case.steps]) for case in built]
    assert len(set(asks)) == len(asks)
    again = [COURSE.case(check, variant) for variant in (0, *VARIANTS)]
    assert [str([step.request for step in case.steps]) for case in again] == asks
