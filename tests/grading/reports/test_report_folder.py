"""All reports of a class: what stands in them, and what never does."""

import csv
import io
import json
import xml.etree.ElementTree
from pathlib import Path

from coursekit.course import COURSE
from coursekit.grading.reports.report_folder import ReportFolder
from tests.grading.reports.student_records import RUN, made


def test_names_that_are_formulas_or_markup(tmp_path: Path) -> None:
    names = ["=1+1", "@SUM(A1)", "<script>alert(1)</script>", "a,b\"c'd", "..", "李 雷"]
    reports = ReportFolder(COURSE, tmp_path, RUN, len(names) + 1)
    for name in names:
        reports.add(made(name, failing=("11.1/1",)))
    reports.write()
    table = (tmp_path / "grades.csv").read_text()
    assert "\n=1" not in table
    assert {row["student"] for row in csv.DictReader(io.StringIO(table))} == {
        "'=1+1",
        "'@SUM(A1)",
        *names[2:],
    }
    report = json.loads((tmp_path / "grades.json").read_text())
    assert {each["student"] for each in report["students"]} == set(names)
    for page in tmp_path.rglob("*.html"):
        assert "<script" not in page.read_text()
        assert "<b>" not in page.read_text()
    assert "1 submissions are still to be graded" in (tmp_path / "index.html").read_text()
    suites = xml.etree.ElementTree.parse(tmp_path / "junit.xml").getroot()
    assert {suite.get("name") for suite in suites} == set(names)
    assert len(list((tmp_path / "feedback").iterdir())) == len(names)
    assert {each.parent for each in tmp_path.rglob("*.html")} == {tmp_path, tmp_path / "feedback"}
