"""All reports of a class, each file written whole."""

import threading
from collections.abc import Iterable
from pathlib import Path

from coursekit.grading import clean, flags
from coursekit.grading.record import Record, Run, replace_file
from coursekit.grading.report_feedback import as_feedback
from coursekit.grading.report_index import as_index
from coursekit.grading.report_junit import as_junit
from coursekit.grading.report_table import as_csv, as_json


class Reports:
    """The reports in a folder; may be used by several threads."""

    def __init__(self, out: Path, run: Run, students: int) -> None:
        self._out = out
        self._run = run
        self._students = students
        self._records: dict[str, Record] = {}
        self._writing = threading.Lock()
        (out / "feedback").mkdir(parents=True, exist_ok=True)

    def add(self, record: Record) -> None:
        """Take a student's result in and write the student's own page."""
        with self._writing:
            self._records[record.student] = record
        name = f"{clean.file_name(record.student)}.html"
        replace_file(self._out / "feedback" / name, as_feedback(record))

    def write(self) -> None:
        """Write the tables and the page of the class, as far as results are in."""
        with self._writing:
            records = sorted(self._records.values(), key=lambda record: record.student)
            told = flags.flags({record.student: record.fingerprints for record in records})
            waiting = self._students - len(records)
            for name, text in _files(records, told, self._run, waiting):
                replace_file(self._out / name, text)


def _files(
    records: list[Record], told: dict[str, dict[str, str]], run: Run, waiting: int
) -> Iterable[tuple[str, str]]:
    yield "grades.csv", as_csv(records, told)
    yield "grades.json", as_json(records, told, run)
    yield "junit.xml", as_junit(records)
    yield "index.html", as_index(records, told, run, waiting)
