"""When it is time to compact, and which settings are refused."""

from __future__ import annotations

import pytest

from coursekit.pi import (
    CompactionSettings,
    PiSessionError,
    should_compact,
)


def test_the_threshold_is_strict() -> None:
    settings = CompactionSettings()
    assert not should_compact(111_616, 128_000, settings)
    assert should_compact(111_617, 128_000, settings)
    assert not should_compact(1_000_000, 128_000, CompactionSettings(enabled=False))


def test_settings_below_zero_are_refused() -> None:
    with pytest.raises(PiSessionError, match="reserve_tokens is -1"):
        CompactionSettings(reserve_tokens=-1)
    with pytest.raises(PiSessionError, match="keep_recent_tokens is -1"):
        CompactionSettings(keep_recent_tokens=-1)
