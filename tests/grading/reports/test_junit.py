"""junit.xml: failures are failures, and what could not be graded is an error."""

import xml.etree.ElementTree
from dataclasses import replace

from coursekit.course import COURSE
from coursekit.grading.reports.junit import as_junit
from tests.grading.reports.student_records import CHECKS, made


def test_a_suite_for_each_student_and_a_case_for_each_check() -> None:
    records = [
        made('A<"b>', failing=("11.2/1",)),
        replace(made("Ben", "infrastructure", tuple(CHECKS)), notes=["no room", "at all"]),
    ]
    one, two = xml.etree.ElementTree.fromstring(as_junit(COURSE, records))
    assert (one.get("name"), one.get("failures"), one.get("errors")) == ('A<"b>', "1", "0")
    assert (two.get("name"), two.get("failures"), two.get("errors")) == ("Ben", "0", "14")
    assert [str(case.get("name")).split()[0] for case in one] == CHECKS
    assert [each.get("message") for each in one.iter("failure")] == ["got <b>2</b>"]
    assert {each.get("message") for each in two.iter("error")} == {"no room at all"}
