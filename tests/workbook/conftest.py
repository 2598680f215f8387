"""A practice folder of its own for each test."""

from pathlib import Path

import pytest

from coursekit.workbook import practice


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return practice.make(tmp_path / "practice")
