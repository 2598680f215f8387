"""The grader and the tiny course: what each kind of answer gets, hostile ones included."""

import csv
import json
from pathlib import Path

import pytest

from tests.another_course import answers
from tests.another_course.conftest import TINY, Run

pytestmark = pytest.mark.bwrap

SUBMISSIONS = {
    "right": (answers.MEANS, answers.BRACKETS),
    "in place": (answers.IN_PLACE, answers.BRACKETS),
    "remembered": (answers.MEANS, answers.REMEMBERED),
    "accepts": (answers.MEANS, answers.NEVER_REFUSES),
    "nameless": (answers.MEANS, answers.NAMELESS),
    "by heart": (answers.BY_HEART, answers.BRACKETS),
    "forges": (answers.MEANS, answers.ALWAYS_EQUAL),
    "endless": (answers.ENDLESS, answers.BRACKETS),
    "exits": (answers.MEANS, answers.EXITS),
}

EXPECTED = {
    "right": ("ok", 2, 2),
    "in place": ("ok", 1, 2),
    "remembered": ("ok", 2, 1),
    "accepts": ("ok", 2, 0),
    "nameless": ("ok", 2, 0),
    "by heart": ("ok", 0, 2),
    "forges": ("ok", 2, 0),
    "endless": ("timeout", 0, 2),
    "exits": ("crash", 2, 0),
    "begun": ("ok", 2, 0),
    "half": ("unreadable", 2, 0),
}
"""Status, and the checks that pass of labs mean and brackets."""


@pytest.fixture(scope="module")
def class_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for each student, two files in it."""
    submissions = tmp_path_factory.mktemp("class") / "submissions"
    for student, (means, brackets) in SUBMISSIONS.items():
        folder = submissions / student
        folder.mkdir(parents=True)
        (folder / "means.py").write_text(means)
        (folder / "brackets.py").write_text(brackets)
    (submissions / "half").mkdir()
    (submissions / "half" / "means.py").write_text(answers.MEANS)
    return submissions


def test_every_kind_of_answer_gets_its_row(run: Run, folder: Path, class_folder: Path) -> None:
    run("reveal", "mean", cwd=folder)
    progress = folder / ".coursekit.json"
    made = json.loads(progress.read_bytes()) | {"predictions": {"third-mean": 3}}
    progress.write_text(json.dumps(made))
    folder.rename(class_folder / "begun")
    out = class_folder.parent / "report"
    options = ["--out", out, "--variant", 5, "--course", TINY]
    said = run("grade", class_folder, *options)
    assert said.returncode == 0, said.stderr
    with (out / "grades.csv").open(encoding="utf-8", newline="") as file:
        table = csv.DictReader(file)
        rows = {row["student"]: row for row in table}
    assert table.fieldnames == [
        "student", "status", "mean", "brackets", "total", "max", "predictions", "flags",
    ]  # fmt: skip
    found = {
        student: (row["status"], int(row["mean"]), int(row["brackets"]))
        for student, row in rows.items()
    }
    assert found == EXPECTED
    for student, row in rows.items():
        assert int(row["total"]) == sum(EXPECTED[student][1:])
        assert row["max"] == "4"
        assert row["predictions"] == ("1" if student == "begun" else "0")
    assert "mean" in rows["begun"]["flags"], "revealed, so it is the reference's"

    feedback = (out / "feedback" / "in place.html").read_text(encoding="utf-8")
    assert "The numbers that were passed in stay as they were." in feedback
    report = json.loads((out / "grades.json").read_bytes())
    assert "running_mean" in json.dumps(report)
    first = (out / "grades.csv").read_bytes()
    again = run("grade", class_folder, *options, "--resume")
    assert again.returncode == 0, again.stderr
    assert (out / "grades.csv").read_bytes() == first
