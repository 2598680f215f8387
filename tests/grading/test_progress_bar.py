"""Progress where nothing can be redrawn: a line now and then."""

import time

import pytest

from coursekit.grading.progress_bar import ProgressBar


def test_a_log_gets_a_line_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seconds = iter([0.0, 4.0, 10.0, 12.0])
    monkeypatch.setattr(time, "monotonic", lambda: next(seconds))
    bar = ProgressBar(6)
    for _ in range(3):
        bar.step()
    bar.close()
    assert capsys.readouterr().err == "graded 2 of 6, about 20 s left\n"
