"""All reports of a class, each file written whole."""

import threading
from collections.abc import Iterable
from pathlib import Path

from coursekit.check.course import Course
from coursekit.grading.comparison import similarity
from coursekit.grading.comparison.similarity import Flags
from coursekit.grading.record import StudentRecord, replace_file
from coursekit.grading.reports import safe_text
from coursekit.grading.reports.class_index import as_index
from coursekit.grading.reports.feedback import as_feedback
from coursekit.grading.reports.grade_json import as_json
from coursekit.grading.reports.grade_table import as_csv
from coursekit.grading.reports.junit import as_junit
from coursekit.grading.run_settings import RunSettings


class ReportFolder:
    """The reports in a folder; may be used by several threads."""

    def __init__(self, course: Course, out: Path, settings: RunSettings, students: int) -> None:
        self._course = course
        self._out = out
        self._settings = settings
        self._students = students
        self._records: dict[str, StudentRecord] = {}
        self._writing = threading.Lock()
        (out / "feedback").mkdir(parents=True, exist_ok=True)

    def add(self, record: StudentRecord) -> None:
        """Take a student's result in and write the student's own page."""
        with self._writing:
            self._records[record.student] = record
        name = f"{safe_text.file_name(record.student)}.html"
        replace_file(self._out / "feedback" / name, as_feedback(self._course, record))

    def write(self) -> None:
        """Write the tables and the page of the class, as far as results are in."""
        with self._writing:
            records = sorted(self._records.values(), key=lambda record: record.student)
            flags = similarity.find_flags(
                self._course, {record.student: record.fingerprints for record in records}
            )
            ungraded = self._students - len(records)
            for name, text in _files(self._course, records, flags, self._settings, ungraded):
                replace_file(self._out / name, text)


def _files(
    course: Course, records: list[StudentRecord], flags: Flags, settings: RunSettings, ungraded: int
) -> Iterable[tuple[str, str]]:
    yield "grades.csv", as_csv(course, records, flags)
    yield "grades.json", as_json(course, records, flags, settings)
    yield "junit.xml", as_junit(course, records)
    yield "index.html", as_index(course, records, flags, settings, ungraded)
