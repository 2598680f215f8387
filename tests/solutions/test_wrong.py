"""Plausible wrong answers: each is caught, by its own check and with its own idea."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from coursekit.course import COURSE
from tests.solutions.answers import CHECKS, Answers, messages, right

WRONG = Path(__file__).parent / "wrong"


@dataclass(frozen=True)
class Wrong:
    """A wrong answer of one lab: the reference with some of its text replaced."""

    lab: str
    name: str
    module: str
    caught_by: str
    idea: str
    patch: tuple[tuple[str, str], ...]
    also: tuple[str, ...] = ()

    def answers(self) -> Answers:
        """The reference's answers, this one mistake in them."""
        return right().changed(self.module, self._patched)

    def _patched(self, text: str) -> str:
        for old, new in self.patch:
            assert text.count(old) == 1, f"{old!r} must stand there once"
            text = text.replace(old, new)
        return text


def _read() -> list[Wrong]:
    found = []
    for lab in COURSE.labs:
        path = WRONG / f"lab_{lab.id.replace('.', '_')}.toml"
        table: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        for each in table["wrong"]:
            patch = tuple((old, new) for old, new in each.pop("patch"))
            also = tuple(each.pop("also", ()))
            found.append(Wrong(lab.id, module=table["module"], patch=patch, also=also, **each))
    return found


CORPUS = _read()
IDS = [f"{wrong.lab} {wrong.name}" for wrong in CORPUS]


def test_the_corpus_covers_the_labs() -> None:
    assert len(CORPUS) >= 60
    assert {wrong.lab for wrong in CORPUS} == {lab.id for lab in COURSE.labs}
    assert {wrong.caught_by for wrong in CORPUS} == set(CHECKS)
    assert len(set(IDS)) == len(IDS)
    for wrong in CORPUS:
        # So earlier labs stay green, whatever is wrong with a later one.
        named = (wrong.caught_by, *wrong.also)
        assert all(name.startswith(wrong.lab) for name in named), wrong.name


@pytest.mark.parametrize("wrong", CORPUS, ids=IDS)
def test_a_wrong_answer_goes_red_at_its_check_and_not_before(wrong: Wrong) -> None:
    by_check = messages(wrong.answers())
    message = by_check[wrong.caught_by]
    assert wrong.idea in " ".join(message.split()), message
    assert max(map(len, message.splitlines())) <= 76
    before = CHECKS[: CHECKS.index(wrong.caught_by)]
    assert [name for name in before if by_check[name] and name not in wrong.also] == []


@pytest.mark.gate
@pytest.mark.parametrize("wrong", CORPUS, ids=IDS)
def test_a_wrong_answer_is_caught_at_every_variant(wrong: Wrong) -> None:
    answers = wrong.answers()
    missed = [
        variant
        for variant in range(1, 21)
        if not messages(answers, [wrong.caught_by], variant)[wrong.caught_by]
    ]
    assert missed == []
