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
