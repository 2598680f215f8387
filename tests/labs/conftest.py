"""Here the checks look at the reference, put into a practice folder lab by lab."""

from pathlib import Path

import pytest

from coursekit.workbook import edits, manifest, practice


@pytest.fixture(scope="session")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = practice.make(tmp_path_factory.mktemp("labs") / "practice")
    for lab in manifest.exercises():
        edits.reveal(folder, lab)
    return folder
