"""Grading as another user, where namespaces are forbidden: with a Python for everybody."""

import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from coursekit.grading.sandbox import runtime
from coursekit.grading.sandbox.walls import ANSWERS_UID
from tests.solutions.answers import right_file

pytestmark = [
    pytest.mark.gate,
    pytest.mark.skipif(os.geteuid() != 0, reason="Only root can run answers as another user."),
]

ROOT = Path(__file__).parents[3]

SEEN = """

import os
from pathlib import Path

def command(process):
    try:
        return (process / "cmdline").read_bytes()
    except OSError:  # it has ended
        return b""

# Those of this run alone: all are forks of one command, which names the run's own folder.
others = []
for each in Path("/proc").glob("[0-9]*"):
    if command(each) == command(Path("/proc/self")):
        user = (each / "status").read_text().split("Uid:")[1].split()[0]
        if user not in ("0", str(os.getuid())):
            others.append(user)
print("others", others)
print("user", os.getuid(), [line for line in open("/proc/self/status") if "CapEff" in line])
try:
    print("home", os.listdir("/root"))
except OSError:
    print("no home")
"""

FORKING = """

import os
for _ in range(40):
    try:
        os.fork()
    except OSError:
        break
while True:
    pass
"""


@pytest.fixture(scope="module")
def python() -> Iterator[Path]:
    """This Python and what answers import, copied to where every user can read it."""
    home = Path(tempfile.mkdtemp(prefix="for-all-", dir="/tmp"))
    home.chmod(0o755)
    stdlib = Path(sysconfig.get_path("stdlib"))
    unused = shutil.ignore_patterns("test", "site-packages", "dist-packages", "__pycache__")
    shutil.copytree(stdlib, home / "lib" / stdlib.name, ignore=unused)
    for name, path in runtime.packages().items():
        place = home / "site" / name
        place.parent.mkdir(exist_ok=True)
        if path.is_dir():
            shutil.copytree(path, place)
        else:
            shutil.copyfile(path, place)
    (home / "bin").mkdir()
    program = Path(sys.executable).resolve()
    shutil.copy(program, home / "bin" / program.name)
    yield home / "bin" / program.name
    shutil.rmtree(home)


@pytest.fixture(scope="module")
def report(python: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("process")
    for name, more in (
        ("exits", "\n\nimport os\nos._exit(0)\n"),
        ("forks", FORKING),
        ("hoards", "\n\nkept = [b'x' * 1_000_000 for _ in range(10_000)]\n"),
        ("right", ""),
        ("sees", SEEN),
    ):
        place = folder / "class" / name
        place.mkdir(parents=True)
        (place / "session.py").write_text(right_file("session.py"))
        (place / "context.py").write_text(right_file("context.py") + more)
    done = grade(python, folder / "class", folder / "report")
    assert done.returncode == 0, done.stderr
    return folder / "report"


def grade(python: Path, submissions: Path, out: Path) -> subprocess.CompletedProcess[str]:
    asked = command(python, submissions, out)
    return subprocess.run(
        asked, env=environment(python), capture_output=True, text=True, check=False
    )


def command(python: Path, submissions: Path, out: Path) -> list[str]:
    asked = ["grade", str(submissions), "--out", str(out), "--isolation", "process"]
    return [str(python), "-m", "coursekit.cli", *asked, "--timeout", "48", "--jobs", "1"]


def environment(python: Path) -> dict[str, str]:
    paths = [python.parents[1] / "site", ROOT, Path(sysconfig.get_path("purelib"))]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))}


def test_each_has_its_status_and_score(report: Path) -> None:
    with (report / "grades.csv").open(newline="") as file:
        rows = {each["student"]: (each["status"], each["total"]) for each in csv.DictReader(file)}
    assert rows == {
        "exits": ("crash", "3"),  # lab 11.1 needs nothing of context.py
        "forks": ("timeout", "3"),
        "hoards": ("memory", "3"),
        "right": ("ok", "14"),
        "sees": ("ok", "14"),
    }


def test_answers_are_another_user_without_rights(report: Path) -> None:
    printed = printed_by("sees", report)
    assert int(re.findall(r"user (\d+)", printed)[0]) >= ANSWERS_UID
    assert "CapEff:\\t0000000000000000" in printed
    assert "no home" in printed


def test_what_one_has_started_is_ended_before_the_next(report: Path) -> None:
    printed = printed_by("sees", report)
    assert "others []" in printed


def test_nothing_that_was_started_is_left(python: Path, report: Path) -> None:
    assert report.exists()
    wait_until(lambda: not answering(python))


def test_nothing_is_left_of_a_run_that_was_killed(python: Path, tmp_path: Path) -> None:
    place = tmp_path / "class" / "forks"
    place.mkdir(parents=True)
    (place / "session.py").write_text(right_file("session.py") + FORKING)
    asked = command(python, tmp_path / "class", tmp_path / "report")
    with subprocess.Popen(asked, env=environment(python), stderr=subprocess.DEVNULL) as run:
        wait_until(lambda: len(answering(python)) > 10)
        run.send_signal(signal.SIGKILL)
    wait_until(lambda: not answering(python))


def test_the_report_says_that_it_is_weaker(report: Path) -> None:
    assert "which is weaker" in (report / "index.html").read_text()


def test_a_python_that_others_cannot_read_is_refused(python: Path, tmp_path: Path) -> None:
    (tmp_path / "class" / "none").mkdir(parents=True)
    closed = python.parents[1]
    closed.chmod(0o700)
    try:
        done = grade(python, tmp_path / "class", tmp_path / "report")
    finally:
        closed.chmod(0o755)
    assert done.returncode != 0
    assert "use a Python that is installed for everybody" in " ".join(done.stderr.split())


def printed_by(student: str, report: Path) -> str:
    records = [json.loads(each.read_text()) for each in report.glob("records/*.json")]
    (printed,) = (each["printed"] for each in records if each["student"] == student)
    assert isinstance(printed, str)
    return printed


def answering(python: Path) -> list[int]:
    """The processes of this Python at work for a user that answers run as."""
    found = []
    for each in Path("/proc").glob("[0-9]*"):
        try:
            ours = str(python).encode() in (each / "cmdline").read_bytes()
            status = (each / "status").read_text()
        except OSError:  # it has ended
            continue
        user = int(re.findall(r"^Uid:\t(\d+)", status, re.MULTILINE)[0])
        if ours and ANSWERS_UID <= user < ANSWERS_UID + 4096:
            found.append(int(each.name))
    return found


def wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline, "it takes too long"
        time.sleep(0.05)
