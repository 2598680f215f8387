"""Every code on the damage it is for, and no finding on a sound file."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coursekit.diagnose import CODES, diagnose, diagnose_bytes
from coursekit.pi.errors import SessionFileError
from coursekit.pi.files.reader import read_session
from coursekit.transcripts import opening
from tests.diagnose.damaged_files import (
    A1,
    DAMAGE,
    HEADER,
    LINES,
    U1,
    answer,
    compaction,
    course_file,
    entry,
    findings_of,
    pi_file,
    result,
    user,
)


@pytest.mark.parametrize(("code", "data", "line", "ids"), DAMAGE, ids=[row[0] for row in DAMAGE])
def test_each_damage_is_the_only_thing_found(
    code: str, data: bytes, line: int, ids: tuple[str, ...]
) -> None:
    assert findings_of(data) == [(code, line, ids)]


BAD_FIELDS: list[tuple[dict[str, Any], str]] = [
    ({"type": 5}, "field 'type' is a number"),
    ({"type": None}, "field 'type' is null"),
    ({"parentId": 5}, "field 'parentId' is a number"),
    ({"parentId": ["u1"]}, "field 'parentId' is a list"),
    ({"message": "q"}, "no message object"),
    ({"message": None}, "no message object"),
]


@pytest.mark.parametrize(("fields", "message"), BAD_FIELDS)
def test_a_field_that_keeps_an_entry_from_being_read_is_an_error(
    fields: dict[str, Any], message: str
) -> None:
    (finding,) = diagnose_bytes(pi_file(U1, user("x", "u1") | fields, A1))
    assert (finding.code, finding.line, finding.ids) == ("bad-entry", 3, ("x",))
    assert message in finding.message


def test_sound_files_have_no_findings() -> None:
    transcript = opening()
    path = [*transcript.entries, transcript.compaction, *transcript.continuation]
    assert diagnose_bytes(course_file(*path)) == []
    assert diagnose_bytes(LINES) == []


ODD_VALUES: list[Any] = [
    None, True, 0, -1.5, 10**400, "", "x", [], [1], {}, {"a": 1}, "message", "session", "u1",
]  # fmt: skip


BASE = [
    HEADER, U1, answer("c", "u1", "k"), result("r", "c", "k"), compaction("x", "r", "u1"),
    entry("label", "l", "x", targetId="u1", label="mark"), user("u2", "l"),
]  # fmt: skip


def refused_line(data: bytes) -> int | None:
    """The line that a manager refuses to read; None for a session that it takes."""
    try:
        read_session(data)
    except SessionFileError as error:
        return error.line
    return None


@settings(max_examples=500)
@given(
    st.lists(
        st.tuples(
            st.integers(0, len(BASE) - 1),
            st.sampled_from([*entry("", "", None), "version", "message", "firstKeptEntryId"]),
            st.sampled_from([*ODD_VALUES, "removed"]),
        ),
        max_size=3,
    )
)
def test_what_a_manager_refuses_is_found_on_the_same_line(
    changes: list[tuple[int, str, Any]],
) -> None:
    lines = [dict(value) for value in BASE]
    for index, key, value in changes:
        if value == "removed":
            lines[index].pop(key, None)
        else:
            lines[index][key] = value
    data = course_file(*lines)
    found = diagnose_bytes(data)
    refused = refused_line(data)
    if refused is None:
        # What can be read may still be no sound tree; its lines and entries are.
        codes = {each.code for each in found}
        assert not codes & {"bad-entry", "bad-header", "no-header", "missing-id", "duplicate-id"}
    else:
        assert refused in {each.line for each in found if each.severity == "error"}


def test_a_file_is_only_read(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    for _, data, _, _ in DAMAGE:
        path.write_bytes(data)
        path.chmod(0o400)
        diagnose(path)
        assert path.read_bytes() == data
        path.chmod(0o600)


def in_turns(*makers: Callable[[int], dict[str, Any]]) -> Callable[[int], dict[str, Any]]:
    """A question, 50,000 entries by these in turns, and 50,000 branches behind the last of them."""

    def shape(i: int) -> dict[str, Any]:
        if i == 0:
            return user("e0", None)
        return makers[i % len(makers)](i) if i <= 50_000 else user(f"e{i}", "e50000")

    return shape


def call(i: int) -> dict[str, Any]:
    return answer(f"e{i}", f"e{i - 1}", f"k{i}")


@pytest.mark.parametrize(
    "shape",
    [
        lambda i: user(f"e{i}", f"e{i - 1}" if i else None),  # a chain
        lambda i: user(f"e{i}", f"e{i + 1}" if i < 99_999 else "e0"),  # one cycle of all
        lambda i: user(f"e{i}", "e0" if i else None),  # one parent of all
        lambda i: answer(f"e{i}", f"e{i - 1}", f"k{i}") if i else U1,  # calls never answered
        in_turns(lambda i: result(f"e{i}", f"e{i - 1}", f"k{i - 1}"), call),
        in_turns(call),
        in_turns(lambda i: result(f"e{i}", f"e{i - 1}", f"k{i}")),
        in_turns(lambda i: compaction(f"e{i}", f"e{i - 1}", f"e{i - 1}"), call),
    ],
    ids=[
        "chain",
        "cycle",
        "star",
        "open calls",
        "branches behind answered calls",
        "branches behind open calls",
        "branches behind orphans",
        "compactions between open calls",
    ],
)
def test_a_hundred_thousand_entries_come_to_an_end(shape: Callable[[int], dict[str, Any]]) -> None:
    data = pi_file(*(shape(i) for i in range(100_000)))
    findings = diagnose_bytes(data)
    codes = {each.code for each in findings}
    assert codes <= {
        "cycle", "open-call", "missing-parent", "missing-result", "orphan-result",
        "compaction-in-call", "first-kept-inside",
    }  # fmt: skip
    assert all(len(each.message) < 200 for each in findings)


@given(st.lists(st.integers(0, 8), max_size=6), st.randoms(use_true_random=False))
def test_any_damage_ends_in_findings_and_never_in_an_error(cuts: list[int], random: Any) -> None:
    data = bytearray(LINES + pi_file(answer("c", "a1", "k"), result("r", "c", "k"))[92:])
    for kind in cuts:
        at = random.randrange(len(data) + 1)
        if kind < 4:
            data[at : at + random.randrange(1, 40)] = b""
        elif kind < 6:
            data[at:at] = random.choice(
                [b"\0", b"\n", b"{", b"}", b"\xff", b'"', b"null", b"1e999"]
            )
        else:
            data[at:at] = bytes(data[: random.randrange(len(data) + 1)])
    for finding in diagnose_bytes(bytes(data)):
        assert finding.code in CODES
        assert 1 <= finding.line <= data.count(b"\n") + 1
