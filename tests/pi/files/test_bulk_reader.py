"""Reading in bulk: the same entries as line by line, and the same words for a bad line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from coursekit.pi import (
    DuplicateIdError,
    SessionFileError,
    SessionManager,
)
from coursekit.pi.files.bulk_reader import read_session_in_bulk
from coursekit.pi.files.reader import read_session
from tests.pi import cases
from tests.pi.generate import SessionMaker
from tests.pi.strategies import sessions

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


_LINES = [
    json.dumps(cases.user("u1", None)),
    json.dumps(cases.user("u2", "u1", "日")),
    json.dumps(cases.state("custom", "s1", "u1", data={"a": [1, {"b": 2}]})),
    "",
    "  ",
    "\r",
    json.dumps(cases.user("u3", "u2")) + "\r",
    json.dumps(cases.user("u4", "u2")) + json.dumps(cases.user("u5", "u4")),
    json.dumps(cases.user("u4", "u2")) + " " + json.dumps(cases.user("u5", "u4")),
    json.dumps(cases.user("u6", "u2")).replace(": {", ":\n{"),
    json.dumps(cases.user("u7", "u2")).replace(', "', ',\n"'),
    json.dumps(cases.user("u8", "u2")).replace("}", "}\n"),
    json.dumps(cases.user("u9", "u2"))[:40],
    json.dumps(cases.state("custom", "s2", "u1", data="\ud83d")),
    json.dumps(cases.state("custom", "s3", "u1", parentId=5)),
    json.dumps(cases.HEADER),
    '{"type":"custom","id":"s4","":1}',
    "[]",
    "5",
]


# Three records on one line and one record on three: as many records as lines, no two of them alike.
_GLUED = "".join(json.dumps(cases.user(f"g{number}", "u1")) for number in range(3))


_SPREAD = json.dumps(cases.user("u8", "u2")).replace("}", "}\n").rstrip()


# At most six lines of a hundred bytes or so; cuts beyond the end change nothing.
_CUTS = st.lists(st.integers(0, 1_200), max_size=4)


def _pieces(data: bytes, cuts: list[int]) -> list[bytes]:
    ends = [*sorted(cuts), len(data)]
    return [data[start:end] for start, end in zip([0, *ends], ends, strict=False)]


@settings(max_examples=1_000)
@example(lines=[_GLUED, _SPREAD], ends=True, cuts=[])
@given(st.lists(st.sampled_from(_LINES), max_size=6), st.booleans(), _CUTS)
def test_what_is_read_in_bulk_is_what_is_read_line_by_line(
    lines: list[str], ends: bool, cuts: list[int]
) -> None:
    data = "\n".join([json.dumps(cases.HEADER), *lines]).encode() + (b"\n" if ends else b"")
    in_bulk = read_session_in_bulk(_pieces(data, cuts))
    if in_bulk is not None:
        content = read_session(data)
        assert in_bulk.header == content.header
        assert [entry.line() for entry in in_bulk.entries.values()] == [
            entry.line() for entry in content.entries.values()
        ]
        assert [*in_bulk.entries] == [*content.entries]
        assert in_bulk.warnings == content.warnings == []
        assert in_bulk.migrated_from is content.migrated_from is None


@given(sessions, st.data())
def test_a_session_without_anything_odd_is_read_in_bulk(
    maker: SessionMaker, data: st.DataObject
) -> None:
    text = b"".join(json.dumps(line).encode() + b"\n" for line in maker.lines)
    # Half of a surrogate pair is what msgspec refuses; no pair that is drawn has this half.
    text = text.replace(b"\\ud83d", b"half")
    content = read_session_in_bulk(_pieces(text, data.draw(_CUTS)))
    assert content is not None
    assert [entry.line() for entry in content.entries.values()] == text.splitlines()[1:]
