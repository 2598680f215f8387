"""Each verb in a practice folder of the tiny course: what it does, and what it says."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.another_course import answers
from tests.another_course.conftest import TINY, Run


def python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs Python in a practice folder, as a notebook's kernel would be run."""
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, capture_output=True, text=True, timeout=120
    )


def test_practice_has_this_courses_files_and_no_others(folder: Path) -> None:
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert found == {
        ".coursekit.json",
        "README.md",
        "brackets.ipynb",
        "brackets.py",
        "conftest.py",
        "data/numbers.json",
        "mean.ipynb",
        "means.py",
        "pytest.ini",
        "tests/test_labs.py",
    }


def test_check_says_what_is_not_started_and_then_what_passes(run: Run, folder: Path) -> None:
    before = run("check", cwd=folder)
    assert before.returncode == 1
    assert "not started: Lab mean: running_mean is not written yet" in before.stdout
    assert "Next: write running_mean in means.py." in before.stdout
    (folder / "means.py").write_text(answers.MEANS)
    (folder / "brackets.py").write_text(answers.BRACKETS)
    after = run("check", "--json", cwd=folder)
    assert after.returncode == 0
    report = json.loads(after.stdout)
    assert [*report["labs"]] == ["mean", "brackets"]
    assert (report["passed"], report["total"]) == (4, 4)
    assert run("check", "11.2", cwd=folder).stderr == (
        "coursekit: There is no lab '11.2' here. Choose from mean, brackets.\n"
    )


@pytest.mark.parametrize(
    ("file", "answer", "passed", "phrases"),
    [
        (
            "means.py",
            answers.IN_PLACE,
            [False, True],
            ["change the means", "stay as they were", "“Nothing is shared” in mean.ipynb"],
        ),
        ("brackets.py", answers.REMEMBERED, [False, True], ["Every call returns a list of its"]),
        (
            "brackets.py",
            answers.NEVER_REFUSES,
            [False, False],
            [
                "a ValueError whose message names 'text[6]'",
                "it returned [[0, 2], [3, 5]]",
            ],
        ),
        (
            "brackets.py",
            answers.NAMELESS,
            [False, False],
            ["got ValueError: place [0] is loose", "Its message does not name 'text[0]'."],
        ),
        (
            "brackets.py",
            answers.BRACKETS.replace("(text)", "()"),
            [False, False],
            ["Its parameters are no longer those of the starter:", "match_brackets(text)"],
        ),
        (
            "means.py",
            answers.MEANS.replace("return found", ""),
            [False, False],
            ["None", "The mean so far"],
        ),
        ("means.py", answers.ENDLESS, [False, False], ["a loop that never stops", "at means.py"]),
        ("brackets.py", answers.EXITS, [False, False], ["it ended the whole Python process"]),
        ("brackets.py", answers.ALWAYS_EQUAL, [False, False], ["got", "4/4 checks pass."]),
    ],
    ids="in-place remembered accepts nameless signature no-return endless exits forges".split(),
)
def test_a_wrong_answer_fails_and_its_message_teaches(
    run: Run, folder: Path, file: str, answer: str, passed: list[bool], phrases: list[str]
) -> None:
    (folder / file).write_text(answer)
    lab = {"means.py": "mean", "brackets.py": "brackets"}[file]
    said = run("check", lab, cwd=folder)
    assert said.returncode == 1
    text = " ".join(said.stdout.split())
    for phrase in phrases:
        assert phrase in text
    progress = json.loads((folder / ".coursekit.json").read_bytes())
    assert [progress["checks"][f"{lab}/{n}"]["passed"] for n in (1, 2)] == passed


def test_status_says_what_is_next(run: Run, folder: Path) -> None:
    (folder / "means.py").write_text(answers.MEANS)
    run("check", "mean", cwd=folder)
    standing = json.loads(run("status", "--json", cwd=folder).stdout)
    assert (standing["passed"], standing["total"]) == (2, 4)
    assert (standing["next"], standing["transfer"], standing["behind"]) == ("brackets", None, [])
    lines = run("status", cwd=folder).stdout.splitlines()
    mean, brackets = lines[2:4]
    assert mean.index("Average") == brackets.index("Find")
    assert lines[-1] == "Next: lab brackets in brackets.ipynb, then: coursekit check brackets"


def test_hints_come_one_by_one(run: Run, folder: Path) -> None:
    first, second = (run("hint", "mean", cwd=folder).stdout for _ in range(2))
    assert first.startswith("Hint 1 of 2, lab mean\n")
    assert "A bool is no number here." in second
    assert "`coursekit reveal mean` fills it in." in second


