"""An attempt: check the saved answers, remember how it went, and put it into words."""

import textwrap
from collections.abc import Sequence
from pathlib import Path

from coursekit.check.course import Course
from coursekit.check.coursekit_error import CoursekitError
from coursekit.check.outcome import NotStarted
from coursekit.check.report import CheckResult, Report, check_answers
from coursekit.check.supervision import TIME_LIMIT
from coursekit.workbook.answer_files import fingerprint
from coursekit.workbook.progress import Progress
from coursekit.workbook.seconds_counter import counted
from coursekit.workbook.shown_text import WIDTH

_PRINTED_LINES = 12
_BELOW = " " * 8
"""The indent of a message of one line, which stands below its check's name."""


def attempt(course: Course, labs: Sequence[str], folder: Path) -> tuple[Report, str]:
    """Check labs (all when empty) and note the results in the progress file.

    A progress file that can't be used changes no verdict: the text beside the report
    says so, which is empty when all went well.
    """
    files = {module: fingerprint(folder, [module]) for module in course.modules}
    with counted(f"Each check that never ends is stopped after {TIME_LIMIT:g} s."):
        report = check_answers(course, labs, folder)
    try:
        progress = Progress(folder)
        for lab_id, results in report.labs().items():
            ended = {each.name: each.passed for each in results}
            progress.mark_checks(ended, files[course.find(lab_id).module])
        progress.save()
    except (CoursekitError, OSError) as problem:
        return report, f"not remembered: {problem}"
    return report, ""


def report_text(course: Course, report: Report, hint: str = "coursekit hint {}") -> str:
    """A report for a reader, in lines of at most 80 characters.

    `hint` is how a hint is asked for where the reader is, with a place for the lab.
    """
    lines = []
    shown_at: dict[str, str] = {}
    for lab_id, results in report.labs().items():
        lab = course.find(lab_id)
        passed = sum(result.passed for result in results)
        lines.append(f"Lab {lab.id}  {lab.title}  {passed}/{len(results)}")
        for result in results:
            lines.append(f"  {'pass' if result.passed else 'FAIL'}  {result.name}  {result.title}")
            if not result.passed:
                first = shown_at.setdefault(result.message, result.name)
                lines += _message_lines(result, first)
    failed = [result for result in report.results if not result.passed]
    if failed and report.printed:
        shown = report.printed.splitlines()
        lines += ["Your code printed:", *(f"    {line}" for line in shown[:_PRINTED_LINES])]
        lines += ["    …"] if len(shown) > _PRINTED_LINES else []
    lines.append(f"{report.passed}/{report.total} checks pass.")
    if failed:
        lab = course.find(failed[0].lab)
        outcome = failed[0].outcome
        if isinstance(outcome, NotStarted) and outcome.lab == lab.id:
            lines.append(f"Next: write {lab.function} in {lab.module}.")
        lines.append(f"For a hint: {hint.format(lab.id)}")
    return "\n".join(lines)


def _message_lines(result: CheckResult, first: str) -> list[str]:
    """What a failed check says; `first` is the check that said it before."""
    if "\n" not in result.message:
        return textwrap.wrap(result.message, WIDTH, initial_indent=_BELOW, subsequent_indent=_BELOW)
    if first != result.name:
        return [f"{_BELOW}the same as {first}"]
    return ["", *(f"    {line}".rstrip() for line in result.message.splitlines()), ""]
