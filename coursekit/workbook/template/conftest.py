"""Lets pytest find these answers, and nbval compare answers rather than prints."""

from pathlib import Path

import pytest

from coursekit.workbook.nbval_rule import pytest_collectstart

__all__ = ["answers", "pytest_collectstart"]


@pytest.fixture(scope="session")
def answers() -> Path:
    """The folder that the checks look at: this one."""
    return Path(__file__).parent
