"""Reading a file for looking at: strict, and never writing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from coursekit.view import ViewError, draw
from coursekit.view.session_file import load
from tests.view.drawn_sessions import leaf_exercise


def write(tmp_path: Path, *lines: str, end: str = "\n") -> Path:
    path = tmp_path / "session.jsonl"
    path.write_text("\n".join(lines) + end, encoding="utf-8")
    return path


def test_a_course_file_and_a_pi_file(tmp_path: Path) -> None:
    lines = [json.dumps(entry) for entry in leaf_exercise()]
    course = load(write(tmp_path, *lines))
    assert course.header is None
    assert course.entries() == leaf_exercise()
    header = {"type": "session", "version": 3, "id": "s", "cwd": "/tmp"}
    pi = load(write(tmp_path, json.dumps(header), *lines))
    assert pi.header == header
    assert draw(pi).text == draw(course).text


def test_pis_first_format_is_named_by_line(tmp_path: Path) -> None:
    lines = [
        '{"type":"session","id":"s"}',
        '{"type":"message","message":{"role":"user","content":"one"}}',
        '{"type":"message","message":{"role":"assistant","content":[]}}',
        '{"type":"compaction","summary":"so far","firstKeptEntryIndex":2}',
    ]
    entries = load(write(tmp_path, *lines)).entries()
    assert [(e["id"], e["parentId"]) for e in entries] == [
        ("line-2", None),
        ("line-3", "line-2"),
        ("line-4", "line-3"),
    ]
    # Pi counts the header as entry 0, so its entry 2 is on the third line.
    assert entries[2]["firstKeptEntryId"] == "line-3"


@pytest.mark.parametrize(
    "bad", ["{", "[]", "3", '{"a": NaN}', '{"id":"a"}{"id":"b"}', "[" * 100_000]
)
def test_a_bad_line_is_named(tmp_path: Path, bad: str) -> None:
    path = write(tmp_path, json.dumps(leaf_exercise()[0]), bad)
    before = path.read_bytes()
    with pytest.raises(ViewError, match="line 2"):
        load(path)
    assert path.read_bytes() == before


def test_a_repeated_id_is_named_with_its_lines(tmp_path: Path) -> None:
    lines = [json.dumps(entry) for entry in leaf_exercise()]
    with pytest.raises(ViewError, match="lines 2 and 6: both have the id 'B'"):
        load(write(tmp_path, *lines, lines[1]))


def test_a_torn_tail_is_left_out_with_a_warning(tmp_path: Path) -> None:
    path = write(tmp_path, json.dumps(leaf_exercise()[0]), '{"type":"mess', end="")
    read = load(path)
    assert len(read.entries()) == 1
    assert "line 2" in read.warnings[0]


def test_unicode_separators_do_not_split_a_line(tmp_path: Path) -> None:
    entry = leaf_exercise()[0]
    entry["message"]["content"][0]["text"] = "a\u2028b\u0085c"
    read = load(write(tmp_path, json.dumps(entry, ensure_ascii=False)))
    assert read.entries() == [entry]
