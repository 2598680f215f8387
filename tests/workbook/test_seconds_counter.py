"""Counting the seconds for whoever waits, on a terminal of the test's own."""

import contextlib
import io
import os
import sys
import time
from collections.abc import Callable, Iterator

import pytest

from coursekit.workbook import seconds_counter

pytest.importorskip("pty", reason="There are no pseudo-terminals here.")

TAKEN_AWAY = "\r\x1b[K"


class Screen:
    """A terminal, as a program that writes to it and as somebody who looks at it."""

    def __init__(self) -> None:
        self._ours, its = os.openpty()
        os.set_blocking(self._ours, False)
        self.stderr = open(its, "w")  # noqa: SIM115 - closed with the screen
        self.seen = ""

    def look(self) -> str:
        """All that was written until now."""
        with contextlib.suppress(BlockingIOError):
            self.seen += os.read(self._ours, 10_000).decode()
        return self.seen

    def until(self, phrase: str) -> None:
        deadline = time.monotonic() + 30
        while phrase not in self.look():
            assert time.monotonic() < deadline, self.seen
            time.sleep(0.02)

    def close(self) -> None:
        self.stderr.close()
        os.close(self._ours)


@pytest.fixture
def screen() -> Iterator[Screen]:
    screen = Screen()
    yield screen
    screen.close()


@pytest.fixture
def counting(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Makes the screen stderr, in the test itself: pytest has its own before."""

    def start() -> None:
        monkeypatch.setattr(seconds_counter, "SILENT", 0)
        monkeypatch.setattr(sys, "stderr", screen.stderr)

    return start


def test_a_long_wait_is_counted_and_the_line_taken_away(
    screen: Screen, counting: Callable[[], None]
) -> None:
    counting()
    with seconds_counter.counted("This is why."):
        screen.until("1 s. This is why.")
    assert screen.look().endswith(TAKEN_AWAY)
    assert "\n" not in screen.seen


def test_a_short_wait_needs_no_word(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", screen.stderr)
    with seconds_counter.counted("This is why."):
        pass
    assert screen.look() == ""


def interrupted(screen: Screen) -> None:
    with seconds_counter.counted("This is why."):
        screen.until("This is why.")
        raise KeyboardInterrupt


def test_an_interrupt_goes_through_and_leaves_a_clean_line(
    screen: Screen, counting: Callable[[], None]
) -> None:
    counting()
    with pytest.raises(KeyboardInterrupt):
        interrupted(screen)
    assert screen.look().endswith(TAKEN_AWAY)


def test_nothing_is_said_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = io.StringIO()
    monkeypatch.setattr(seconds_counter, "SILENT", 0)
    monkeypatch.setattr(sys, "stderr", stderr)
    with seconds_counter.counted("This is why."):
        time.sleep(0.2)
    assert stderr.getvalue() == ""
