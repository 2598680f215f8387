"""What holds for every session, drawn by hypothesis."""

from __future__ import annotations

import json
import math
import re
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from coursekit.pi import (
    Entry,
    PiSessionError,
    SessionManager,
    build_context_entries,
    build_session_projection,
)
from coursekit.pi.files.bulk_reader import read_session_in_bulk
from coursekit.pi.files.json_text import decode, encode, is_cut_short
from coursekit.pi.files.reader import read_session
from coursekit.pi.javascript import number_text, stringify, trim, utf16_length
from coursekit.pi.manager.branched_path import without_labels
from tests.pi import cases
from tests.pi.describe import as_javascript
from tests.pi.generate import SessionMaker
from tests.pi.strategies import sessions, texts, values


@given(st.dictionaries(texts, values))
def test_an_entry_gives_back_what_it_read(fields: dict[str, Any]) -> None:
    value = {**fields, "type": "custom", "id": "x", "parentId": None}
    entry = Entry.from_json(value)
    assert entry.to_json() == value
    # As JSON tells one text from another: a pair of surrogates written apart comes back as one.
    assert entry.to_json() == json.loads(entry.line())


def test_the_fields_that_pi_writes_are_attributes_in_snake_case() -> None:
    seen = set()
    for seed in range(200):
        for value in SessionMaker(seed).lines[1:]:
            entry = Entry.from_json(value)
            for key in value.keys() - {"unknownField", "payload"}:
                assert getattr(entry, re.sub("([A-Z])", r"_\1", key).lower()) == entry.get(key)
                seen.add(key)
    assert {"summary", "firstKeptEntryId", "targetId", "label", "modelId", "usage"} <= seen
    with pytest.raises(AttributeError, match="this label entry has no field 'summary'"):
        _ = Entry.from_json({"type": "label", "id": "l"}).summary


@given(values)
def test_json_text_is_read_as_the_standard_library_reads_it(value: Any) -> None:
    for ascii_only in (True, False):
        text = json.dumps(value, ensure_ascii=ascii_only)
        data = text.encode("utf-8", "replace" if ascii_only else "surrogatepass")
        if b"\xed" not in data:
            assert decode(data) == json.loads(data)
    assert decode(encode(value)) == json.loads(json.dumps(value))


@given(
    st.binary(max_size=60)
    | st.text(alphabet='{}[]":,\\u0dtrue1.e-\n ', max_size=40).map(str.encode)
)
def test_whatever_is_not_json_is_a_value_error(data: bytes) -> None:
    try:
        decode(data)
    except ValueError:
        return
    json.loads(data.decode("utf-8", "replace"))


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_keeps_its_value_in_javascript_text(number: float) -> None:
    assert float(number_text(number)) == number


@given(values)
def test_javascript_text_is_json_of_the_same_value(value: Any) -> None:
    text = stringify(value)
    assert as_javascript(json.loads(text)) == as_javascript(json.loads(json.dumps(value)))
    assert utf16_length(text) == len(text.encode("utf-16-le")) // 2


@given(texts)
def test_lengths_are_utf16_units(text: str) -> None:
    assert utf16_length(text) == len(text.encode("utf-16-le", "surrogatepass")) // 2
    assert trim(trim(text)) == trim(text)


@given(st.dictionaries(texts, values, min_size=1), st.data())
def test_a_beginning_of_an_object_is_cut_short_and_nothing_else_is(
    value: dict[str, Any], data: st.DataObject
) -> None:
    line = encode(value)
    cut = data.draw(st.integers(1, len(line) - 1))
    assert is_cut_short(line[:cut])
    assert not is_cut_short(line)
    assert not is_cut_short(line + line)
    assert not is_cut_short(b"\0" * cut + line)
    assert not is_cut_short(line[:-1] + b"]")


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


@given(sessions)
def test_the_context_is_a_part_of_the_path_in_its_order(maker: SessionMaker) -> None:
    manager = SessionManager.in_memory("/w", entries=maker.lines)
    path = manager.get_branch()
    for child, parent in zip(path[1:], path, strict=False):
        assert child.parent_id == parent.id
    assert path[0].parent_id is None or manager.get_entry(path[0].parent_id) is None
    context = build_context_entries(path)
    compactions = [entry for entry in path if entry.type == "compaction"]
    if not compactions:
        assert context == path
        return
    newest = compactions[-1]
    position = path.index(newest)
    kept = len(context) - len(path[position:])
    assert context[0] is newest
    assert context[1 + kept :] == path[position + 1 :]
    order = [path.index(entry) for entry in context[1 : 1 + kept]]
    assert order == sorted(order)
    assert all(entry.role != "system" for entry in context[1 : 1 + kept])
    if kept:
        first_kept = next(i for i, e in enumerate(path) if e.id == newest.first_kept_entry_id)
        assert order[0] >= first_kept
        missing = set(range(first_kept, position)) - set(order)
        assert all(path[i].role == "system" for i in missing)


@given(sessions)
def test_a_projection_gives_every_context_entry_once(maker: SessionMaker) -> None:
    path = SessionManager.in_memory("/w", entries=maker.lines).get_branch()
    projection = build_session_projection(path)
    assert [entry.source_entry for entry in projection.entries] == build_context_entries(path)
    assert projection.messages == [m for entry in projection.entries for m in entry.messages]
    summaries = [m for m in projection.messages if m["role"] == "compactionSummary"]
    assert len(summaries) <= 1


@given(sessions)
def test_a_tree_holds_every_entry_once_below_its_parent(maker: SessionMaker) -> None:
    manager = SessionManager.in_memory("/w", entries=maker.lines)
    seen: list[str] = []
    stack = manager.get_tree()
    while stack:
        node = stack.pop()
        seen.append(node.entry.id)
        assert node.label == manager.get_label(node.entry.id)
        assert all(child.entry.parent_id == node.entry.id for child in node.children)
        stack.extend(node.children)
    assert sorted(seen) == sorted(maker.ids)


@given(sessions, st.data())
def test_a_path_without_labels_is_one_chain(maker: SessionMaker, data: st.DataObject) -> None:
    manager = SessionManager.in_memory("/w", entries=maker.lines)
    path = manager.get_branch(data.draw(st.sampled_from(maker.ids)))
    kept = without_labels(path)
    assert [entry.id for entry in kept] == [entry.id for entry in path if entry.type != "label"]
    assert [entry.parent_id for entry in kept] == [None, *(entry.id for entry in kept)][: len(kept)]
    for before, after in zip((e for e in path if e.type != "label"), kept, strict=True):
        changed = {"parentId", "firstKeptEntryId"}
        old, new = before.to_json(), after.to_json()
        assert {k: v for k, v in old.items() if k not in changed} == {
            k: v for k, v in new.items() if k not in changed
        }


@given(st.floats())
def test_what_json_cannot_hold_is_refused(number: float) -> None:
    if math.isfinite(number):
        assert decode(encode(number)) == number
    else:
        with pytest.raises(PiSessionError, match="not a JSON value"):
            encode({"a": [number]})
