"""What is found in the lines of a file, before anything is known of its tree."""

from typing import Any

import pytest

from coursekit.diagnose.file_lines import FileLines
from tests.diagnose.damaged_files import A1, HEADER, LINES, U1, answer, findings_of, pi_file, user


@pytest.mark.parametrize("header", [HEADER | {"id": 5}, HEADER | {"version": [3]}])
def test_a_header_that_keeps_a_session_from_being_read_is_an_error(header: dict[str, Any]) -> None:
    assert findings_of(pi_file(U1, A1, header=header)) == [("bad-header", 1, ())]


def test_version_1_is_read_by_its_lines() -> None:
    def without_ids(value: dict[str, Any]) -> dict[str, Any]:
        return {key: each for key, each in value.items() if key not in ("id", "parentId")}

    turns = [U1, answer("c", "gone", "k"), user("c", "c")]
    # Pi gives every entry of version 1 an id and a parent, whether it has some or not.
    old = {key: value for key, value in HEADER.items() if key != "version"}
    for lines in ([without_ids(value) for value in turns], turns):
        for header in (old, old | {"version": None}):
            assert findings_of(pi_file(*lines, header=header)) == [
                ("old-version", 1, ()),
                ("missing-result", 3, ("line-3", "k")),
            ]


def test_the_lines_are_numbered_from_the_header_on() -> None:
    lines = FileLines(LINES)
    assert [(value["id"], number) for value, number in lines.entries()] == [("u1", 2), ("a1", 3)]
    assert (lines.kind, lines.version, lines.findings) == ("pi", 3, [])
