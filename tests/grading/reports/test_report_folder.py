"""ReportFolder: what stands in them, and what never does."""

import csv
import io
import json
import xml.etree.ElementTree
from pathlib import Path

import pytest

from coursekit.cli import main
from coursekit.course import COURSE
from coursekit.grading.record import StudentRecord
from coursekit.grading.reports import grade_table
from coursekit.grading.reports.report_folder import ReportFolder
from coursekit.grading.run_settings import RunSettings
from coursekit.grading.sandbox.walls import Walls, WallsError
from coursekit.grading.submission import Submission
from coursekit.grading.verdict import CheckVerdict
from coursekit.workbook import progress
from tests.grading.hostile.corpus import right, unwritten

CHECKS = [check.name for lab in COURSE.labs for check in lab.checks]
RUN = RunSettings(7, "bwrap", 60, 512, False)


def made(student: str, status: str = "ok", failing: tuple[str, ...] = ()) -> StudentRecord:
    verdicts = [
        CheckVerdict(
            name, name not in failing, "" if name not in failing else "got <b>2</b>", "two"
        )
        for name in CHECKS
    ]
    return StudentRecord(student, "digest", status, verdicts, 3)  # type: ignore[arg-type]


def rows(records: list[StudentRecord]) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(grade_table.as_csv(COURSE, records, {}))))


def by_student(out: Path) -> dict[str, dict[str, str]]:
    text = (out / "grades.csv").read_text(encoding="utf-8")
    return {row["student"]: row for row in csv.DictReader(io.StringIO(text))}


def test_the_columns_are_those_promised() -> None:
    header = grade_table.as_csv(COURSE, [], {}).strip()
    assert header == "student,status,11.1,11.2,11.3,11.4,11.5,total,max,predictions,flags"


def test_partial_credit_by_check() -> None:
    (row,) = rows([made("Ana", failing=("11.2/1", "11.4/2"))])
    assert [row[lab.id] for lab in COURSE.labs] == ["3", "2", "3", "1", "3"]
    assert (row["total"], row["max"], row["predictions"]) == ("12", "14", "3")


def test_what_this_computer_could_not_tell_is_no_zero() -> None:
    (row,) = rows([made("Ana", "infrastructure", tuple(CHECKS))])
    assert [row[lab.id] for lab in COURSE.labs] == [""] * 5
    assert row["total"] == ""


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


def test_weaker_isolation_is_said_plainly(tmp_path: Path) -> None:
    for isolation, is_weaker in (("process", True), ("bwrap", False)):
        reports = ReportFolder(COURSE, tmp_path, RunSettings(7, isolation, 60, 512, False), 0)
        reports.write()
        assert ("weaker" in (tmp_path / "index.html").read_text()) == is_weaker


@pytest.mark.parametrize(
    ("content", "number"),
    [
        (b'{"predictions": {"leaf-back": 1, "old-field": "a"}}', 2),
        (b'{"predictions": {"leaf-back": [], "old-field": "z"}}', 0),  # no answers to them
        (b'{"predictions": {"made up": 1, "leaf-back": 5}}', 1),
        (b"{}", 0),
        (b'{"predictions": [1, 2]}', 0),
        (b"[1]", 0),
        (b"{", 0),
        (b"\xff", 0),
        (b"[" * 200_000, 0),
        (b'{"predictions": ' + b"9" * 10_000 + b"}", 0),
    ],
)
def test_stored_predictions_are_counted_and_never_an_error(content: bytes, number: int) -> None:
    assert Submission("Ana", {progress.FILE: content}).predictions(COURSE) == number
    assert Submission("Ana", {}).predictions(COURSE) == 0


@pytest.mark.bwrap
def test_a_fault_of_this_computer_is_tried_again_and_then_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    submissions, out = tmp_path / "submissions", tmp_path / "out"
    submissions.mkdir()
    right()(submissions / "Ana")
    unwritten()(submissions / "Ben")
    whole = Walls.kernel
    tries = 0

    def failing(self: Walls, answers: dict[str, bytes]) -> object:
        nonlocal tries
        if b"parse_compaction is not written" in answers.get("session.py", b""):
            tries += 1
            raise WallsError("no room for a namespace\n" + "in this room " * 20)
        return whole(self, answers)

    with monkeypatch.context() as patched:
        patched.setattr(Walls, "kernel", failing)
        assert main(["grade", str(submissions), "--out", str(out)]) == 1
    assert tries == 3
    printed = capsys.readouterr().out
    assert "1 time infrastructure" in printed
    (reason,) = [line for line in printed.splitlines() if line.startswith("Most often: ")]
    assert reason.startswith("Most often: no room for a namespace in this room")
    assert len(reason) <= 80
    table = by_student(out)
    assert (table["Ana"]["total"], table["Ben"]["total"]) == ("14", "")
    assert "no fault of yours" in (out / "feedback" / "Ben.html").read_text()
    assert main(["grade", str(submissions), "--out", str(out), "--resume"]) == 0
    table = by_student(out)
    assert (table["Ben"]["status"], table["Ben"]["total"]) == ("ok", "0")


@pytest.mark.bwrap
def test_a_run_that_can_not_begin_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    submissions, out = tmp_path / "submissions", tmp_path / "out"
    submissions.mkdir()
    right()(submissions / "Ana")
    command = ["grade", str(submissions), "--out", str(out)]

    def failing(self: object, *_: object) -> object:
        raise WallsError("no namespace may be made")

    with monkeypatch.context() as patched:
        patched.setattr(Walls, "kernel", failing)
        assert main(command) == 2
    assert "Grading can't begin: no namespace may be made" in capsys.readouterr().err
    assert not out.exists()
    assert main(command) == 0


def test_errors_say_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["grade", str(tmp_path / "nowhere")]) == 2
    assert "Name the folder that holds submissions" in capsys.readouterr().err
    (tmp_path / "Ana").mkdir()
    for wrong in (["--timeout", "0"], ["--jobs", "-1"], ["--isolation", "none"]):
        with pytest.raises(SystemExit):
            main(["grade", str(tmp_path), *wrong])
