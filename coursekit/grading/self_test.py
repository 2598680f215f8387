"""A self-test before the first submission: right answers must pass, or nothing is graded.

A library of another version, a missing file, a kernel that can't start: what is wrong
with this computer would else look like a fault of every student.
"""

from collections.abc import Sequence

from coursekit.check.course import Course
from coursekit.check.coursekit_error import CoursekitError
from coursekit.grading.graded_notebook import Station
from coursekit.grading.runner import Runner
from coursekit.grading.verdict import judge_run
from coursekit.workbook.right_answers import right_answer


def run(course: Course, runner: Runner, stations: Sequence[Station]) -> None:
    """Grade right answers.

    Raises `CoursekitError` when they don't pass, and `MachineFault` as a run does.
    """
    result = runner.run({module: right_answer(course, module) for module in course.modules})
    verdicts = judge_run(course, stations, result.stations, show_expected=False)
    failed = [each for each in verdicts if not each.passed]
    if failed:
        count = "all checks" if len(failed) == len(verdicts) else f"{len(failed)} of the checks"
        raise CoursekitError(
            f"Grading can't begin: right answers fail {count} here, the first of them "
            f"{failed[0].check} ({failed[0].wrong}). So students would be given the blame "
            "for this computer. Allow more with --timeout and --memory if you gave less; "
            "else install coursekit anew, into an environment of its own, and look at "
            "`coursekit doctor`."
        )
