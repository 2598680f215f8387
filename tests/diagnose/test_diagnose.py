"""Every code on the damage it is for, and no finding on a sound file."""

import json
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

HEADER = {"type": "session", "version": 3, "id": "s", "timestamp": "2026-01-01T00:00:00Z"}


def entry(kind: str, entry_id: str, parent: str | None, **fields: Any) -> dict[str, Any]:
    stamp = "2026-01-01T00:00:00Z"
    return {"type": kind, "id": entry_id, "parentId": parent, "timestamp": stamp, **fields}


def user(entry_id: str, parent: str | None) -> dict[str, Any]:
    return entry("message", entry_id, parent, message={"role": "user", "content": "q"})


def answer(
    entry_id: str, parent: str, *calls: str, stop: str = "stop", usage: int = 0
) -> dict[str, Any]:
    content = [{"type": "toolCall", "id": call, "name": "t", "arguments": {}} for call in calls]
    message = {"role": "assistant", "content": content, "stopReason": stop}
    message["usage"] = {"totalTokens": usage}
    return entry("message", entry_id, parent, message=message)


def result(entry_id: str, parent: str, call: str) -> dict[str, Any]:
    message = {"role": "toolResult", "toolCallId": call, "content": []}
    return entry("message", entry_id, parent, message=message)


def compaction(entry_id: str, parent: str, first: str) -> dict[str, Any]:
    return entry("compaction", entry_id, parent, summary="S", firstKeptEntryId=first)


def pi_file(*entries: dict[str, Any], header: dict[str, Any] = HEADER) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in (header, *entries))


def course_file(*entries: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in entries)


def findings_of(data: bytes) -> list[tuple[str, int, tuple[str, ...]]]:
    return [(each.code, each.line, each.ids) for each in diagnose_bytes(data)]


U1, A1 = user("u1", None), answer("a1", "u1")
LINES = pi_file(U1, A1)

# Code, damaged file, line and ids, by hand: each file is sound but for what its code names.
DAMAGE: list[tuple[str, bytes, int, tuple[str, ...]]] = [
    ("empty", b"", 1, ()),
    ("bom", b"\xef\xbb\xbf" + LINES, 1, ()),
    ("null-bytes", LINES + b"\0\0\0\n", 4, ()),
    (
        "not-utf8",
        LINES + json.dumps(entry("custom", "x", "a1", data="?")).encode().replace(b"?", b"\xff")
        + b"\n",
        4,
        (),
    ),
    ("torn-tail", LINES + b'{"type":"message","id":"u2","par', 4, ()),
    ("torn-line", pi_file(U1) + b'{"type":"mess\n' + json.dumps(A1).encode() + b"\n", 3, ()),
    ("missing-newline", LINES[:-1], 3, ()),
    (
        "glued-records",
        LINES + json.dumps(user("u2", "a1")).encode() + json.dumps(user("u3", "a1")).encode()
        + b"\n",
        4,
        ("u2", "u3"),
    ),
    ("not-json", LINES + b"{'id': 1}\n", 4, ()),
    ("not-object", LINES + b"[1]\n", 4, ()),
    ("blank-line", LINES + b"\n", 4, ()),
    ("no-header", course_file(U1, A1), 1, ()),
    ("bad-header", pi_file(U1, A1, header=HEADER | {"version": "3"}), 1, ()),
    ("second-header", LINES + json.dumps(HEADER).encode() + b"\n", 4, ()),
    ("old-version", pi_file(U1, A1, header=HEADER | {"version": 2}), 1, ()),
    ("version-too-new", pi_file(U1, A1, header=HEADER | {"version": 4}), 1, ()),
    ("bad-entry", course_file(opening().entries[0] | {"timestamp": True}), 1, ("u1",)),
    ("missing-id", LINES + json.dumps(entry("custom", "", "a1")).encode() + b"\n", 4, ()),
    ("unknown-type", pi_file(U1, A1, entry("novel", "x", "a1")), 4, ("x",)),
    (
        "unknown-role",
        pi_file(U1, A1, entry("message", "x", "a1", message={"role": "chorus"})),
        4,
        ("x",),
    ),
    (
        "null-content",
        pi_file(U1, entry("message", "x", "u1", message={"role": "assistant", "content": None})),
        3,
        ("x",),
    ),
    ("duplicate-id", pi_file(U1, A1, user("u1", "a1")), 4, ("u1",)),
    ("missing-parent", pi_file(U1, A1, user("u2", "gone")), 4, ("u2", "gone")),
    ("cycle", pi_file(user("u1", "u2"), user("u2", "u1")), 2, ("u1", "u2")),
    ("orphan-result", pi_file(U1, result("r", "u1", "k"), answer("a1", "r")), 3, ("r", "k")),
    (
        "missing-result",
        pi_file(U1, answer("c", "u1", "k"), user("u2", "c")),
        3,
        ("c", "k"),
    ),
    ("open-call", pi_file(U1, answer("c", "u1", "k", stop="toolUse")), 3, ("c", "k")),
    (
        "doubled-result",
        pi_file(U1, answer("c", "u1", "k"), result("r", "c", "k"), result("r2", "r", "k")),
        5,
        ("r2", "k"),
    ),
    (
        "repeated-call",
        pi_file(U1, answer("c", "u1", "k"), result("r", "c", "k"), answer("c2", "r", "k")),
        5,
        ("c2", "k"),
    ),
    (
        "cut-off-call",
        pi_file(U1, answer("c", "u1", "k", stop="aborted"), result("r", "c", "k")),
        3,
        ("c", "k"),
    ),
    ("first-kept-missing", pi_file(U1, A1, compaction("x", "a1", "gone")), 4, ("x", "gone")),
    (
        "first-kept-off-path",
        pi_file(U1, answer("side", "u1"), A1, compaction("x", "a1", "side")),
        5,
        ("x", "side"),
    ),
    (
        "first-kept-inside",
        pi_file(U1, answer("c", "u1", "k"), result("r", "c", "k"), compaction("x", "r", "r")),
        5,
        ("x", "r", "k"),
    ),
    (
        "compaction-in-call",
        pi_file(U1, answer("c", "u1", "k"), compaction("x", "c", "u1"), result("r", "x", "k")),
        4,
        ("x", "k"),
    ),
    (
        "leaf-moved",
        pi_file(U1, A1, user("u2", "a1"), entry("session_info", "n", "a1", name="n")),
        5,
        ("n", "u2"),
    ),
    (
        "stale-usage",
        pi_file(U1, answer("a1", "u1", usage=9000), compaction("x", "a1", "u1")),
        3,
        ("a1", "x"),
    ),
]  # fmt: skip


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


