"""A class in each platform's layout becomes the same folder of submissions."""

import csv
import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from coursekit.check.coursekit_error import CoursekitError
from coursekit.course import COURSE
from coursekit.grading.intake.account import Account, StudentAccount
from coursekit.grading.intake.collect import ACCOUNT, TABLE, collect
from coursekit.grading.submission import find
from tests.grading.intake.class_maker import CLASS, LAYOUTS, NEWEST, in_folder, tarred, zipped


def as_folder(files: Mapping[str, bytes], place: Path) -> Path:
    return in_folder(files, place / "class")


def as_zip(files: Mapping[str, bytes], place: Path) -> Path:
    path = place / "class.zip"
    path.write_bytes(zipped(files))
    return path


def as_tar(files: Mapping[str, bytes], place: Path) -> Path:
    path = place / "class.tar.gz"
    path.write_bytes(tarred(files))
    return path


WAYS: list[Callable[[Mapping[str, bytes], Path], Path]] = [as_folder, as_zip, as_tar]


def collected(files: Mapping[str, bytes], place: Path) -> dict[str, StudentAccount]:
    """The students of a class in folders, each with an account."""
    account = collect(COURSE, as_folder(files, place), place / "out", "folders")
    return {each.folder: each for each in account.students}


def fates(student: StudentAccount) -> dict[str, tuple[str, str]]:
    return {each.path.partition("/")[2]: (each.fate, each.why) for each in student.files}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", LAYOUTS)
def test_each_layout_is_recognised_and_collected(
    tmp_path: Path, name: str, way: Callable[[Mapping[str, bytes], Path], Path]
) -> None:
    layout, files = LAYOUTS[name]
    account = collect(COURSE, way(files, tmp_path), tmp_path / "out")
    assert account.layout == layout
    assert len(account.students) == len(CLASS)
    read = [place.read(COURSE) for place in find(tmp_path / "out")]
    marks = sorted(
        each.files[file].split(b"\n")[0].decode() for each in read for file in each.answers(COURSE)
    )
    assert marks == sorted(
        f"# {login} {attempt}" for login, attempt in NEWEST.items() for _ in "sc"
    )
    status = [each.status for each in account.students]
    assert status.count("complete") == len(NEWEST)
    assert status.count("nothing") == 1
    assert sum(each.count for each in account.files()) == sum(account.counts().values())
    assert account.counts()["not understood"] == 0


@pytest.mark.parametrize("name", ["moodle folders", "moodle flat", "ilias", "blackboard"])
def test_two_students_of_one_name_are_kept_apart(tmp_path: Path, name: str) -> None:
    _, files = LAYOUTS[name]
    account = collect(COURSE, as_zip(files, tmp_path), tmp_path / "out")
    both = [each for each in account.students if each.name == "Kim Lee"]
    assert len({each.folder for each in both}) == 2
    assert all(each.id in each.folder for each in both)
    assert "李" in "".join(each.folder for each in account.students)
    assert any("O'Neil" in each.folder for each in account.students)


@pytest.mark.parametrize("name", ["canvas", "ilias"])
def test_late_has_a_column_of_its_own(tmp_path: Path, name: str) -> None:
    _, files = LAYOUTS[name]
    collect(COURSE, as_zip(files, tmp_path), tmp_path / "out")
    with (tmp_path / "out" / TABLE).open(encoding="utf-8", newline="") as table:
        late = [row["name"].lower() for row in csv.DictReader(table) if row["late"] == "yes"]
    assert len(late) == 1
    assert "neil" in late[0]


@pytest.mark.parametrize("name", ["canvas", "ilias", "blackboard"])
def test_the_newest_of_three_attempts_counts_and_all_are_listed(tmp_path: Path, name: str) -> None:
    _, files = LAYOUTS[name]
    account = collect(COURSE, as_zip(files, tmp_path), tmp_path / "out")
    [student] = [each for each in account.students if len(each.attempts) == 3]
    older = [each.why for each in student.files if "the newest counts" in each.why]
    assert len(older) == 4
    assert b"third" in (tmp_path / "out" / student.folder / "session.py").read_bytes()


def test_the_account_is_kept_beside_the_submissions(tmp_path: Path) -> None:
    _, files = LAYOUTS["canvas"]
    account = collect(COURSE, as_zip(files, tmp_path), tmp_path / "out")
    kept = json.loads((tmp_path / "out" / ACCOUNT).read_text("utf-8"))
    assert kept == json.loads(json.dumps(account.to_json()))
    assert kept["counts"]["files"] == len(files)


def test_git_is_never_entered(tmp_path: Path) -> None:
    _, files = LAYOUTS["classroom"]
    account = collect(COURSE, as_folder(files, tmp_path), tmp_path / "out")
    records = [each for each in account.files() if ".git" in each.path]
    assert len(records) == len(CLASS)
    assert {each.fate for each in records} == {"set aside"}


# --- names ------------------------------------------------------------------------


def test_a_near_name_is_taken_and_said(tmp_path: Path) -> None:
    files = {"Ana/session (1).py": b"s", "Ana/Context.PY.txt": b"c", "Ben/session-1.py": b"s"}
    students = collected(files, tmp_path)
    assert students["Ana"].status == "complete"
    assert (tmp_path / "out" / "Ana" / "session.py").read_bytes() == b"s"
    assert fates(students["Ana"])["session (1).py"] == (
        "taken",
        'session.py is taken from "session (1).py"',
    )
    assert students["Ben"].status == "incomplete"
    assert students["Ben"].missing == ["context.py"]


