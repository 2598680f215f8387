"""coursekit.pi beside real Pi 1.6.0: the same sessions, the same answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from coursekit.pi import SessionManager

from .describe import as_javascript, describe
from .generate import SessionMaker
from .oracle import Oracle

pytestmark = pytest.mark.node

_SHORT = range(200)
_LONG = range(200, 2_200)


def _random_sessions(oracle: Oracle, folder: Path, seeds: range) -> None:
    path = folder / "session.jsonl"
    for seed in seeds:
        maker = SessionMaker(seed)
        path.write_bytes(maker.text().encode("utf-8"))
        ours = SessionManager.open(path)
        assert ours.get_entry_count() == len(maker.lines) - 1
        for entry, line in zip(ours.get_entries(), maker.lines[1:], strict=True):
            assert entry.to_json() == line, f"seed {seed}"
        theirs = oracle.ask("look", path=str(path))
        assert as_javascript(describe(ours)) == as_javascript(theirs), f"seed {seed}"


def test_random_sessions(oracle: Oracle, tmp_path: Path) -> None:
    _random_sessions(oracle, tmp_path, _SHORT)


@pytest.mark.gate
def test_two_thousand_random_sessions(oracle: Oracle, tmp_path: Path) -> None:
    _random_sessions(oracle, tmp_path, _LONG)
