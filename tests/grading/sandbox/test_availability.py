"""What is said about the isolation that this computer offers."""

import os

import pytest

from coursekit.grading.sandbox import availability
from coursekit.workbook.errors import WorkbookError

bwrap = pytest.mark.bwrap


@bwrap
def test_it_says_that_bubblewrap_works_and_what_it_leaves_open() -> None:
    finding = availability.examine()
    assert finding.state == "good"
    assert "bubblewrap works" in finding.told
    assert "\n" not in finding.told


def test_auto_refuses_without_bubblewrap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(WorkbookError, match="apt install bubblewrap"):
        availability.choose("auto")
    with pytest.raises(WorkbookError, match="--isolation process"):
        availability.choose("bwrap")


def test_process_isolation_is_for_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(WorkbookError, match="only root"):
        availability.choose("process")
