"""A practice folder of its own for each test."""

from pathlib import Path

import pytest

from coursekit.course import COURSE
from coursekit.workbook import practice


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An untouched practice folder."""
    return practice.make(COURSE, tmp_path / "practice")
