"""A request to stop: set once, from any thread."""

from __future__ import annotations

from threading import Thread

from coursekit.pi.abort_signal import AbortSignal


def test_a_signal_is_set_from_another_thread_and_stays_set() -> None:
    signal = AbortSignal()
    assert not signal.aborted
    thread = Thread(target=signal.abort)
    thread.start()
    thread.join()
    assert signal.aborted
    signal.abort()
    assert signal.aborted
