"""The account as a table: every file in it, 80 columns, and nothing that acts."""

import csv
import io
from collections.abc import Sequence

import pytest
from wcwidth import wcswidth

from coursekit.grading.intake.account import Account, FileAccount, StudentAccount
from coursekit.grading.intake.account_table import account_text, students_csv


def student(
    *files: FileAccount,
    name: str = "Ana",
    late: bool | None = None,
    attempts: Sequence[str] = (),
) -> StudentAccount:
    return StudentAccount(name, name, "12", "incomplete", late, attempts, ["context.py"], files)


def lines(*students: StudentAccount) -> list[str]:
    return account_text(Account("folders", students, [])).splitlines()


def test_a_student_and_each_of_the_files_have_a_line() -> None:
    taken = FileAccount("Ana/s.py", "taken", "it is")
    stray = FileAccount("notes", "not understood")
    ana = student(taken, late=True, attempts=("one", "two", "three"))
    assert account_text(Account("folders", [ana], [stray])).splitlines() == [
        "Ana · 12 · incomplete · late · three, the newest of 3",
        "  taken           Ana/s.py: it is",
        "  missing         context.py",
        "Of no student",
        "  not understood  notes",
        "",
        "2 files: 1 taken, 0 set aside, 1 not understood.",
        "1 student: 1 incomplete; 1 late. Layout: folders.",
    ]


def test_many_files_set_aside_for_one_reason_are_one_line() -> None:
    files = [FileAccount(f"Ana/data/{number}", "set aside", "none") for number in range(4)]
    assert "  set aside       Ana/data/… (4 files): none" in lines(student(*files))
    assert "  set aside       Ana/data/2: none" in lines(student(*files[:3]))


@pytest.mark.parametrize("letter", ["a", "李", "é"])
def test_no_line_is_wider_than_a_terminal(letter: str) -> None:
    long = letter * 150
    found = lines(student(FileAccount(long, "taken", long), name=long))
    assert max(map(wcswidth, found)) <= 80
    assert sum("…" in line for line in found) == 3


def test_no_name_acts_on_a_terminal_or_a_spreadsheet() -> None:
    ana = student(FileAccount("\x1b[2Jx", "taken"), name="=cmd()")
    assert "\x1b" not in "\n".join(lines(ana))
    assert "'=cmd()" in students_csv(Account("folders", [ana], []))


@pytest.mark.parametrize(("late", "text"), [(None, ""), (True, "yes"), (False, "no")])
def test_a_student_has_a_row_with_late_in_a_column_of_its_own(late: bool | None, text: str) -> None:
    ana = student(late=late, attempts=("one", "two"))
    [row] = csv.DictReader(io.StringIO(students_csv(Account("folders", [ana], []))))
    assert row == {
        "student": "Ana",
        "name": "Ana",
        "id": "12",
        "status": "incomplete",
        "late": text,
        "attempts": "2",
        "counts": "two",
        "missing": "context.py",
    }
