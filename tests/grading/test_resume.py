"""A run that is killed goes on, repeats nothing, and ends with the same report."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from coursekit.check.coursekit_error import CoursekitError
from coursekit.course import COURSE
from coursekit.grading.grade import GradeOptions, grade
from tests.grading.hostile import CORPUS
from tests.solutions.answers import right_file

pytestmark = pytest.mark.bwrap

VARIANT = 4_711


def mixed(folder: Path, number: int) -> Path:
    """Submissions of all kinds: right, begun, wrong, broken and no files at all."""
    kinds = {each.name: each for each in CORPUS}
    broken = [
        kinds[name]
        for name in (
            "not started", "zip slip", "zip cut off", "nothing in it", "links", "FIFO", "too large",
            "NULs", "zip that is none", "syntax error in session", "os._exit in a call",
            "no session",
        )
    ]  # fmt: skip
    folder.mkdir()
    for i in range(number):
        name = f"student {i:03d}"
        kind = broken[i // 2 % len(broken)]
        if i % 2 == 0:
            kind.build(folder / (f"{name}.zip" if kind.is_zip else name))
        else:
            (folder / name).mkdir()
            for module in ("session.py", "context.py"):
                (folder / name / module).write_text(right_file(module) + f"\n# {i}\n")
            if i % 3 == 0:
                (folder / name / "context.py").write_text("raise RuntimeError(1)\n")
    return folder


def report(out: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(out)): path.read_bytes()
        for path in sorted(out.rglob("*"))
        if path.is_file()
    }


def command(submissions: Path, out: Path, *more: str) -> list[str]:
    asked = ["grade", str(submissions), "--out", str(out), "--variant", str(VARIANT), *more]
    return [sys.executable, "-m", "coursekit.cli", *asked]


def kill_in_the_middle(submissions: Path, out: Path, records: int) -> int:
    """Start a run and kill it when so many records are there; gives their number."""
    with subprocess.Popen(
        command(submissions, out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as run:
        deadline = time.monotonic() + 300
        while time.monotonic() < deadline and run.poll() is None:
            if len(list(out.glob("records/*.json"))) >= records:
                break
            time.sleep(0.02)
        run.send_signal(signal.SIGKILL)
    return len(list(out.glob("records/*.json")))


def killed_and_resumed(tmp_path: Path, number: int) -> None:
    submissions = mixed(tmp_path / "submissions", number)
    undisturbed, out = tmp_path / "undisturbed", tmp_path / "killed"
    records = grade(GradeOptions(COURSE, submissions, undisturbed, variant=VARIANT))
    assert len(records) == number
    there = kill_in_the_middle(submissions, out, number // 2)
    assert number // 2 <= there < number
    before = {path: path.stat().st_mtime_ns for path in out.glob("records/*.json")}
    subprocess.run(command(submissions, out, "--resume"), check=True, capture_output=True)
    assert report(out) == report(undisturbed)
    again = {path: path.stat().st_mtime_ns for path in before}
    assert again == before, "what was graded before the kill was graded again"


def test_a_few(tmp_path: Path) -> None:
    killed_and_resumed(tmp_path, 10)


@pytest.mark.gate
def test_two_hundred(tmp_path: Path) -> None:
    killed_and_resumed(tmp_path, 200)


def test_a_changed_submission_is_graded_again_and_an_earlier_run_is_not_overwritten(
    tmp_path: Path,
) -> None:
    submissions, out = mixed(tmp_path / "submissions", 4), tmp_path / "out"
    first = {
        each.student: each
        for each in grade(GradeOptions(COURSE, submissions, out, variant=VARIANT))
    }
    with pytest.raises(CoursekitError, match="--resume"):
        grade(GradeOptions(COURSE, submissions, out, variant=VARIANT))
    changed = submissions / "student 001" / "context.py"
    changed.write_text(right_file("context.py") + "\n\ndel create_compaction_entry\n")
    second = {
        each.student: each
        for each in grade(GradeOptions(COURSE, submissions, out, variant=VARIANT, resume=True))
    }
    assert second["student 001"].total == 11
    assert first["student 001"].total == 14
    assert first.pop("student 001") != second.pop("student 001")
    assert first == second
    assert os.listdir(out)
