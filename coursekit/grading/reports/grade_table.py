"""grades.csv: one row for each student."""

import csv
import io
from collections.abc import Sequence

from coursekit.check.course import Course
from coursekit.grading.comparison import similarity
from coursekit.grading.comparison.similarity import Flags
from coursekit.grading.record import StudentRecord
from coursekit.grading.reports import safe_text


def columns(course: Course) -> list[str]:
    """The columns of grades.csv."""
    labs = [lab.id for lab in course.labs]
    return ["student", "status", *labs, "total", "max", "predictions", "flags"]


def as_csv(course: Course, records: Sequence[StudentRecord], flags: Flags) -> str:
    """The table as CSV; what this machine could not say is left empty, never zero."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns(course))
    for record in records:
        labs = [record.passed(lab.id) for lab in course.labs]
        writer.writerow(
            [
                safe_text.cell(record.student),
                record.status,
                *labs,
                record.total,
                len(record.verdicts),
                record.predictions,
                safe_text.cell(similarity.in_one_line(flags.get(record.student, {}))),
            ]
        )
    return out.getvalue()
