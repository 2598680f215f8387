"""What is said about the isolation that this computer offers."""

import os

import pytest

from coursekit.check.coursekit_error import CoursekitError
from coursekit.grading.sandbox import availability

bwrap = pytest.mark.bwrap


@bwrap
def test_it_says_that_bubblewrap_works_and_what_it_leaves_open() -> None:
    finding = availability.examine()
    assert finding.state == "good"
    assert "bubblewrap works" in finding.text
    assert "\n" not in finding.text


def test_auto_refuses_without_bubblewrap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(CoursekitError, match="apt install bubblewrap"):
        availability.choose("auto")
    with pytest.raises(CoursekitError, match="--isolation process"):
        availability.choose("bwrap")


def test_process_isolation_is_for_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(CoursekitError, match="only root"):
        availability.choose("process")
