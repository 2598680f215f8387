"""Old versions: rewritten only by name, and their bad lines are named too."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from coursekit.pi import (
    FileChangedError,
    PiSessionError,
    SessionFileError,
    SessionManager,
)
from tests.pi import cases
from tests.pi.cases import USER, ids


@pytest.mark.parametrize("version", [1, 2])
def test_bad_lines_of_old_versions_are_named_too(version: int, tmp_path: Path) -> None:
    path = tmp_path / "old.jsonl"
    header = json.dumps({**cases.HEADER, "version": version})
    for lines, problem in [
        ([cases.GOOD, '{"type":"message"}'], "line 3: .*no (id|message object)"),
        ([cases.GOOD, "", "[]"], "line 4: a line must hold a JSON object"),
        ([cases.GOOD, '{"id":"x"}'], "line 3: field 'type' is missing"),
        ([cases.GOOD, cases.GOOD + cases.GOOD], "line 3: .*more than one JSON value"),
        ([cases.GOOD, cases.GOOD], "line 3: duplicate entry id 'u2', first used by line 2"),
        ([cases.GOOD, header], "line 3: a second header"),
    ]:
        path.write_text("\n".join([header, *lines]) + "\n")
        if version == 1 and "duplicate" in problem:
            assert SessionManager.open(path).get_entry_count() == 2  # ids are made anew
            continue
        with pytest.raises(SessionFileError, match=problem):
            SessionManager.open(path)


def test_an_old_file_is_rewritten_only_by_name(tmp_path: Path) -> None:
    path = tmp_path / "old.jsonl"
    lines: list[dict[str, Any]] = [
        {"type": "session", "id": "s", "timestamp": "2025-01-01T00:00:00Z", "cwd": "/w"},
        {"type": "message", "timestamp": "2025-01-01T00:00:01Z", "message": USER},
        {"type": "message", "timestamp": "t", "message": {"role": "hookMessage", "content": "h"}},
        {"type": "compaction", "timestamp": "t", "summary": "S", "firstKeptEntryIndex": 2},
    ]
    old = "".join(json.dumps(line) + "\n" for line in lines)
    path.write_text(old)
    manager = SessionManager.open(path)
    assert [m["role"] for m in manager.build_session_context().messages] == [
        "compactionSummary",
        "custom",
    ]
    with pytest.raises(PiSessionError, match=r"version 1 .* migrate_file\(\)"):
        manager.append_message(USER)
    assert path.read_text() == old
    manager.migrate_file()
    added = manager.append_message(USER)
    again = SessionManager.open(path)
    assert (again.get_header().version, ids(again)) == (3, [*ids(manager)])
    assert again.get_leaf_id() == added
    with pytest.raises(PiSessionError, match="no file of an older version"):
        again.migrate_file()


def test_a_migration_waits_for_nobody_else(tmp_path: Path) -> None:
    path = tmp_path / "old.jsonl"
    path.write_text('{"type":"session","version":2,"id":"s","cwd":"/w"}\n')
    manager = SessionManager.open(path)
    with path.open("a") as file:
        file.write(json.dumps(cases.user("u1", None)) + "\n")
    before = path.read_bytes()
    with pytest.raises(FileChangedError):
        manager.migrate_file()
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["old.jsonl"]
