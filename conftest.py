"""Lets `pytest --nbval notebooks` run here as it does in a learner's practice folder."""

from pathlib import Path
from typing import Any

import pytest

from coursekit.course import COURSE
from coursekit.workbook import answer_files, nbval_rule

NOTEBOOKS = Path(__file__).parent / "notebooks"
_PRACTICE = pytest.StashKey[Path]()


def pytest_collectstart(collector: Any) -> None:
    """Compare by the course's rule, and run each notebook's copy in a practice folder.

    That folder holds the reference's answers, so all checks in it pass.
    """
    nbval_rule.pytest_collectstart(collector)
    if hasattr(collector, "skip_compare") and collector.path.parent == NOTEBOOKS:
        collector.path = _practice(collector.config) / collector.path.name


def _practice(config: pytest.Config) -> Path:
    from coursekit.workbook import practice

    if _PRACTICE not in config.stash:
        temporary = pytest.TempPathFactory.from_config(config, _ispytest=True)
        folder = practice.make(COURSE, temporary.mktemp("notebooks") / "practice")
        for lab in COURSE.exercises:
            answer_files.reveal(COURSE, folder, lab)
        config.stash[_PRACTICE] = folder
    return config.stash[_PRACTICE]
