"""feedback/STUDENT.html: what a student gets back."""

from dataclasses import replace

from coursekit.course import COURSE
from coursekit.grading.reports.feedback import as_feedback
from tests.grading.reports.student_records import CHECKS, made


def test_each_lab_has_its_score_and_each_failed_check_its_message() -> None:
    page = as_feedback(COURSE, made("A<b>", failing=("11.2/1",)))
    assert "Feedback for A&lt;b&gt;" in page
    assert "13 of 14" in page
    assert page.count("<pre>") == 1
    assert "<pre>got &lt;b&gt;2&lt;/b&gt;</pre>" in page


def test_what_was_printed_is_shown_unless_all_is_right() -> None:
    assert "<i>" not in as_feedback(
        COURSE, replace(made("Ana", failing=("11.1/1",)), printed="<i>")
    )
    assert "Your code printed" in as_feedback(
        COURSE, replace(made("Ana", failing=("11.1/1",)), printed="<i>")
    )
    assert "Your code printed" not in as_feedback(COURSE, replace(made("Ana"), printed="<i>"))


def test_what_could_not_be_graded_says_why_and_shows_no_score() -> None:
    record = replace(made("Ana", "infrastructure", tuple(CHECKS)), notes=["no <room>"])
    page = as_feedback(COURSE, record)
    assert "through no fault of yours:<br>no &lt;room&gt;" in page
    assert "<h2>Lab" not in page
