"""grades.json: the settings of the run, and each check of each student."""

import json

from coursekit.course import COURSE
from coursekit.grading.reports.grade_json import as_json
from tests.grading.reports.student_records import CHECKS, RUN, made


def test_it_holds_settings_scores_flags_and_every_check() -> None:
    flags = {"Ana": {"11.1": "as Ben"}}
    report = json.loads(as_json(COURSE, [made("Ana", failing=("11.2/1",))], flags, RUN))
    assert report["run"] == {
        "variant": 7,
        "isolation": "bwrap",
        "timeout": 60,
        "memory": 512,
        "coursekit": RUN.version,
    }
    (student,) = report["students"]
    assert student["labs"] == {"11.1": 3, "11.2": 2, "11.3": 3, "11.4": 2, "11.5": 3}
    assert (student["total"], student["max"], student["predictions"]) == (13, 14, 3)
    assert student["flags"] == {"11.1": "as Ben"}
    assert [each["check"] for each in student["checks"]] == CHECKS
    (failed,) = (each for each in student["checks"] if not each["passed"])
    assert failed == {
        "check": "11.2/1",
        "passed": False,
        "message": "got <b>2</b>",
        "wrong": "two",
    }
