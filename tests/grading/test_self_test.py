"""Nothing is graded on a computer where right answers fail."""

from pathlib import Path

import pytest

from coursekit.check.coursekit_error import CoursekitError
from coursekit.course import COURSE
from coursekit.grading.grade import GradeOptions, grade
from tests.solutions.answers import right_file

pytestmark = pytest.mark.bwrap


def test_no_student_is_blamed_for_a_computer_where_right_answers_fail(tmp_path: Path) -> None:
    place = tmp_path / "class" / "someone"
    place.mkdir(parents=True)
    for module in ("session.py", "context.py"):
        (place / module).write_text(right_file(module))
    # No kernel fits in eight mebibytes.
    starved = GradeOptions(COURSE, tmp_path / "class", tmp_path / "report", memory=8)
    with pytest.raises(CoursekitError, match=r"right answers fail all checks .*stopped: memory"):
        grade(starved)
    assert not (tmp_path / "report").exists()
