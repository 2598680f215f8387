"""What a notebook shows of the shell, called as from a kernel in the practice folder."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from coursekit.course import COURSE
from coursekit.workbook import answer_files, notebook_helpers
from coursekit.workbook.progress import Progress
from coursekit.workbook.standing import status_text


@pytest.fixture
def kernel(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The practice folder that this process imports from, as a notebook's kernel does."""
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.chdir(folder)
    before = {name: sys.modules.pop(name, None) for name in ("session", "context")}
    yield folder
    for name, module in before.items():
        sys.modules.pop(name, None)
        if module is not None:
            sys.modules[name] = module


def test_check_says_what_the_shell_says_and_how_to_ask_for_a_hint_here(kernel: Path) -> None:
    text = repr(notebook_helpers.check("11.1"))
    assert "0/3 checks pass." in text
    assert text.endswith('For a hint: hint("11.1")')
    assert Progress(kernel).passed("11.1/1") is False


def test_check_says_where_the_kernel_holds_something_else(kernel: Path) -> None:
    held = ModuleType("context")
    exec("def group_interactions(entries):\n    return []\n", held.__dict__)
    sys.modules["context"] = held
    text = repr(notebook_helpers.check("11.2"))
    assert "Note: group_interactions in memory differs from the saved context.py" in text


def test_hints_are_counted_and_status_is_the_shell_s(kernel: Path) -> None:
    assert repr(notebook_helpers.hint("11.2")).startswith("Hint 1 of 3, lab 11.2")
    assert repr(notebook_helpers.hint("11.2")).startswith("Hint 2 of 3, lab 11.2")
    assert repr(notebook_helpers.status()) == status_text(kernel)


def test_observe_shows_each_step_without_notes(kernel: Path) -> None:
    assert {"unfinished": "LabNotDone"} in notebook_helpers.observe("11.1/1")
    for name in ("session", "context"):
        sys.modules.pop(name, None)
    for lab in COURSE.exercises:
        answer_files.reveal(COURSE, kernel, lab)
    seen = notebook_helpers.observe("11.1/1")
    assert len(seen) == len(COURSE.case("11.1/1", 0).steps)
    assert {key for each in seen for key in each} == {"returned", "refused"}


def test_the_folder_on_the_import_path_goes_before_the_one_stood_in(
    kernel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert notebook_helpers.answers_folder() == kernel
