"""A newer release's course comes into a practice folder, and nothing of the learner's is lost.

A newer release is made here by making the folder from an older one's files: what is
installed is then what is new.
"""

import json
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coursekit.check.course import Course
from coursekit.check.coursekit_error import CoursekitError
from coursekit.course import COURSE
from coursekit.workbook import answer_files, course_files, file_writing, practice, standing, update
from coursekit.workbook.progress import FILE, Progress

NOTEBOOK = "11_1_records.ipynb"


@pytest.fixture
def older(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that release 0.0.9 made, whose notebook, data and test were others."""
    return make_older(tmp_path, monkeypatch)


def make_older(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    old = tmp_path / "release 0.0.9"
    shutil.copytree(COURSE.notebooks, old / "notebooks")
    shutil.copytree(COURSE.data, old / "data")
    shutil.copytree(course_files.lab_tests(), old / "tests")
    path = old / "notebooks" / NOTEBOOK
    notebook = json.loads(path.read_bytes())
    notebook["cells"][0]["source"] = ["# The older title"]
    path.write_text(json.dumps(notebook))
    (old / "notebooks" / "dropped.ipynb").write_text('{"cells": []}')
    (old / "notebooks" / "pi_sessions.ipynb").unlink(missing_ok=True)
    (old / "data" / "opening.jsonl").write_text("older\n")
    (old / "tests" / "test_labs.py").write_text("# older\n")
    with monkeypatch.context() as patch:
        patch.setattr(Course, "notebooks", old / "notebooks")
        patch.setattr(Course, "data", old / "data")
        patch.setattr(course_files, "lab_tests", lambda: old / "tests")
        patch.setattr(course_files, "RELEASE", "0.0.9")
        return practice.make(COURSE, tmp_path / "practice")


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != FILE
    }


def course() -> dict[str, bytes]:
    sources = course_files.course_files(COURSE)
    return {name: source.read_bytes() for name, source in sources.items()}


def run_notebook(path: Path) -> None:
    """What running a notebook and saving it in JupyterLab changes."""
    notebook = json.loads(path.read_bytes())
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["mine"]}]
            cell["execution_count"] = 99
            cell["source"] = "".join(cell["source"])  # as some editors save it
    notebook["metadata"]["language_info"]["version"] = "3.11.7"
    path.write_text(json.dumps(notebook))


def edit_notebook(path: Path) -> None:
    notebook = json.loads(path.read_bytes())
    notebook["cells"].append(
        {"cell_type": "markdown", "id": "mine", "metadata": {}, "source": ["My note."]}
    )
    path.write_text(json.dumps(notebook))


def test_a_folder_of_this_release_has_nothing_to_bring(folder: Path) -> None:
    before = contents(folder)
    done = update.update(folder)
    assert "this release's already" in update.update_text(done)
    assert contents(folder) == before
    assert standing.status_json(folder)["behind"] == []


def test_the_course_becomes_this_releases(older: Path) -> None:
    update.update(older)
    after = contents(older)
    assert {name: after[name] for name in course()} == course()
    assert Progress(older).release == course_files.RELEASE
    assert standing.status_json(older)["behind"] == []


def test_answers_progress_and_own_files_stay(older: Path) -> None:
    answer_files.reveal(COURSE, older, COURSE.find("11.1"))
    (older / "context.py").write_text("mine = (\n")
    (older / "notes.ipynb").write_text("my own")
    (older / "data" / "mine.jsonl").write_text("my data\n")
    progress = Progress(older)
    progress.mark_hints("11.2", 2)
    progress.mark_prediction("exercise-leaf", "B")
    progress.save()
    mine = ("session.py", "context.py", "notes.ipynb", "data/mine.jsonl")
    before = {name: contents(older)[name] for name in mine}
    update.update(older)
    assert {name: contents(older)[name] for name in mine} == before
    again = Progress(older)
    assert (again.hints("11.2"), again.revealed) == (2, ["11.1"])
    assert again.predictions == {"exercise-leaf": "B"}


def test_a_notebook_that_was_only_run_is_replaced(older: Path) -> None:
    run_notebook(older / NOTEBOOK)
    done = update.update(older)
    assert NOTEBOOK in done.replaced
    assert done.kept == {}
    assert not list(older.glob("*.mine*"))


def test_a_run_notebook_that_is_not_newer_keeps_its_outputs(older: Path) -> None:
    run_notebook(older / "11_2_interactions.ipynb")
    before = contents(older)["11_2_interactions.ipynb"]
    update.update(older)
    assert contents(older)["11_2_interactions.ipynb"] == before


def test_a_changed_notebook_is_kept_beside_and_named(older: Path) -> None:
    edit_notebook(older / NOTEBOOK)
    (older / "11_1_records.mine.ipynb").write_text("an earlier one")
    mine = (older / NOTEBOOK).read_bytes()
    done = update.update(older)
    assert done.kept == {NOTEBOOK: "11_1_records.mine-2.ipynb"}
    assert (older / "11_1_records.mine-2.ipynb").read_bytes() == mine
    assert (older / "11_1_records.mine.ipynb").read_text() == "an earlier one"
    assert "11_1_records.mine-2.ipynb" in update.update_text(done)


def test_a_changed_notebook_that_is_not_newer_stays(older: Path) -> None:
    edit_notebook(older / "11_2_interactions.ipynb")
    before = contents(older)["11_2_interactions.ipynb"]
    assert "11_2_interactions.ipynb" not in update.update(older).kept
    assert contents(older)["11_2_interactions.ipynb"] == before


def test_a_changed_file_that_is_no_notebook_is_kept_where_pytest_does_not_look(
    older: Path,
) -> None:
    (older / "tests" / "test_labs.py").write_text("# mine\n")
    done = update.update(older)
    assert done.kept == {"tests/test_labs.py": "tests/test_labs.py.1.bak"}
    assert (older / "tests" / "test_labs.py.1.bak").read_text() == "# mine\n"


def test_what_the_course_no_longer_has_is_left_and_named(older: Path) -> None:
    done = update.update(older)
    assert done.left == ["dropped.ipynb"]
    assert (older / "dropped.ipynb").is_file()
    assert "no longer part of the course" in update.update_text(done)


def test_what_was_deleted_comes_back(older: Path) -> None:
    (older / "data" / "opening.jsonl").unlink()
    assert "data/opening.jsonl" in update.update(older).added
    assert contents(older)["data/opening.jsonl"] == course()["data/opening.jsonl"]


def test_a_folder_without_a_record_loses_nothing(older: Path) -> None:
    """As releases made it that did not note what they put there."""
    record = json.loads((older / FILE).read_bytes())
    del record["given"]
    (older / FILE).write_text(json.dumps(record))
    run_notebook(older / "11_2_interactions.ipynb")
    before = contents(older)
    assert "made by an older release" in standing.status_text(older)
    done = update.update(older)
    after = contents(older)
    assert {name: after[name] for name in course() if name != "11_2_interactions.ipynb"} == {
        name: text for name, text in course().items() if name != "11_2_interactions.ipynb"
    }
    assert after["11_2_interactions.ipynb"] == before["11_2_interactions.ipynb"]
    for name, beside in done.kept.items():
        assert after[beside] == before[name]
    assert NOTEBOOK in done.kept


def test_status_says_that_the_folder_is_older(older: Path) -> None:
    text = standing.status_text(older)
    assert "made by coursekit 0.0.9" in text
    assert "coursekit update" in text
    assert max(map(len, text.splitlines()[1:])) <= 80
    stands = standing.status_json(older)
    assert stands["release"] == "0.0.9"
    assert NOTEBOOK in stands["behind"]


def test_a_folder_of_a_later_release_is_left_alone(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(course_files, "RELEASE", "0.0.10")
    progress = (folder / FILE).read_bytes()
    with pytest.raises(CoursekitError, match="pip install --upgrade coursekit"):
        update.update(folder)
    assert (folder / FILE).read_bytes() == progress
    assert "pip install --upgrade coursekit" in standing.status_text(folder)


def test_a_starter_that_changed_is_named_once(
    older: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(COURSE.starters, tmp_path / "newer")
    with (tmp_path / "newer" / "context.py").open("a") as file:
        file.write("# newer\n")
    monkeypatch.setattr(Course, "starters", tmp_path / "newer")
    before = (older / "context.py").read_bytes()
    assert "The starter of context.py is another one" in update.update_text(update.update(older))
    assert (older / "context.py").read_bytes() == before
    assert update.update(older).starters == []


@pytest.mark.parametrize("name", [NOTEBOOK, "data/opening.jsonl", "data"])
def test_what_stands_in_the_way_stops_it_before_anything_is_changed(older: Path, name: str) -> None:
    path = older / name
    if path.is_dir():
        shutil.rmtree(path)
        path.write_text("a file")
    else:
        path.unlink()
        path.mkdir()
    before = contents(older)
    with pytest.raises(CoursekitError, match=r"Move what is there away\.$"):
        update.update(older)
    assert contents(older) == before


def test_stopped_midway_it_can_be_run_again(older: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    edit_notebook(older / NOTEBOOK)
    mine = (older / NOTEBOOK).read_bytes()
    real = file_writing.write_atomically
    calls = []

    def full(path: Path, text: bytes) -> None:
        calls.append(path)
        if len(calls) == 2:
            raise OSError("no space left on device")
        real(path, text)

    with monkeypatch.context() as patch:
        patch.setattr(update, "write_atomically", full)
        with pytest.raises(OSError, match="no space"):
            update.update(older)
    update.update(older)
    after = contents(older)
    assert {name: after[name] for name in course()} == course()
    assert [text for text in after.values() if text == mine] == [mine]


ACTS = ("run", "edit", "break", "delete", "leave")


@given(acts=st.dictionaries(st.sampled_from(sorted(course())), st.sampled_from(ACTS)))
def test_whatever_was_done_nothing_written_is_lost(
    tmp_path_factory: pytest.TempPathFactory, acts: dict[str, str]
) -> None:
    tmp_path = tmp_path_factory.mktemp("update")
    with pytest.MonkeyPatch.context() as patch:
        older = make_older(tmp_path, patch)
    written = []
    for name, act in acts.items():
        path = older / name
        if not path.is_file() or act == "leave":
            continue
        if act == "delete":
            path.unlink()
        elif act == "run" and path.suffix == ".ipynb":
            run_notebook(path)
        elif act == "edit" and path.suffix == ".ipynb":
            edit_notebook(path)
            written.append(path.read_bytes())
        else:
            path.write_text(f"broken by me: {name}")
            written.append(path.read_bytes())
    answers = {module: (older / module).read_bytes() for module in COURSE.modules}
    update.update(older)
    after = contents(older)
    assert {module: after[module] for module in COURSE.modules} == answers
    assert set(written) <= set(after.values())
    assert update.update(older).replaced == []
    assert contents(older) == after, "a second time there is nothing to do"
