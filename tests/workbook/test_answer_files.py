"""Reveal and reset: one lab's function, a backup of what was the learner's, a note of it."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from coursekit.check.course import Course, Lab
from coursekit.check.coursekit_error import CoursekitError
from coursekit.course import COURSE
from coursekit.workbook import answer_files
from coursekit.workbook.progress import Progress

LAB = COURSE.find("11.2")


def test_all_revealed_is_the_reference_but_for_the_import(folder: Path) -> None:
    for lab in COURSE.exercises:
        assert answer_files.reveal(COURSE, folder, lab) is None
    for module in ("session.py", "context.py"):
        ours = (folder / module).read_text(encoding="utf-8")
        ours = ours.replace("from session import", "from coursekit.session import")
        ours = ours.replace("    LabNotDone,\n", "")
        head, found, rest = ours.partition("class LabNotDone")
        if found:
            ours = head + rest.split("\n\n\n", 1)[1]
        wanted = COURSE.reference_source(module).read_text(encoding="utf-8")
        assert "".join(ours.split()) == "".join(wanted.split())
    assert Progress(folder).revealed == [lab.id for lab in COURSE.exercises]
    done = subprocess.run(
        [sys.executable, "-c", "import context; print(context.group_interactions([]))"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"


def test_reset_brings_back_exactly_the_starter(folder: Path) -> None:
    for lab in COURSE.exercises:
        answer_files.reveal(COURSE, folder, lab)
    for lab in COURSE.exercises:
        answer_files.reset(COURSE, folder, lab)
    for module in ("session.py", "context.py"):
        assert (folder / module).read_bytes() == (COURSE.starters / module).read_bytes()
    assert Progress(folder).revealed == []


@pytest.mark.parametrize("act", [answer_files.reveal, answer_files.reset])
def test_own_work_is_kept_in_a_backup_and_the_rest_stays(
    folder: Path, act: Callable[[Course, Path, Lab], Path | None]
) -> None:
    path = folder / "context.py"
    mine = path.read_text(encoding="utf-8").replace(
        'raise LabNotDone("Lab 11.2: group_interactions is not written yet")', "return []"
    )
    mine += "\n\ndef my_helper():\n    return 'mine'\n"
    path.write_text(mine, encoding="utf-8")
    backup = act(COURSE, folder, LAB)
    assert backup is not None
    assert backup.read_text(encoding="utf-8") == mine
    assert path.read_text(encoding="utf-8").endswith("    return 'mine'\n")
    assert "return []\n\n\ndef build_context" not in path.read_text(encoding="utf-8")


def test_a_deleted_file_comes_back_as_the_starter_with_the_lab_in_it(folder: Path) -> None:
    (folder / "context.py").unlink()
    answer_files.reset(COURSE, folder, LAB)
    starter = COURSE.starters / "context.py"
    assert (folder / "context.py").read_bytes() == starter.read_bytes()


def test_a_broken_file_is_left_as_it_is(folder: Path) -> None:
    path = folder / "context.py"
    path.write_text(path.read_text(encoding="utf-8") + "\nx = (\n", encoding="utf-8")
    before = path.read_bytes()
    with pytest.raises(CoursekitError, match=r"context\.py, line \d+"):
        answer_files.reveal(COURSE, folder, LAB)
    assert path.read_bytes() == before
    assert Progress(folder).revealed == []


def test_with_damaged_progress_nothing_is_changed(folder: Path) -> None:
    (folder / ".coursekit.json").write_text("{")
    before = (folder / "context.py").read_bytes()
    with pytest.raises(CoursekitError, match="move it away"):
        answer_files.reveal(COURSE, folder, LAB)
    assert (folder / "context.py").read_bytes() == before


def test_results_of_a_replaced_function_are_forgotten(folder: Path) -> None:
    progress = Progress(folder)
    progress.mark_checks({"11.2/1": True, "11.1/1": True}, "x")
    progress.save()
    answer_files.reset(COURSE, folder, LAB)
    assert Progress(folder).passed("11.2/1") is None
    assert Progress(folder).passed("11.1/1") is True


def test_the_fingerprint_changes_with_either_file_and_comes_back(folder: Path) -> None:
    first = answer_files.fingerprint(folder, COURSE.modules)
    for module in ("session.py", "context.py"):
        path = folder / module
        old = path.read_bytes()
        path.write_bytes(old + b"\n")
        assert answer_files.fingerprint(folder, COURSE.modules) != first
        path.write_bytes(old)
    assert answer_files.fingerprint(folder, COURSE.modules) == first
    (folder / "session.py").unlink()
    assert answer_files.fingerprint(folder, COURSE.modules) != first
