"""Real Pi, as an oracle: one Node.js process that answers every question of a test run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.pi.oracle import Oracle, missing


@pytest.fixture(scope="session")
def oracle() -> Iterator[Oracle]:
    """Pi 1.6.0 on Node.js; the test is skipped where the two are not installed."""
    reason = missing()
    if reason:
        pytest.skip(reason)
    with Oracle() as running:
        yield running
