"""A class in a platform's layout is graded as the plain folder of the same answers."""

from pathlib import Path

import pytest

from coursekit.course import COURSE
from coursekit.grading.grade import GradeOptions, grade
from coursekit.grading.intake.collect import collect
from tests.grading.hostile.corpus import right, unwritten
from tests.grading.intake.class_maker import in_folder, zipped

FILES = ("session.py", "context.py")


def graded(submissions: Path, out: Path) -> str:
    grade(GradeOptions(COURSE, submissions, out, variant=7))
    return (out / "grades.csv").read_text(encoding="utf-8")


@pytest.mark.gate
@pytest.mark.bwrap
def test_a_class_is_graded_as_the_plain_folder(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    right()(plain / "Ana Lima")
    unwritten()(plain / "李雷")
    (plain / "Zoë").mkdir()
    expected = graded(plain, tmp_path / "grades of plain")
    moodle = {
        f"{folder.name}_{number}_assignsubmission_file_{name}": (folder / name).read_bytes()
        for number, folder in enumerate(sorted(plain.iterdir()))
        for name in FILES
        if (folder / name).exists()
    }
    moodle["Zoë_9_assignsubmission_onlinetext_onlinetext.html"] = b"<p>Later.</p>"
    blackboard = {
        f"Lab_{folder.name}_attempt_2026-11-{day}-10-11-12_{name}": (
            (folder / name).read_bytes() if day == 30 else b"def broken(:\n"
        )
        for folder in plain.iterdir()
        for name in FILES
        for day in (29, 30)
        if (folder / name).exists()
    }
    blackboard["Lab_Zoë_attempt_2026-11-30-10-11-12.txt"] = b""
    (tmp_path / "moodle.zip").write_bytes(zipped(moodle))
    in_folder(blackboard, tmp_path / "blackboard")
    for source in ("moodle.zip", "blackboard"):
        collect(COURSE, tmp_path / source, tmp_path / f"of {source}")
        assert graded(tmp_path / f"of {source}", tmp_path / f"grades of {source}") == expected
