"""Hints: one after another, counted in the progress file."""

from pathlib import Path

from coursekit.course import COURSE
from coursekit.workbook import hints
from coursekit.workbook.progress import Progress

LAB = COURSE.find("11.2")


def test_hints_come_one_after_another_and_the_last_one_stays(folder: Path) -> None:
    texts = [hints.next_hint(folder, LAB) for _ in range(4)]
    assert [text.splitlines()[0] for text in texts] == [
        "Hint 1 of 3, lab 11.2",
        "Hint 2 of 3, lab 11.2",
        "Hint 3 of 3, lab 11.2",
        "Hint 3 of 3, lab 11.2",
    ]
    assert [text.split("\n\n")[1] for text in texts[:3]] == list(LAB.hints)
    assert ["That was the last hint." in text for text in texts] == [False, False, True, True]
    assert "`coursekit reveal 11.2` fills it in." in texts[2]
    assert Progress(folder).hints("11.2") == 3


def test_an_exercise_without_checks_is_called_by_its_id_alone(folder: Path) -> None:
    assert COURSE.transfer is not None
    first = hints.next_hint(folder, COURSE.transfer).splitlines()[0]
    assert first == "Hint 1 of 3, ledger"
