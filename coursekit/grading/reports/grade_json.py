"""grades.json: the table with each check's verdict, and with the run's settings."""

import json
from collections.abc import Sequence

from coursekit.check.course import Course
from coursekit.grading.comparison.similarity import Flags
from coursekit.grading.record import StudentRecord
from coursekit.grading.run_settings import RunSettings


def as_json(
    course: Course, records: Sequence[StudentRecord], flags: Flags, settings: RunSettings
) -> str:
    """The class as JSON: `run` has the settings, `students` one object for each."""
    run = {
        "variant": settings.variant,
        "isolation": settings.isolation,
        "timeout": settings.seconds,
        "memory": settings.memory,
        "coursekit": settings.version,
    }
    students = [_student(course, record, flags) for record in records]
    return json.dumps({"run": run, "students": students}, indent=1) + "\n"


def _student(course: Course, record: StudentRecord, flags: Flags) -> dict[str, object]:
    return {
        "student": record.student,
        "status": record.status,
        "labs": {lab.id: record.passed(lab.id) for lab in course.labs},
        "total": record.total,
        "max": len(record.verdicts),
        "predictions": record.predictions,
        "flags": dict(flags.get(record.student, {})),
        "notes": record.notes,
        "checks": [verdict.to_json() for verdict in record.verdicts],
    }
