"""The faults of `cases.py`: what each must come to, and what Pi makes of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from coursekit.pi import CycleError, DuplicateIdError, SessionFileError, SessionManager
from tests.pi import cases
from tests.pi.describe import as_javascript, describe
from tests.pi.oracle import Oracle

_FIELD_CASES = Path(__file__).resolve().parents[3] / "shared" / "field-cases"

# Roles and sources that follow from the format: the summary first, then what is kept, then the
# rest, state entries contributing nothing.
_PROJECTIONS = {
    "aborted-call": ["u1 user", "c1 assistant", "r1 toolResult", "u2 user", "a2 assistant"],
    "all-zero-usage": ["u1 user", "a1 assistant"],
    "call-id-reused-later": [
        "u1 user", "c1 assistant", "r1 toolResult", "a1 assistant",
        "u2 user", "c2 assistant", "r2 toolResult", "a2 assistant",
    ],
    "custom-message-inside-call": [
        "u1 user", "c1 assistant", "m1 custom", "r1 toolResult", "a1 assistant",
    ],
    "first-kept-on-side-branch": ["x1 compactionSummary", "u2 user"],
    "kept-then-compacted-again": [
        "x1 compactionSummary", "u2 user", "a2 assistant", "u3 user", "a3 assistant",
    ],
    "label-as-parent": ["u1 user", "a1 assistant", "u2 user"],
    "null-content": ["u1 user", "a1 assistant", "u2 user"],
    "orphan-after-two-compactions": [
        "x2 compactionSummary", "r1 toolResult", "a1 assistant", "u2 user",
    ],
    "rename-on-old-branch": ["u1 user", "a1 assistant"],
    "results-out-of-order-across-calls": [
        "u1 user", "c1 assistant", "c2 assistant", "r2 toolResult", "r1 toolResult", "a1 assistant",
    ],
    "unicode-separators": ["u1 user", "a1 assistant"],
    "usage-before-compaction": ["x1 compactionSummary", "u1 user", "a1 assistant", "u2 user"],
    "user-message-inside-call": [
        "u1 user", "c1 assistant", "u2 user", "r1 toolResult", "a1 assistant",
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", cases.CASES)
def test_a_case_is_projected_as_its_format_says(name: str, tmp_path: Path) -> None:
    manager = SessionManager.open(cases.write(tmp_path / "case.jsonl", cases.CASES[name]))
    assert manager.warnings == []
    assert [entry.to_json() for entry in manager.get_entries()] == cases.CASES[name]
    projection = manager.build_session_projection()
    assert [
        f"{entry.source_entry.id} {message['role']}"
        for entry in projection.entries
        for message in entry.messages
    ] == _PROJECTIONS[name]


@pytest.mark.node
@pytest.mark.parametrize("name", cases.CASES)
def test_a_case_is_read_as_pi_reads_it(name: str, oracle: Oracle, tmp_path: Path) -> None:
    path = cases.write(tmp_path / "case.jsonl", cases.CASES[name])
    theirs = oracle.ask("look", path=str(path))
    assert as_javascript(describe(SessionManager.open(path))) == as_javascript(theirs)


def test_null_content_becomes_an_empty_list(tmp_path: Path) -> None:
    manager = SessionManager.open(cases.write(tmp_path / "c.jsonl", cases.CASES["null-content"]))
    assert manager.build_session_context().messages[1]["content"] == []
    entry = manager.get_entry("a1")
    assert entry is not None
    assert entry.message["content"] is None


def test_a_label_in_the_chain_is_taken_out_of_a_branched_session(tmp_path: Path) -> None:
    entries = [*cases.CASES["label-as-parent"], cases.compaction("x1", "u2", "l1")]
    manager = SessionManager.open(cases.write(tmp_path / "case.jsonl", entries))
    assert [entry.id for entry in manager.get_branch()] == ["u1", "l1", "a1", "u2", "x1"]
    manager.create_branched_session("x1")
    *path, label = manager.get_entries()
    assert [(entry.id, entry.parent_id) for entry in path] == [
        ("u1", None), ("a1", "u1"), ("u2", "a1"), ("x1", "u2"),
    ]  # fmt: skip
    # It kept from the label; now it keeps from what came after the label.
    assert path[-1].first_kept_entry_id == "a1"
    assert (label.type, label.parent_id, label.target_id) == ("label", "x1", "u1")
    assert manager.get_label("u1") == "mark"


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


def test_named_difference_a_cycle_ends_with_its_ids(tmp_path: Path) -> None:
    manager = SessionManager.open(cases.write(tmp_path / "case.jsonl", cases.PARENT_CYCLE))
    for walk in (manager.get_branch, manager.get_tree, manager.build_session_projection):
        with pytest.raises(CycleError, match="u1") as raised:
            walk()
        assert set(raised.value.ids) == {"u1", "u2"}
    manager = SessionManager.in_memory(entries=[cases.user("self", "self")])
    with pytest.raises(CycleError, match="self -> self"):
        manager.get_branch()


def test_a_long_cycle_ends_too(tmp_path: Path) -> None:
    path = cases.write_chain(tmp_path / "case.jsonl", 100_000, parent_of_first="e99999")
    manager = SessionManager.open(path)
    for walk in (manager.get_branch, manager.get_tree):
        with pytest.raises(CycleError, match="100000 entries") as raised:
            walk()
        assert len(raised.value.ids) == 100_000


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
            assert SessionManager.open(path).get_entry_count() == 2  # ids are given anew
            continue
        with pytest.raises(SessionFileError, match=problem):
            SessionManager.open(path)


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


if _FIELD_CASES.exists():  # They lie beside a checkout, not in it.

    def test_the_values_here_are_the_field_cases() -> None:
        files = {path.stem: path for path in _FIELD_CASES.glob("*.jsonl")}
        for name, entries in cases.CASES.items():
            lines = [json.loads(line) for line in files.pop(name).read_bytes().split(b"\n") if line]
            if name == "usage-before-compaction":
                lines[2]["message"]["usage"] = entries[1]["message"]["usage"]
            if name == "null-content":
                del lines[2]["message"]["usage"], lines[2]["message"]["stopReason"]
            assert [cases.HEADER, *entries] == lines, name
        # The others are in tests of their own above, with the same lines.
        assert sorted(files) == [
            "duplicate-id",
            "parent-cycle",
            "torn-tail",
            "two-records-on-one-line",
        ]
        with pytest.raises(DuplicateIdError):
            SessionManager.open(files["duplicate-id"])
        with pytest.raises(CycleError):
            SessionManager.open(files["parent-cycle"]).get_branch()
        assert SessionManager.open(files["torn-tail"]).warnings[0].line == 3
        with pytest.raises(SessionFileError, match="line 3"):
            SessionManager.open(files["two-records-on-one-line"])