@pytest.mark.parametrize(("fields", "told"), BAD_FIELDS)
def test_a_field_that_keeps_an_entry_from_being_read_is_an_error(
    fields: dict[str, Any], told: str
) -> None:
    (finding,) = diagnose_bytes(pi_file(U1, user("x", "u1") | fields, A1))
    assert (finding.code, finding.line, finding.ids) == ("bad-entry", 3, ("x",))
    assert told in finding.message


@pytest.mark.parametrize("header", [HEADER | {"id": 5}, HEADER | {"version": [3]}])
def test_a_header_that_keeps_a_session_from_being_read_is_an_error(header: dict[str, Any]) -> None:
    assert findings_of(pi_file(U1, A1, header=header)) == [("bad-header", 1, ())]


def test_every_code_has_its_damage() -> None:
    assert {row[0] for row in DAMAGE} == set(CODES)


def test_sound_files_have_no_findings() -> None:
    told = opening()
    assert diagnose_bytes(course_file(*told.entries, told.compaction, *told.continuation)) == []
    assert diagnose_bytes(LINES) == []


def test_a_call_id_may_come_again_in_a_later_interaction() -> None:
    turns = [U1, answer("c1", "u1", "k"), result("r1", "c1", "k"), user("u2", "r1")]
    turns += [answer("c2", "u2", "k"), result("r2", "c2", "k")]
    assert findings_of(pi_file(*turns)) == []


def test_another_branch_has_its_own_calls_and_results() -> None:
    # Both answers of u1 make the call k; each branch has its result, so nothing is doubled.
    turns = [U1, answer("c1", "u1", "k"), result("r1", "c1", "k")]
    turns += [answer("c2", "u1", "k"), result("r2", "c2", "k")]
    assert findings_of(pi_file(*turns)) == []


def test_results_out_of_order_and_messages_of_extensions_split_no_interaction() -> None:
    turns = [U1, answer("c", "u1", "k1", "k2"), result("r2", "c", "k2")]
    turns += [entry("custom_message", "m", "r2", content="note"), result("r1", "m", "k1")]
    assert findings_of(pi_file(*turns)) == []


def test_two_compactions_around_an_open_call_are_both_named() -> None:
    # orphan-after-two-compactions: K comes between a call and its result, a second keeps from it.
    turns = [U1, answer("c1", "u1", "k1"), compaction("x1", "c1", "u1"), result("r1", "x1", "k1")]
    turns += [answer("a1", "r1"), compaction("x2", "a1", "x1"), user("u2", "x2")]
    found = findings_of(pi_file(*turns))
    assert ("compaction-in-call", 4, ("x1", "k1")) in found
    assert ("first-kept-inside", 7, ("x2", "x1", "k1")) in found
    assert len(found) == 2


def test_many_open_calls_are_shown_in_part() -> None:
    calls = [f"k{number}" for number in range(20)]
    turns = [U1, answer("c", "u1", *calls), compaction("x", "c", "u1")]
    (finding,) = (
        each for each in diagnose_bytes(pi_file(*turns)) if each.code == "compaction-in-call"
    )
    assert finding.ids == ("x", *calls[:8])
    assert finding.message.endswith("'k7' and 12 more")


def test_a_call_is_told_once_however_many_branches_leave_it_open() -> None:
    turns = [U1, answer("c", "u1", "k"), user("u2", "c"), user("u3", "c")]
    # On the last branch it is answered, and behind the answer it is not open.
    turns += [result("r", "c", "k"), user("u4", "r"), user("u5", "r")]
    assert findings_of(pi_file(*turns)) == [("missing-result", 3, ("c", "k"))]


def test_a_user_message_inside_a_call_names_the_call_and_the_result() -> None:
    turns = [U1, answer("c1", "u1", "k"), user("u2", "c1"), result("r1", "u2", "k")]
    assert findings_of(pi_file(*turns)) == [
        ("missing-result", 3, ("c1", "k")),
        ("orphan-result", 5, ("r1", "k")),
    ]


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
