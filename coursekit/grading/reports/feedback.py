"""feedback/STUDENT.html: what a student gets back."""

from html import escape

from coursekit.check.course import Course
from coursekit.grading.record import StudentRecord
from coursekit.grading.reports.html_page import page

STATUS_MESSAGE = {
    "ok": "",
    "timeout": "A call did not come to its end in time. The checks that do not need it went on.",
    "memory": "A call took too much memory. The checks that do not need it went on.",
    "crash": "A call ended the whole Python process. The checks that do not need it went on.",
    "unreadable": "Not every file could be read:",
    "infrastructure": "This could not be graded, through no fault of yours:",
}


def as_feedback(course: Course, record: StudentRecord) -> str:
    """The page of one student: the score of each lab, then each check that did not pass."""
    title = f"Feedback for {record.student}"
    total = "not graded" if record.total is None else f"{record.total} of {len(record.verdicts)}"
    parts = [f"<h1>{escape(title)}</h1>", f"<p><strong>{total}</strong> checks pass.</p>"]
    message = STATUS_MESSAGE[record.status]
    if message:
        notes = "".join(f"<br>{escape(note)}" for note in record.notes)
        parts.append(f'<p class="note">{escape(message)}{notes}</p>')
    if record.total is not None:
        parts += _labs(course, record)
    if record.printed and record.total != len(record.verdicts):
        parts += ["<h2>Your code printed</h2>", f"<pre>{escape(record.printed)}</pre>"]
    return page(title, "\n".join(parts))


def _labs(course: Course, record: StudentRecord) -> list[str]:
    verdicts = {verdict.check: verdict for verdict in record.verdicts}
    parts = []
    for lab in course.labs:
        passed = record.passed(lab.id)
        parts.append(f"<h2>Lab {lab.id} {escape(lab.title)}: {passed}/{len(lab.checks)}</h2>")
        for check in lab.checks:
            verdict = verdicts[check.name]
            mark = ("pass", "passes") if verdict.passed else ("fail", "does not pass")
            parts.append(
                f"<p>{check.name} {escape(check.title)}: "
                f'<span class="{mark[0]}">{mark[1]}</span></p>'
            )
            if not verdict.passed:
                parts.append(f"<pre>{escape(verdict.message)}</pre>")
    return parts
