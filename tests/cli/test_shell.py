"""The real command in a temporary folder: its exit status, and one phrase it says.

One file over 300 lines: each verb has a test or two, and all run the same command.
"""

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from coursekit import cli
from coursekit.course import COURSE
from coursekit.transcripts import opening

COURSEKIT = Path(sys.executable).with_name("coursekit")
VERBS = ["lab", "practice", "check", "checkpoint", "status", "hint", "reset", "reveal"]
VERBS += ["update", "doctor", "draw", "diagnose", "collect", "grade"]

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs `coursekit …` in a temporary folder."""

    def run(*words: object, cwd: Path = tmp_path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [COURSEKIT, *map(str, words)], cwd=cwd, capture_output=True, text=True, timeout=60
        )

    return run


def test_without_a_verb_it_says_how_to_begin(run: Run) -> None:
    ended = run()
    assert ended.returncode == 0
    assert "Begin with: coursekit lab" in ended.stdout


@pytest.mark.parametrize("verb", VERBS)
def test_help_of_every_verb_has_an_example_and_fits_a_terminal(run: Run, verb: str) -> None:
    ended = run(verb, "--help")
    assert ended.returncode == 0
    assert re.search(rf"^Example: coursekit {verb}", ended.stdout, re.MULTILINE)
    assert max(map(len, ended.stdout.splitlines())) <= 80


def test_every_verb_is_tried_here(run: Run) -> None:
    listed = re.findall(r"^    (\w+)\b", run().stdout, re.MULTILINE)
    assert listed == VERBS


def test_the_readme_lists_every_verb() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `coursekit (\w+)", readme, re.MULTILINE) == VERBS


def test_practice_makes_a_folder_once(run: Run, tmp_path: Path) -> None:
    made = run("practice")
    assert made.returncode == 0
    assert "Next: coursekit lab practice" in made.stdout
    (tmp_path / "practice" / "context.py").write_text("mine = 1\n")
    again = run("practice")
    assert again.returncode == 2
    assert "Choose another name" in again.stderr
    assert (tmp_path / "practice" / "context.py").read_text() == "mine = 1\n"


def test_from_untouched_to_green(run: Run) -> None:
    run("practice")
    red = run("check")
    assert red.returncode == 1
    assert "0/14 checks pass." in red.stdout
    for lab in COURSE.labs:
        assert f"Lab {lab.id}" in red.stdout
    assert run("reveal", "all").returncode == 0
    green = run("check")
    assert (green.returncode, green.stderr) == (0, "")
    assert "14/14 checks pass." in green.stdout
    status = json.loads(run("status", "--json").stdout)
    assert (status["passed"], status["next"]) == (14, None)
    assert status["revealed"] == [*(lab.id for lab in COURSE.labs), "ledger"]
    assert "revealed" in run("status").stdout


def test_each_lab_turns_green_without_the_next(run: Run) -> None:
    run("practice")
    for number, lab in enumerate(COURSE.labs):
        run("reveal", lab.id)
        labs = json.loads(run("check", "--json").stdout)["labs"]
        green = [lab_id for lab_id, each in labs.items() if each["passed"] == each["total"]]
        assert green == [each.id for each in COURSE.labs[: number + 1]]


def test_check_json_has_the_documented_shape(run: Run) -> None:
    run("practice")
    ended = run("check", "11.4", "--json")
    assert ended.returncode == 1
    report = json.loads(ended.stdout)
    assert (report["passed"], report["total"]) == (0, 2)
    lab = report["labs"]["11.4"]
    assert (lab["passed"], lab["total"]) == (0, 2)
    assert [check["name"] for check in lab["checks"]] == ["11.4/1", "11.4/2"]
    assert all(check.keys() >= {"name", "passed", "message"} for check in lab["checks"])
    assert all("11.4" in check["message"] for check in lab["checks"])


def test_the_folder_is_the_one_you_stand_in_or_name(run: Run, tmp_path: Path) -> None:
    run("practice", "mine")
    assert "0/3" in run("check", "11.1", cwd=tmp_path / "mine" / "tests").stdout
    assert "0/3" in run("check", "11.1", "--dir", "mine").stdout
    ended = run("check", "11.1")
    assert ended.returncode == 2
    assert "There is no practice folder here." in ended.stderr
    assert ended.stdout == ""


@pytest.mark.parametrize(
    "words",
    [("check", "11.9"), ("hint", "11.9"), ("reset", "x"), ("reveal", "x"), ("checkpoint", "x")],
)
def test_an_unknown_lab_lists_those_that_there_are(run: Run, words: tuple[str, ...]) -> None:
    run("practice")
    ended = run(*words)
    assert ended.returncode == 2
    assert "11.1, 11.2, 11.3, 11.4, 11.5" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_the_exercise_without_checks_is_distinguished_from_an_unknown_lab(run: Run) -> None:
    run("practice")
    ended = run("check", "ledger")
    assert ended.returncode == 2
    assert "transfer_ledger.ipynb" in ended.stderr


def test_checkpoint_shows_the_course_and_a_lab(run: Run) -> None:
    assert "First red light" in run("checkpoint").stdout
    assert "11.5/3" in run("checkpoint", "11.5").stdout


def test_the_ledger_has_no_checks_and_a_notebook(run: Run) -> None:
    run("practice")
    ended = run("check", "ledger")
    assert ended.returncode == 2
    assert "The ledger has no checks; its notebook transfer_ledger.ipynb compares." in ended.stderr


def test_hints_are_counted(run: Run) -> None:
    run("practice")
    assert "Hint 1 of 3" in run("hint", "11.2").stdout
    assert "Hint 2 of 3" in run("hint", "11.2").stdout
    assert "2 hints" in run("status").stdout


def test_reset_says_where_the_backup_is(run: Run, tmp_path: Path) -> None:
    run("practice")
    path = tmp_path / "practice" / "session.py"
    mine = re.sub(r"raise LabNotDone\(.*\)", "return record", path.read_text(encoding="utf-8"))
    path.write_text(mine, encoding="utf-8")
    ended = run("reset", "11.1")
    assert ended.returncode == 0
    backup = tmp_path / "practice" / "session.py.1.bak"
    assert str(backup) in ended.stdout
    assert backup.read_text(encoding="utf-8") == mine
    assert "Lab 11.1: parse_compaction" in path.read_text(encoding="utf-8")


def test_damaged_progress_does_not_keep_checks_from_running(run: Run, tmp_path: Path) -> None:
    run("practice")
    (tmp_path / "practice" / ".coursekit.json").write_text("{")
    ended = run("check", "11.1")
    assert ended.returncode == 1
    assert "0/3 checks pass." in ended.stdout
    assert "move it away" in ended.stderr
    assert run("status").returncode == 2


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    ended = subprocess.run(
        f"'{COURSEKIT}' checkpoint | true", shell=True, cwd=tmp_path, capture_output=True
    )
    assert ended.stderr == b""


def test_a_terminal_without_unicode_is_no_error(tmp_path: Path) -> None:
    ended = subprocess.run(
        [COURSEKIT, "hint", "11.5", "--dir", "nöwhere"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
    )
    assert ended.returncode == 2
    assert b"There is no folder n?where" in ended.stderr


def test_lab_refuses_a_folder_that_is_something_else(run: Run, tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    ended = run("lab", "photos")
    assert ended.returncode == 2
    assert "photos is no practice folder" in ended.stderr


def test_lab_opens_jupyterlab_on_another_port_without_a_browser(tmp_path: Path) -> None:
    """As root or not, without a display, the first port taken: it serves all the same."""
    environment = {key: each for key, each in os.environ.items() if key not in ("DISPLAY",)}
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        server = subprocess.Popen(
            [COURSEKIT, "lab", "mine", "--port", str(port), "--no-browser"],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        try:
            url = _served_address(server)
            assert f":{port}/" not in url
            listed = _listed(url.replace("/lab", "/api/contents", 1))
        finally:
            server.terminate()
            server.communicate(timeout=30)
    assert {"session.py", "context.py", "data", "tests"} <= listed


def _served_address(server: "subprocess.Popen[str]") -> str:
    assert server.stdout is not None
    lines = []
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and (line := server.stdout.readline()):
        lines.append(line)
        if found := re.search(r"http://127\.0\.0\.1:\d+/lab\S*token=\S+", line):
            return re.sub(r"/lab[^?]*", "/lab", found[0])
    raise AssertionError("no address was printed:\n" + "".join(lines))


def _listed(url: str) -> set[str]:
    """The names in the server's folder; its address is printed a moment before it listens."""
    for _ in range(100):
        try:
            with urllib.request.urlopen(url) as answer:
                return {item["name"] for item in json.load(answer)["content"]}
        except urllib.error.URLError:
            time.sleep(0.1)
    raise AssertionError(f"nothing answers at {url}")


