"""Here the checks look at the reference, put into a practice folder lab by lab."""

from pathlib import Path

import pytest

from coursekit.course import COURSE
from coursekit.workbook import answer_files, practice


@pytest.fixture(scope="session")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = practice.make(COURSE, tmp_path_factory.mktemp("labs") / "practice")
    for lab in COURSE.exercises:
        answer_files.reveal(COURSE, folder, lab)
    return folder