def test_of_several_near_names_none_is_guessed(tmp_path: Path) -> None:
    files = {"Ana/session (1).py": b"1", "Ana/session (2).py": b"2", "Ana/context.py": b"c"}
    students = collected(files, tmp_path)
    assert students["Ana"].status == "ambiguous"
    assert not (tmp_path / "out" / "Ana" / "session.py").exists()
    assert fates(students["Ana"])["session (2).py"][0] == "not understood"


def test_a_name_that_is_right_is_no_near_one(tmp_path: Path) -> None:
    files = {"Ana/session.py": b"right", "Ana/session (1).py": b"other", "Ana/context.py": b"c"}
    students = collected(files, tmp_path)
    assert students["Ana"].status == "complete"
    assert (tmp_path / "out" / "Ana" / "session.py").read_bytes() == b"right"


def test_code_in_a_notebook_is_said_to_be_there(tmp_path: Path) -> None:
    cell = {"cell_type": "code", "source": ["def parse_compaction(value):\n", "    return 1\n"]}
    files = {
        "Ana/labs.ipynb": json.dumps({"cells": [cell, 3, {"cell_type": "code"}]}).encode(),
        "Ben/labs.ipynb": b"[" * 200_000,
        "Cleo/labs.ipynb": json.dumps({"cells": []}).encode(),
    }
    students = collected(files, tmp_path)
    assert "code for parse_compaction" in fates(students["Ana"])["labs.ipynb"][1]
    assert fates(students["Ben"])["labs.ipynb"] == ("set aside", "a notebook that can't be read")
    assert fates(students["Cleo"])["labs.ipynb"] == ("set aside", "a notebook")
    assert {each.status for each in students.values()} == {"nothing"}


@pytest.mark.parametrize("way", WAYS)
def test_an_environment_hides_neither_answers_nor_students(
    tmp_path: Path, way: Callable[[Mapping[str, bytes], Path], Path]
) -> None:
    files = {
        "Ana/session.py": b"s",
        "Ana/context.py": b"c",
        "Ana/pyvenv.cfg": b"",
        "Ana/lib/x/session.py": b"other",
        "Ben/env/pyvenv.cfg": b"",
        "Ben/env/lib/session.py": b"other",
        "Ben/session.py": b"s",
        "Cleo/pyvenv.cfg": b"",
        "Cleo/lib/session.py": b"other",
    }
    account = collect(COURSE, way(files, tmp_path), tmp_path / "out", "folders")
    assert {each.folder: each.status for each in account.students} == {
        "Ana": "complete",
        "Ben": "incomplete",
        "Cleo": "nothing",
    }
    assert (tmp_path / "out" / "Ana" / "session.py").read_bytes() == b"s"


def test_archives_of_students_are_looked_into(tmp_path: Path) -> None:
    inner = {"practice/session.py": b"s", "practice/context.py": b"c"}
    files = {
        "Ana.tar.gz": tarred(inner),
        "Ben.tar.xz": tarred(inner, "xz"),
        "Cleo/handed in.zip": zipped(inner),
        "Dora.zip": zipped({"again.zip": zipped(inner)}),
        "Emil.rar": b"Rar!",
    }
    students = collected(files, tmp_path)
    assert {name: each.status for name, each in students.items()} == {
        "Ana": "complete",
        "Ben": "complete",
        "Cleo": "complete",
        "Dora": "complete",
        "Emil.rar": "nothing",
    }


def test_the_course_says_which_files_are_answers(tmp_path: Path) -> None:
    from coursekit.check.course import load_course

    tiny = load_course(Path(__file__).parents[2] / "tiny_course")
    files = {f"Ana/{name}": b"x" for name in tiny.modules} | {"Ana/other.py": b"y"}
    account = collect(tiny, as_folder(files, tmp_path), tmp_path / "out")
    assert [each.status for each in account.students] == ["complete"]
    assert account.counts() == {"taken": len(tiny.modules), "set aside": 1, "not understood": 0}


# --- what can't be done -----------------------------------------------------------


def test_nothing_that_is_there_is_overwritten(tmp_path: Path) -> None:
    source = as_folder({"Ana/session.py": b"s"}, tmp_path)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "kept").write_text("kept")
    with pytest.raises(CoursekitError, match="is there already"):
        collect(COURSE, source, tmp_path / "out")
    with pytest.raises(CoursekitError, match="lies in"):
        collect(COURSE, source, source / "out")


def test_what_can_not_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(CoursekitError, match="There is no"):
        collect(COURSE, tmp_path / "nowhere", tmp_path / "out")
    (tmp_path / "text.zip").write_text("no zip")
    with pytest.raises(CoursekitError, match=r"text\.zip is no zip or tar"):
        collect(COURSE, tmp_path / "text.zip", tmp_path / "out")
    (tmp_path / "empty").mkdir()
    with pytest.raises(CoursekitError, match="holds no submissions"):
        collect(COURSE, tmp_path / "empty", tmp_path / "out")
    with pytest.raises(CoursekitError, match="no layout 'other'"):
        collect(COURSE, tmp_path / "empty", tmp_path / "out", "other")


def test_a_student_is_in_a_folder_that_grading_finds(tmp_path: Path) -> None:
    files = {
        "Ana.zip": zipped({"session.py": b"s"}),
        "x.zip/session.py": b"s",
        "ana/session.py": b"s",
        "__init__/session.py": b"s",
    }
    account: Account = collect(COURSE, as_zip(files, tmp_path), tmp_path / "out")
    found = [each.student for each in find(tmp_path / "out")]
    assert sorted(found) == sorted(each.folder for each in account.students)
    assert len(found) == 4
