"""Right answers in quite different styles: every check takes every one of them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from coursekit.course import COURSE
from coursekit.workbook import practice
from tests.solutions.answers import CHECKS, STYLES, Answers, in_style, messages


def test_there_are_many_styles() -> None:
    assert len(STYLES) >= 15


@pytest.mark.parametrize("style", STYLES)
def test_a_right_answer_passes_all_checks(style: str) -> None:
    answers = in_style(style)
    for variant in range(4):
        _expect_nothing_to_say(answers, variant)


@pytest.mark.gate
@pytest.mark.parametrize("style", STYLES)
def test_a_right_answer_passes_at_every_variant(style: str) -> None:
    answers = in_style(style)
    for variant in range(4, 30):
        _expect_nothing_to_say(answers, variant)


def _expect_nothing_to_say(answers: Answers, variant: int) -> None:
    for name, message in messages(answers, CHECKS, variant).items():
        if message:
            pytest.fail(f"{name} at variant {variant}\n{message}", pytrace=False)


@pytest.mark.gate
@pytest.mark.parametrize("style", STYLES)
def test_a_right_answer_passes_in_a_practice_folder(style: str, tmp_path: Path) -> None:
    folder = practice.make(COURSE, tmp_path / "practice")
    answers = in_style(style)
    for module in COURSE.modules:
        (folder / module).write_text(answers.text(module), encoding="utf-8")

    checked = _run(folder, "-m", "coursekit.cli", "check", "--json")
    report = json.loads(checked.stdout)
    assert (checked.returncode, report["passed"], report["total"]) == (0, 14, 14), checked.stdout
    tested = _run(folder, "-m", "pytest", "-q")
    assert (tested.returncode, "14 passed" in tested.stdout) == (0, True), tested.stdout
    notebooks = [lab.notebook for lab in COURSE.labs]  # where the check cells are
    ran = _run(folder, "-m", "pytest", "-q", "--nbval", *notebooks)
    assert ran.returncode == 0, ran.stdout


def _run(folder: Path, *command: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, *command], cwd=folder, capture_output=True, text=True, timeout=600
    )
