"""Records of students for the tests of reports."""

from coursekit.course import COURSE
from coursekit.grading.record import StudentRecord
from coursekit.grading.run_settings import RunSettings
from coursekit.grading.verdict import CheckVerdict

CHECKS = [check.name for lab in COURSE.labs for check in lab.checks]


RUN = RunSettings(7, "bwrap", 60, 512, False)


def made(student: str, status: str = "ok", failing: tuple[str, ...] = ()) -> StudentRecord:
    verdicts = [
        CheckVerdict(
            name, name not in failing, "" if name not in failing else "got <b>2</b>", "two"
        )
        for name in CHECKS
    ]
    return StudentRecord(student, "digest", status, verdicts, 3)  # type: ignore[arg-type]
