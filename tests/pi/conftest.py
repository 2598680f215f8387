"""What the tests of pi share: real Pi, to be asked, and an empty session."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from coursekit.pi import SessionManager
from tests.pi.oracle import Oracle, missing


@pytest.fixture(scope="session")
def oracle() -> Iterator[Oracle]:
    """Pi 1.6.0, in one Node.js process for a whole run; skips where the two are not installed."""
    reason = missing()
    if reason:
        pytest.skip(reason)
    with Oracle() as running:
        yield running


@pytest.fixture(params=["memory", "disk"])
def manager(request: pytest.FixtureRequest, tmp_path: Path) -> SessionManager:
    """A session without entries, in memory and then on disk."""
    if request.param == "memory":
        return SessionManager.in_memory("/w")
    return SessionManager.create("/w", tmp_path / "sessions")
