"""What learners and instructors see is, byte for byte, what it was when it was recorded.

`recorded/` holds the reports of release 0.1 on one small class, and what `coursekit check`
printed for each of its students. A change of wording on purpose is recorded anew.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.grading.recorded.submissions import make_class

RECORDED = Path(__file__).parent / "recorded"
VARIANT = "7"
TABLES = ["grades.csv", "grades.json", "junit.xml", "index.html"]
PAGES = sorted(path.name for path in (RECORDED / "feedback").iterdir())

# Where in the answers a line stands follows from the starters, which may grow.
_LINE = re.compile(r"line \d+")


def without_lines(text: str) -> str:
    return _LINE.sub("line N", text)


@pytest.fixture(scope="module")
def students(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_class(tmp_path_factory.mktemp("recorded") / "class")


@pytest.fixture(scope="module")
def reports(students: Path) -> Path:
    out = students.parent / "grades"
    command = [sys.executable, "-m", "coursekit.cli", "grade", str(students), "--out", str(out)]
    subprocess.run([*command, "--variant", VARIANT], check=True, capture_output=True)
    return out


@pytest.mark.bwrap
@pytest.mark.gate
@pytest.mark.parametrize("name", [*TABLES, *(f"feedback/{page}" for page in PAGES)])
def test_an_instructor_gets_the_recorded_reports(reports: Path, name: str) -> None:
    recorded = (RECORDED / name).read_text(encoding="utf-8")
    now = (reports / name).read_text(encoding="utf-8")
    assert without_lines(now) == without_lines(recorded)


@pytest.mark.gate
@pytest.mark.parametrize(
    "student", sorted(json.loads((RECORDED / "checks.json").read_text(encoding="utf-8")))
)
def test_a_learner_gets_the_recorded_lines_json_and_status(students: Path, student: str) -> None:
    recorded = json.loads((RECORDED / "checks.json").read_text(encoding="utf-8"))[student]
    command = [sys.executable, "-m", "coursekit.cli", "check", "--dir", str(students / student)]
    shown = subprocess.run(command, capture_output=True, text=True, check=False)
    as_json = subprocess.run([*command, "--json"], capture_output=True, text=True, check=False)
    assert shown.returncode == as_json.returncode == recorded["exit"]
    assert without_lines(shown.stdout) == without_lines("\n".join(recorded["text"]) + "\n")
    assert without_lines(as_json.stdout) == without_lines(
        json.dumps(recorded["json"], indent=2) + "\n"
    )
