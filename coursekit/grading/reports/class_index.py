"""index.html: the class at a glance."""

from collections import Counter
from collections.abc import Sequence
from html import escape
from urllib.parse import quote

from coursekit.check.course import Course
from coursekit.grading.comparison import similarity
from coursekit.grading.comparison.similarity import Flags
from coursekit.grading.record import StudentRecord
from coursekit.grading.reports import safe_text
from coursekit.grading.reports.html_page import page
from coursekit.grading.run_settings import RunSettings

_COMMON = 3


def as_index(
    course: Course,
    records: Sequence[StudentRecord],
    flags: Flags,
    settings: RunSettings,
    ungraded: int,
) -> str:
    """The page: checks with their pass rates, the commonest wrong results, the students."""
    graded = [record for record in records if record.total is not None]
    parts = ["<h1>Grades</h1>"]
    if ungraded:
        parts.append(f'<p class="note">{ungraded} submissions are still to be graded.</p>')
    if settings.isolation == "process":
        parts.append(
            '<p class="note">Graded with <code>--isolation process</code>, which is weaker: '
            "answers ran as another user and under limits, but saw this computer's files and "
            "network.</p>"
        )
    parts.append(
        f"<p>{len(records)} submissions, variant {settings.variant}. "
        '<a href="grades.csv">grades.csv</a>, <a href="grades.json">grades.json</a>, '
        '<a href="junit.xml">junit.xml</a></p>'
    )
    parts += [*_checks(course, graded), *_students(course, records, flags)]
    return page("Grades", "\n".join(parts))


def _checks(course: Course, records: Sequence[StudentRecord]) -> list[str]:
    rows = []
    for lab in course.labs:
        for check in lab.checks:
            verdicts = [
                verdict
                for record in records
                for verdict in record.verdicts
                if verdict.check == check.name
            ]
            passed = sum(verdict.passed for verdict in verdicts)
            share = round(100 * passed / len(verdicts)) if verdicts else 0
            wrong = Counter(verdict.wrong for verdict in verdicts if not verdict.passed)
            common = sorted(wrong.items(), key=lambda pair: (-pair[1], pair[0]))[:_COMMON]
            listed = "<br>".join(f"{count}× {escape(text)}" for text, count in common)
            rows.append(
                f"<tr><td>{check.name}</td><td>{escape(check.title)}</td>"
                f'<td class="share"><span class="bar" style="width:{share / 20:.2f}rem"></span>'
                f'<span class="rest" style="width:{(100 - share) / 20:.2f}rem"></span></td>'
                f'<td class="n">{passed}/{len(verdicts)}</td><td>{listed}</td></tr>'
            )
    head = (
        '<tr><th>check</th><th></th><th></th><th class="n">pass</th>'
        "<th>commonest wrong results</th></tr>"
    )
    return ["<h2>Checks</h2>", f'<div class="scroll"><table>{head}', *rows, "</table></div>"]


def _students(course: Course, records: Sequence[StudentRecord], flags: Flags) -> list[str]:
    labs = course.labs
    head = "".join(f'<th class="n">{lab.id}</th>' for lab in labs)
    rows = [
        f"<tr><th>student</th><th>status</th>{head}"
        '<th class="n">total</th><th class="n">predictions</th><th>flags</th></tr>'
    ]
    for record in records:
        link = f"feedback/{quote(safe_text.file_name(record.student))}.html"
        scores = "".join(f'<td class="n">{_shown(record.passed(lab.id))}</td>' for lab in labs)
        rows.append(
            f'<tr><td><a href="{link}">{escape(record.student)}</a></td><td>{record.status}</td>'
            f'{scores}<td class="n">{_shown(record.total)}</td>'
            f'<td class="n">{record.predictions}</td>'
            f"<td>{escape(similarity.in_one_line(flags.get(record.student, {})))}</td></tr>"
        )
    return ["<h2>Students</h2>", '<div class="scroll"><table>', *rows, "</table></div>"]


def _shown(score: int | None) -> str:
    return "" if score is None else str(score)
