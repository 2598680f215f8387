"""Right answers in quite different styles: every check takes every one of them."""

from pathlib import Path

import pytest
from answers import CHECKS, Answers, messages, solved

RIGHT = Path(__file__).parent / "right"
STYLES = sorted(folder.name for folder in RIGHT.iterdir() if folder.is_dir())


def solution(style: str) -> Answers:
    """The reference's answers, this style's functions below them: the last ones count."""
    told = {module: solved(module) for module in ("session.py", "context.py")}
    for path in (RIGHT / style).iterdir():
        told[path.name] += "\n\n" + path.read_text(encoding="utf-8")
    return Answers(told["session.py"], told["context.py"])


def test_there_are_many_styles() -> None:
    assert len(STYLES) >= 15


@pytest.mark.parametrize("style", STYLES)
def test_a_right_answer_passes_all_checks(style: str) -> None:
    answers = solution(style)
    for variant in range(4):
        _expect_nothing_to_say(answers, variant)


@pytest.mark.gate
@pytest.mark.parametrize("style", STYLES)
def test_a_right_answer_passes_at_every_variant(style: str) -> None:
    answers = solution(style)
    for variant in range(4, 30):
        _expect_nothing_to_say(answers, variant)


def _expect_nothing_to_say(answers: Answers, variant: int) -> None:
    for name, message in messages(answers, CHECKS, variant).items():
        if message:
            pytest.fail(f"{name} at variant {variant}\n{message}", pytrace=False)
