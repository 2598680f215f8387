"""Grading a folder: faults of this computer, and errors that say what to do."""

import csv
import io
from pathlib import Path

import pytest

from coursekit.cli import main
from coursekit.grading.sandbox.walls import Walls, WallsError
from tests.grading.hostile.corpus import right, unwritten


def by_student(out: Path) -> dict[str, dict[str, str]]:
    text = (out / "grades.csv").read_text(encoding="utf-8")
    return {row["student"]: row for row in csv.DictReader(io.StringIO(text))}


@pytest.mark.bwrap
def test_a_fault_of_this_computer_is_tried_again_and_then_reported(
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
