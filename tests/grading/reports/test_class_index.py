"""index.html: the class at a glance."""

from pathlib import Path

from coursekit.course import COURSE
from coursekit.grading.reports.report_folder import ReportFolder
from coursekit.grading.run_settings import RunSettings


def test_weaker_isolation_is_said_plainly(tmp_path: Path) -> None:
    for isolation, is_weaker in (("process", True), ("bwrap", False)):
        reports = ReportFolder(COURSE, tmp_path, RunSettings(7, isolation, 60, 512, False), 0)
        reports.write()
        assert ("weaker" in (tmp_path / "index.html").read_text()) == is_weaker
