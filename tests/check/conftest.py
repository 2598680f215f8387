"""Right answers in a folder of its own, for a test to break."""

from pathlib import Path

import pytest

from coursekit.check import supervision
from tests.check.reports import BrokenAnswers


@pytest.fixture
def answers(tmp_path: Path) -> BrokenAnswers:
    """Right answers, until the test breaks them."""
    return BrokenAnswers(tmp_path)


@pytest.fixture
def _short_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test needs to wait for the real limit of a loop that never ends."""
    monkeypatch.setattr(supervision, "TIME_LIMIT", 2.0)
    monkeypatch.setattr(supervision, "LATER_TIME_LIMIT", 1.0)
