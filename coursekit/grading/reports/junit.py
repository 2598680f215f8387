"""junit.xml: what a build server shows of a class."""

from collections.abc import Sequence
from xml.sax.saxutils import quoteattr

from coursekit.check.course import Course
from coursekit.grading.record import StudentRecord


def as_junit(course: Course, records: Sequence[StudentRecord]) -> str:
    """One suite for each student, one case for each check."""
    titles = {check.name: check.title for lab in course.labs for check in lab.checks}
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>"]
    for record in records:
        faulty = record.status == "infrastructure"
        failures = 0 if faulty else sum(not each.passed for each in record.verdicts)
        errors = len(record.verdicts) if faulty else 0
        lines.append(
            f'<testsuite name={quoteattr(record.student)} tests="{len(record.verdicts)}" '
            f'failures="{failures}" errors="{errors}">'
        )
        for each in record.verdicts:
            name = quoteattr(f"{each.check} {titles[each.check]}")
            lines.append(f"<testcase classname={quoteattr(record.student)} name={name}>")
            if faulty:
                lines.append(f"<error message={quoteattr(' '.join(record.notes))}/>")
            elif not each.passed:
                lines.append(f"<failure message={quoteattr(each.message)}/>")
            lines.append("</testcase>")
        lines.append("</testsuite>")
    lines.append("</testsuites>")
    return "\n".join(lines) + "\n"
