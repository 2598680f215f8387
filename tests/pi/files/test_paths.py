"""Where Pi keeps the sessions of a folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from coursekit.pi import SessionManager
from tests.pi.cases import USER, file_of


def test_the_sessions_lie_where_pi_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(tmp_path / "agent"))
    manager = SessionManager.create("/a/b:c")
    manager.append_message(USER)
    assert file_of(manager).parent == tmp_path / "agent" / "sessions" / "--a-b-c--"
    assert [info.id for info in SessionManager.list("/a/b:c")] == [manager.get_session_id()]
    # A session that was moved here belongs to this folder, whatever its header says; in a folder of
    # one's own, which may hold several projects, it doesn't.
    other = SessionManager.create("/other", manager.get_session_dir())
    other.append_message(USER)
    assert len(SessionManager.list("/a/b:c")) == 2
    assert len(SessionManager.list("/a/b:c", manager.get_session_dir())) == 2
    assert len(SessionManager.list("/a/b", manager.get_session_dir())) == 0
    os.utime(file_of(other), (1, 1))
    again = SessionManager.continue_recent("/a/b:c")
    assert again.get_session_id() == manager.get_session_id()