def test_checkpoint_is_this_courses_in_its_folder_and_by_name(run: Run, folder: Path) -> None:
    here, named = run("checkpoint", cwd=folder), run("checkpoint", "--course", TINY)
    assert here.stdout == named.stdout
    assert here.stdout.startswith("Checkpoint: Two small functions\n")
    lab = run("checkpoint", "brackets", cwd=folder).stdout
    assert "match_brackets in brackets.py; its notebook is brackets.ipynb" in lab


def test_reveal_fills_in_and_reset_starts_over_with_a_backup(run: Run, folder: Path) -> None:
    starter = (folder / "brackets.py").read_bytes()
    assert run("reveal", "all", cwd=folder).returncode == 0
    assert run("check", cwd=folder).returncode == 0
    standing = json.loads(run("status", "--json", cwd=folder).stdout)
    assert standing["revealed"] == ["brackets", "mean"]
    mine = answers.BRACKETS.encode()
    (folder / "brackets.py").write_bytes(mine)
    said = run("reset", "brackets", cwd=folder)
    assert "brackets.py: match_brackets is the starter's again." in said.stdout
    assert (folder / "brackets.py.1.bak").read_bytes() == mine
    assert b'LabNotDone("Lab brackets' in (folder / "brackets.py").read_bytes()
    (folder / "brackets.py").unlink()
    run("reset", "brackets", cwd=folder)
    assert (folder / "brackets.py").read_bytes() == starter


def test_update_brings_a_changed_notebook_and_keeps_a_learners(run: Run, tmp_path: Path) -> None:
    course = tmp_path / "changing_course"
    shutil.copytree(TINY, course)
    assert run("practice", "mine", "--course", course).returncode == 0
    folder = tmp_path / "mine"
    (folder / "means.py").write_text(answers.MEANS)
    learners = (folder / "brackets.ipynb").read_text().replace("# Lab brackets", "# My lab")
    (folder / "brackets.ipynb").write_text(learners)
    for name in ("mean.ipynb", "brackets.ipynb"):
        notebook = course / "notebooks" / name
        notebook.write_text(notebook.read_text().replace("## Your turn", "## Now you"))
    assert sorted(json.loads(run("status", "--json", cwd=folder).stdout)["behind"]) == [
        "brackets.ipynb",
        "mean.ipynb",
    ]
    assert run("update", cwd=folder).returncode == 0
    assert "## Now you" in (folder / "mean.ipynb").read_text()
    assert "## Now you" in (folder / "brackets.ipynb").read_text()
    assert (folder / "brackets.mine.ipynb").read_text() == learners
    assert (folder / "means.py").read_text() == answers.MEANS
    assert json.loads(run("status", "--json", cwd=folder).stdout)["behind"] == []


def test_a_course_that_is_gone_is_missed_by_name(run: Run, tmp_path: Path) -> None:
    shutil.copytree(TINY, tmp_path / "passing_course")
    run("practice", "mine", "--course", "passing_course")
    shutil.rmtree(tmp_path / "passing_course")
    said = run("check", cwd=tmp_path / "mine")
    assert said.returncode == 2
    assert f"{tmp_path / 'passing_course'} is no course: labs.toml is not there." in said.stderr


def test_predictions_are_explained_and_counted(run: Run, folder: Path) -> None:
    code = "from coursekit.workbook import predict\n"
    code += "print(predict('third-mean', 3.5), predict('loose-bracket', 'b'))"
    said = python(folder, "-c", code)
    assert "Not so. That is the mean of the last two." in said.stdout
    assert "Right. The square one is open" in said.stdout
    standing = json.loads(run("status", "--json", cwd=folder).stdout)
    assert standing["predictions"] == {"right": 1, "given": 2, "total": 2}


def test_pytest_runs_the_checks_in_the_folder(run: Run, folder: Path) -> None:
    (folder / "means.py").write_text(answers.MEANS)
    said = python(folder, "-m", "pytest", "-q", "-p", "no:nbval", "-p", "no:cacheprovider")
    assert said.returncode == 1
    assert "2 failed, 2 passed" in said.stdout
    assert "Lab brackets: match_brackets is not written yet" in said.stdout


def test_the_notebooks_run_in_a_kernel_and_give_what_is_stored(run: Run, folder: Path) -> None:
    run("reveal", "all", cwd=folder)
    said = python(folder, "-m", "pytest", "-q", "--nbval", "mean.ipynb", "brackets.ipynb")
    assert said.returncode == 0, said.stdout
    assert "11 passed" in said.stdout


def test_doctor_looks_at_the_folder(run: Run, folder: Path) -> None:
    fit = run("doctor", "--dir", folder).stdout
    assert "0/4 checks passed when they last ran" in " ".join(fit.split())
    (folder / "means.py").unlink()
    lacking = " ".join(run("doctor", "--dir", folder).stdout.split())
    assert f"coursekit practice practice-2 --course {TINY}" in lacking
