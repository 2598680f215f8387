"""Files with a fault: what is an error, what is a warning, and what grows on soundly."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coursekit.pi import (
    DuplicateIdError,
    SessionFileError,
    SessionManager,
)
from coursekit.pi.files.reader import read_session
from tests.pi import cases
from tests.pi.describe import as_javascript, describe
from tests.pi.generate import SessionMaker
from tests.pi.oracle import Oracle
from tests.pi.strategies import sessions


def test_separators_inside_a_text_stay_in_it(tmp_path: Path) -> None:
    path = cases.write(tmp_path / "case.jsonl", cases.CASES["unicode-separators"])
    for _ in range(2):
        manager = SessionManager.open(path)
        first = manager.build_session_context().messages[0]
        assert first["content"][0]["text"] == "a\u2028b\u0085c\u000bd"
        manager.append_message(first)


def test_named_difference_a_duplicate_id_is_an_error(tmp_path: Path) -> None:
    path = cases.write(tmp_path / "case.jsonl", cases.DUPLICATE_ID)
    with pytest.raises(
        DuplicateIdError, match=r"line 4: duplicate entry id 'u1'.* line 2"
    ) as raised:
        SessionManager.open(path)
    assert (raised.value.entry_id, raised.value.line, raised.value.first_line) == ("u1", 4, 2)


def test_a_torn_tail_is_reported_and_never_glued_to(tmp_path: Path) -> None:
    path = cases.write(tmp_path / "case.jsonl", [cases.user("u1", None)])
    torn = path.read_bytes() + b'{"type":"message","id":"a1","par'
    path.write_bytes(torn)
    manager = SessionManager.open(path)
    assert [(warning.code, warning.line) for warning in manager.warnings] == [("torn-line", 3)]
    assert manager.get_leaf_id() == "u1"
    assert path.read_bytes() == torn  # Named difference: Pi writes a newline when it opens.
    added = manager.append_message({"role": "user", "content": "on", "timestamp": 0})
    assert path.read_bytes().startswith(torn + b"\n{")
    again = SessionManager.open(path)
    assert [entry.id for entry in again.get_entries()] == ["u1", added]
    assert [(warning.code, warning.line) for warning in again.warnings] == [("torn-line", 3)]


@pytest.mark.node
def test_pi_reads_on_behind_a_torn_line_as_we_do(oracle: Oracle, tmp_path: Path) -> None:
    path = cases.write(tmp_path / "case.jsonl", [cases.user("u1", None)])
    path.write_bytes(path.read_bytes() + b'{"type":"message","id":"a1","par')
    SessionManager.open(path).append_message({"role": "user", "content": "on", "timestamp": 0})
    ours = describe(SessionManager.open(path))
    assert as_javascript(ours) == as_javascript(oracle.ask("look", path=str(path)))


def test_a_last_line_without_its_newline_is_an_entry(tmp_path: Path) -> None:
    path = cases.write(tmp_path / "case.jsonl", [cases.user("u1", None)])
    path.write_bytes(path.read_bytes()[:-1])
    manager = SessionManager.open(path)
    assert [(warning.code, warning.line) for warning in manager.warnings] == [
        ("missing-newline", 2)
    ]
    added = manager.append_message({"role": "user", "content": "on", "timestamp": 0})
    again = SessionManager.open(path)
    assert again.warnings == []
    assert [entry.id for entry in again.get_entries()] == ["u1", added]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (f"{json.dumps(cases.answer('a1', 'u1'))}{cases.GOOD}", "more than one JSON value"),
        ("\0" * 40 + cases.GOOD, "null bytes"),
        (cases.GOOD[:-1] + "]", "not one JSON object"),
        ("[1]", "a list"),
        ("null", "null"),
        ("5", "a number"),
        ("{}", "'type' is missing"),
        ('{"type":5,"id":"x"}', "'type' is a number"),
        ('{"type":"custom"}', "no id"),
        ('{"type":"custom","id":""}', "no id"),
        ('{"type":"custom","id":7}', "'id' is a number"),
        ('{"type":"custom","id":"x","parentId":7}', "'parentId' is a number"),
        ('{"type":"message","id":"x","parentId":null}', "no message object"),
        ('{"type":"message","id":"x","parentId":null,"message":"hi"}', "no message object"),
        ('{"type":"custom","id":"x","data":NaN}', "not one JSON object"),
        ('{"type":"custom","id":"x","data":' + "[" * 100_000 + "]" * 100_000 + "}", "too deep"),
        (json.dumps(cases.HEADER), "second header"),
    ],
)
def test_named_difference_a_bad_line_is_never_passed_over(
    line: str, problem: str, tmp_path: Path
) -> None:
    path = cases.write(tmp_path / "case.jsonl", [cases.user("u1", None)])
    path.write_bytes(path.read_bytes() + f"{line}\n{cases.GOOD}\n".encode())
    with pytest.raises(SessionFileError, match=problem) as raised:
        SessionManager.open(path)
    assert raised.value.line == 3
    assert "line 3" in str(raised.value)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"\xef\xbb\xbf" + json.dumps(cases.HEADER).encode() + b"\n", "byte order mark"),
        (b"hello\n", "not a Pi session"),
        (b'{"type":"session","id":', "not a Pi session"),
        (b'{"type":"session"}\n', "no header"),
        (b'{"type":"session","id":"s","version":"3"}\n', "version is text"),
        (cases.GOOD.encode() + b"\n", "no header"),
        (b"\n \n", "blank"),
    ],
)
def test_a_file_that_is_no_session_is_refused_and_left_alone(
    data: bytes, problem: str, tmp_path: Path
) -> None:
    path = tmp_path / "case.jsonl"
    path.write_bytes(data)
    with pytest.raises(SessionFileError, match=problem):
        SessionManager.open(path)
    assert path.read_bytes() == data


def test_a_newer_version_is_read_with_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "case.jsonl"
    path.write_text(json.dumps({**cases.HEADER, "version": 4}) + f"\n{cases.GOOD}\n")
    manager = SessionManager.open(path)
    assert [warning.code for warning in manager.warnings] == ["version-too-new"]
    assert manager.get_leaf_id() == "u2"


@given(sessions)
def test_a_file_reads_back_entry_for_entry(maker: SessionMaker) -> None:
    content = read_session(maker.text().encode())
    assert content.header.to_json() == maker.lines[0]
    assert [entry.to_json() for entry in content.entries.values()] == maker.lines[1:]


@given(sessions, st.data())
def test_a_file_cut_anywhere_reads_as_its_beginning_and_grows_soundly(
    maker: SessionMaker, data: st.DataObject
) -> None:
    whole = maker.text().encode()
    cut = whole[: data.draw(st.integers(whole.index(b"\n") + 1, len(whole)))]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "session.jsonl"
        path.write_bytes(cut)
        manager = SessionManager.open(path)
        ids = [entry.id for entry in manager.get_entries()]
        assert ids == maker.ids[: len(ids)]
        assert len(ids) >= sum(bool(line.strip()) for line in cut.split(b"\n")[:-1]) - 1
        added = manager.append_message({"role": "user", "content": "on", "timestamp": 0})
        assert path.read_bytes().startswith(cut)
        again = SessionManager.open(path)
        assert [entry.id for entry in again.get_entries()] == [*ids, added]
