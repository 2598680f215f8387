"""grades.csv: columns, partial credit, and what could not be graded."""

import csv
import io

from coursekit.course import COURSE
from coursekit.grading.record import StudentRecord
from coursekit.grading.reports import grade_table
from tests.grading.reports.student_records import CHECKS, made


def rows(records: list[StudentRecord]) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(grade_table.as_csv(COURSE, records, {}))))


def test_the_columns_are_those_promised() -> None:
    header = grade_table.as_csv(COURSE, [], {}).strip()
    assert header == "student,status,11.1,11.2,11.3,11.4,11.5,total,max,predictions,flags"


def test_partial_credit_by_check() -> None:
    (row,) = rows([made("Ana", failing=("11.2/1", "11.4/2"))])
    assert [row[lab.id] for lab in COURSE.labs] == ["3", "2", "3", "1", "3"]
    assert (row["total"], row["max"], row["predictions"]) == ("12", "14", "3")


def test_what_this_computer_could_not_tell_is_no_zero() -> None:
    (row,) = rows([made("Ana", "infrastructure", tuple(CHECKS))])
    assert [row[lab.id] for lab in COURSE.labs] == [""] * 5
    assert row["total"] == ""
