"""Records: what is found again, and what is graded again instead."""

import json
from pathlib import Path

import pytest

from coursekit.check.coursekit_error import CoursekitError
from coursekit.course import COURSE
from coursekit.grading.record import Records
from tests.grading.reports.student_records import RUN, made


def test_a_record_is_found_as_it_was_written_for_the_same_files_alone(tmp_path: Path) -> None:
    records = Records(tmp_path)
    records.begin(RUN)
    record = made("李 雷/..", failing=("11.1/2",))
    records.write(record)
    assert records.find(record.student, "digest") == record
    assert records.find(record.student, "another") is None
    assert records.find("Ben", "digest") is None
    assert records.settings() == RUN


def test_what_this_computer_failed_is_graded_again(tmp_path: Path) -> None:
    records = Records(tmp_path)
    records.begin(RUN)
    records.write(made("Ana", "infrastructure"))
    assert records.find("Ana", "digest") is None


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"verdicts": [{}]}'])
def test_a_damaged_record_is_graded_again_and_damaged_settings_are_an_error(
    text: str, tmp_path: Path
) -> None:
    records = Records(tmp_path)
    assert records.settings() is None
    records.begin(RUN)
    records.write(made("Ana"))
    (file,) = (tmp_path / "records").iterdir()
    file.write_text(text)
    assert records.find("Ana", "digest") is None
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(CoursekitError, match="--out"):
        records.settings()


def test_settings_of_a_run_before_there_were_courses_are_of_the_built_in_one(
    tmp_path: Path,
) -> None:
    records = Records(tmp_path)
    records.begin(RUN)
    file = tmp_path / "run.json"
    fields = json.loads(file.read_text())
    assert fields.pop("course") == COURSE.package
    assert list(fields) == [
        "variant", "isolation", "seconds", "memory", "show_expected", "version",
    ]  # fmt: skip
    file.write_text(json.dumps(fields))
    assert records.settings() == RUN
