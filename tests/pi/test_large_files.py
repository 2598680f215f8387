"""Files that are read in pieces: the same entries as in one, and the same words for a bad line."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from coursekit.pi import DuplicateIdError, SessionFileError, SessionManager
from coursekit.pi.files.read_ahead import read_ahead
from tests.pi import cases

_MEGABYTE = 1024 * 1024


@pytest.fixture(scope="module")
def entries() -> list[cases.Json]:
    """More than 12 MB, some lines longer than a piece, some texts with wide characters."""
    texts = ["x" * 9_000, "日志\n" * 2_000, "\U0001f333" * 900] * 300
    texts[7] = texts[500] = "y" * 3 * _MEGABYTE
    return [
        cases.user(f"u{number}", f"u{number - 1}" if number else None, text)
        for number, text in enumerate(texts)
    ]


@pytest.fixture
def path(tmp_path: Path, entries: list[cases.Json]) -> Path:
    return cases.write(tmp_path / "large.jsonl", entries)


def test_a_large_file_holds_its_entries_and_grows(path: Path, entries: list[cases.Json]) -> None:
    assert path.stat().st_size > 12 * _MEGABYTE
    before = path.read_bytes()
    manager = SessionManager.open(path)
    assert manager.warnings == []
    assert [entry.to_json() for entry in manager.get_entries()] == entries
    assert b"\n".join(entry.line() for entry in manager.get_entries()) in before
    added = manager.append_message({"role": "user", "content": "on", "timestamp": 0})
    assert path.read_bytes().startswith(before)
    assert SessionManager.open(path).get_leaf_id() == added


def test_a_bad_line_of_a_large_file_is_named(path: Path, entries: list[cases.Json]) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole + b"[]\n" + whole[-200:])
    with pytest.raises(SessionFileError, match="a line must hold a JSON object") as raised:
        SessionManager.open(path)
    assert raised.value.line == len(entries) + 2
    path.write_bytes(whole + (json.dumps(entries[1]) + "\n").encode())
    with pytest.raises(DuplicateIdError) as twice:
        SessionManager.open(path)
    assert (twice.value.first_line, twice.value.line) == (3, len(entries) + 2)


def test_a_torn_tail_of_a_large_file_is_reported(path: Path, entries: list[cases.Json]) -> None:
    torn = path.read_bytes()[:-9]
    path.write_bytes(torn)
    manager = SessionManager.open(path)
    assert [(warning.code, warning.line) for warning in manager.warnings] == [
        ("torn-line", len(entries) + 1)
    ]
    assert manager.get_entry_count() == len(entries) - 1
    manager.append_message({"role": "user", "content": "on", "timestamp": 0})
    assert path.read_bytes().startswith(torn + b"\n{")


@pytest.mark.parametrize("there", [0, 1, 9 * _MEGABYTE, 20 * _MEGABYTE + 7])
@pytest.mark.parametrize("asked", [1, 9 * _MEGABYTE, 20 * _MEGABYTE])
def test_pieces_are_the_bytes_in_their_order(there: int, asked: int) -> None:
    data = bytes(range(251)) * (there // 251 + 1)
    pieces = list(read_ahead(io.BytesIO(data[:there]), asked))
    assert b"".join(pieces) == data[: min(there, asked)]


def test_what_goes_wrong_while_reading_ahead_reaches_the_reader() -> None:
    class Broken(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        list(read_ahead(Broken(), 100 * _MEGABYTE))