def test_draw_shows_a_course_file_and_one_of_pis(run: Run, tmp_path: Path) -> None:
    entries = opening().entries
    (tmp_path / "s.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in entries))
    ended = run("draw", "s.jsonl", "--leaf", "a2")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "leaf" in next(line for line in ended.stdout.splitlines() if "a2" in line)
    header = {"type": "session", "version": 3, "id": "s", "timestamp": "2026-01-01T00:00:00Z"}
    (tmp_path / "pi.jsonl").write_text(
        "".join(f"{json.dumps(each)}\n" for each in (header, *entries))
    )
    assert run("draw", "pi.jsonl", "-o", "tree.dot").returncode == 0
    assert (tmp_path / "tree.dot").read_text().startswith("digraph")


def test_draw_says_what_it_cannot_do(run: Run, tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_text("{\n")
    broken = run("draw", "s.jsonl")
    assert broken.returncode == 2
    assert "line 1" in broken.stderr
    (tmp_path / "s.jsonl").write_text(f"{json.dumps(opening().entries[0])}\n")
    nobody = run("draw", "s.jsonl", "--leaf", "nobody")
    assert (nobody.returncode, "'nobody' is not in this session" in nobody.stderr) == (2, True)
    gif = run("draw", "s.jsonl", "-o", "t.gif")
    assert gif.returncode == 2
    assert "in .gif; choose one of .svg, .png, .dot, .txt" in gif.stderr


def test_diagnose_says_by_its_exit_status_whether_there_is_an_error(
    run: Run, tmp_path: Path
) -> None:
    lines = [json.dumps(each) for each in opening().entries]
    (tmp_path / "good.jsonl").write_text("".join(f"{line}\n" for line in lines))
    good = run("diagnose", "good.jsonl")
    assert good.returncode == 0
    assert "0 findings" in good.stdout
    (tmp_path / "bad.jsonl").write_text(f"{lines[0]}{lines[1]}\n")
    bad = run("diagnose", "bad.jsonl", "--json")
    assert bad.returncode == 1
    assert [each["code"] for each in json.loads(bad.stdout)] == ["glued-records"]


def test_collect_accounts_for_every_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "class" / "Ana").mkdir(parents=True)
    (tmp_path / "class" / "Ana" / "session (1).py").write_text("s = 1\n")
    (tmp_path / "class" / "list.txt").write_text("Ana")
    ended = run("collect", "class", "--out", "there")
    assert ended.returncode == 0
    assert 'session.py is taken from "session (1).py"' in ended.stdout
    assert "2 files: 1 taken, 0 set aside, 1 not understood." in ended.stdout
    assert (tmp_path / "there" / "Ana" / "session.py").read_text() == "s = 1\n"
    as_json = json.loads(run("collect", "class", "--json").stdout)
    assert as_json["counts"]["files"] == 2
    assert run("collect", "class", "--layout", "other", "--out", "x").returncode == 2


@pytest.mark.parametrize(
    "words",
    [(verb, "missing.jsonl") for verb in ("draw", "diagnose", "collect", "grade")],
)
def test_a_missing_file_is_named_in_words(run: Run, words: tuple[str, ...]) -> None:
    ended = run(*words)
    assert ended.returncode == 2
    assert "missing.jsonl" in ended.stderr
    assert "Errno" not in ended.stderr


@pytest.mark.parametrize("verb", ["draw", "diagnose"])
def test_a_large_file_asks_for_patience_on_a_terminal_only(
    verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "s.jsonl").write_text(f"{json.dumps(opening().entries[0])}\n")
    words = [verb, str(tmp_path / "s.jsonl")]
    monkeypatch.setattr(cli, "_LARGE_FILE", 10)
    assert cli.main(words) == 0
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert cli.main(words) == 0
    assert "Reading a large file" in capsys.readouterr().err
