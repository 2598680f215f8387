"""Odd files that real Pi reads, each read the same here; and the odd files that are not, by name.

Every file is a header and a few lines; what is odd about it stands in its name.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from coursekit.pi import CycleError, PiSessionError, SessionFileError, SessionManager
from tests.pi import cases
from tests.pi.cases import answer, compaction, message, state, user
from tests.pi.describe import as_javascript, describe
from tests.pi.oracle import Oracle, PiError

_HEADER = json.dumps(cases.HEADER)


_TIME = "2026-01-01T00:00:00Z"


def _file(*lines: str | cases.Json, header: str = _HEADER, end: str = "\n") -> bytes:
    texts = [line if isinstance(line, str) else _text(line) for line in lines]
    return (end.join([header, *texts]) + end).encode()


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _with(value: cases.Json, number: str) -> str:
    """The line of this entry with a number of this spelling in it."""
    return _text({**value, "n": "@"}).replace('"@"', number)


_U, _A = user("u", None), answer("a", "u")


_MESSAGE_ONCE = '"message":{"role":"user","content":"x"}'


_ODD_LABELS: list[object] = [[], {}, [1], 5, True, 0, False, None, ""]
_ODD_ROLES: list[object] = [5, None, ["user"], {}, True]

READ_ALIKE: dict[str, bytes] = {
    "header only": _file(),
    "no newline at the end": _file(_U)[:-1],
    "carriage returns": _file(_U, _A, end="\r\n"),
    "blank lines first": b"\n \t\n\r\n" + _file(_U),
    "spaces around": _file(f"  {_text(_U)} \t", f"\t{_text(_A)}"),
    "lines of JavaScript's white space": _file(
        _U, "\u00a0\u3000", "\ufeff", "\f\v", "\u2028", "\u2003" * 50, _A
    ),
    "separators in a text": _file(user("u", None, "a\u2028b\u0085c\u001d")),
    "escaped null byte": _file(user("u", None, "a\0b")),
    "lone surrogates": _file(_text(user("u", None, "@")).replace("@", "\\udc00 \\ud83d")),
    "a lone surrogate as id": _file(
        *(_text(line).replace("@", "\\ud83d") for line in (user("@", None), answer("a", "@")))
    ),
    "a surrogate pair in bytes": _file(_text(_U).replace("q", "@")).replace(
        b"@", b"\xed\xa0\xbd\xed\xb8\x80"
    ),
    "bytes that are not UTF-8": _file(user("u", None, "@")).replace(b"@", b"\xff\xe2\x82\x80\xf0"),
    "an integer beyond every float": _file(_with(_U, "1" + "0" * 400)),
    "an integer beyond Python's limit": _file(_with(_U, "9" * 5_000), _with(_A, "-" + "9" * 5_000)),
    "integers beyond 64 bits": _file(_with(_U, "18446744073709551616")),
    "minus zero": _file(_with(_U, "-0"), _with(_A, "-0.0")),
    "numbers beyond every float": _file(_with(_U, "1e400"), _with(_A, "-1E+400")),
    "a number below every float": _file(_with(_U, "1e-400")),
    "keys twice": _file(
        '{"type":"custom","type":"message","id":"x","id":"u","parentId":"gone","parentId":null,'
        f'"timestamp":"{_TIME}",{_MESSAGE_ONCE},"message":{{"role":"assistant","role":"user"}}}}'
    ),
    "the second message has no role": _file(
        f'{{"type":"message","id":"u","parentId":null,{_MESSAGE_ONCE},"message":{{"content":"y"}}}}'
    ),
    "header keys twice": _file(
        _U, header='{"type":"x","type":"session","version":1,"version":3,"id":"q","id":"s"}'
    ),
    "escaped keys": _file(
        '{"ty\\u0070e":"m\\u0065ssage","\\u0069d":"u","parent\\u0049d":null,'
        '"messag\\u0065":{"r\\u006fle":"us\\u0065r","content":"x"}}'
    ),
    "odd keys": _file({**_U, "": 1, " ": 2, "\0": 3, "constructor": 4}),
    "odd ids": _file(user("toString", None), answer("constructor", "toString")),
    "types nobody knows": _file(_U, state("later", "x", "u"), state("", "y", "x"), user("z", "y")),
    "no parentId": _file({key: value for key, value in _U.items() if key != "parentId"}),
    "an empty parentId": _file(_U, answer("a", "")),
    "parents that come later": _file(user("r", None), user("x", "y"), user("y", "r"), _A),
    "a label for nobody": _file(_U, state("label", "l", "u", targetId="gone", label="x")),
    "labels that are no text": _file(
        *(
            state("label", f"l{number}", None, targetId=f"l{number}", label=label)
            for number, label in enumerate(_ODD_LABELS)
        )
    ),
    "a custom entry with a message": _file(
        _U,
        state("custom", "x", "u", message={"role": "assistant", "provider": "p", "model": "m"}),
        state("custom", "y", "x", message="text"),
    ),
    "settings with nothing in them": _file(
        state("thinking_level_change", "t", None), state("model_change", "m", "t", provider=None)
    ),
    "a branch summary without a text": _file(
        _U,
        state("branch_summary", "s", "u", fromId="gone", summary=""),
        state("branch_summary", "t", "s", summary=[]),
        state("branch_summary", "v", "t", summary="S", fromId=None),
    ),
    "roles that are no text": _file(
        *(
            message(f"m{number}", f"m{number - 1}" if number else None, {"role": role})
            for number, role in enumerate(_ODD_ROLES)
        ),
        message("m5", "m4", {"content": None}),
    ),
    "content that is no list": _file(
        message("m", None, {"role": "user", "content": 5}),
        message("n", "m", {"role": "assistant", "content": False}),
        message("o", "n", {"role": "odd", "content": None}),
    ),
    "an image": _file(
        message("m", None, {"role": "user", "content": [{"type": "image", "data": "aGk="}]})
    ),
    "first kept is the compaction itself": _file(_U, compaction("x", "u", "x"), user("v", "x")),
    "first kept comes later": _file(_U, compaction("x", "u", "v"), user("v", "x")),
    "no first kept": _file(
        _U, state("compaction", "x", "u", summary=None, firstKeptEntryId=None), user("v", "x")
    ),
    "a compaction first": _file(compaction("x", None, "gone"), user("v", "x")),
    "compactions in a row": _file(
        _U, compaction("x", "u", "u"), compaction("y", "x", "u"), compaction("z", "y", "x")
    ),
    "a system checkpoint with nothing in it": _file(
        _U, {**compaction("x", "u", "u"), "systemMessage": {}}
    ),
    "no system checkpoint": _file(_U, {**compaction("x", "u", "u"), "systemMessage": 0}),
    "an edit of a compaction": _file(
        _U,
        {**compaction("x", "u", "u"), "systemMessage": {"role": "user", "content": "x"}},
        state("context_edit", "e", "x", targetId="x", replacement={"content": "n"}),
    ),
    "an omitted compaction": _file(
        _U,
        compaction("x", "u", "u"),
        state("context_edit", "e", "x", targetId="x", replacement=None),
    ),
    "edits of what has no content": _file(
        state("branch_summary", "s", None, summary="S", fromId="root"),
        state("context_edit", "e", "s", targetId="s", replacement={"content": "n"}),
        message("b", "e", {"role": "bashExecution", "command": "ls", "output": ""}),
        state("context_edit", "f", "b", targetId="b", replacement={"content": "n"}),
        state("context_edit", "g", "f", targetId="f", replacement=None),
        state("context_edit", "h", "g", targetId="h", replacement=False),
    ),
    "replacements without content": _file(
        _U,
        state("context_edit", "e", "u", targetId="u", replacement=[1]),
        _A,
        state("context_edit", "f", "a", targetId="a", replacement=False),
    ),
    "an edit before its target": _file(
        state("context_edit", "e", None, targetId="u", replacement={"content": "n"}),
        user("u", "e"),
    ),
    "an edit of a target that is no text": _file(
        _U, state("context_edit", "e", "u", targetId=5, replacement=None)
    ),
    "a name between odd spaces": _file(
        _U, state("session_info", "n", "u", name=" \u00a0\ufeff x \u200b ")
    ),
    "children by time": _file(
        _U,
        {**user("b", "u"), "timestamp": "2027-01-01"},
        {**user("c", "u"), "timestamp": "2026-06-01T00:00:00+02:00"},
        {**user("d", "u"), "timestamp": 0},
    ),
    "a version beyond every float": _file(
        _U, header='{"type":"session","version":1e400,"id":"s","timestamp":0,"cwd":5}'
    ),
    "a piece of a line": _file(_U, '{"type":"custom","id":"x\\', _A),
}


@pytest.mark.node
@pytest.mark.parametrize("name", READ_ALIKE)
def test_an_odd_file_is_read_as_pi_reads_it(name: str, oracle: Oracle, tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours.jsonl", tmp_path / "theirs.jsonl"
    for path in (ours, theirs):
        path.write_bytes(READ_ALIKE[name])
    described = describe(SessionManager.open(ours))
    assert as_javascript(described) == as_javascript(oracle.ask("look", path=str(theirs)))
    assert ours.read_bytes() == READ_ALIKE[name]


def test_a_huge_integer_is_infinity_as_in_javascript(tmp_path: Path) -> None:
    path = tmp_path / "case.jsonl"
    path.write_bytes(READ_ALIKE["an integer beyond Python's limit"])
    numbers = [entry.get("n") for entry in SessionManager.open(path).get_entries()]
    assert numbers == [float("inf"), float("-inf")]


@pytest.mark.node
@pytest.mark.parametrize(
    ("data", "line", "problem"),
    [
        (b"junk\n" + _file(_U), 1, "first line is not JSON"),
        (_file(_U)[:20] + b"\n" + _file(_U), 1, "first line is not JSON"),
        (_file(_U, header=_HEADER.replace("3", '"3"', 1)), 1, "version is text"),
        (_file(f"{_text(_U)}\u00a0"), 2, "something behind it"),
        (_file(f"{_text(_U)}\f"), 2, "something behind it"),
        (_file(f"{_text(_U)}7"), 2, "something behind it"),
        (_file(f"{_text(_U)} t"), 2, "something behind it"),
        (_file("\ufeff" + _text(_U)), 2, "not one JSON object"),
        (_file("\x1c", _U), 2, "not one JSON object"),
        (_file(_with(_U, "07")), 2, "not one JSON object"),
        (_file(_with(_U, "1.")), 2, "not one JSON object"),
        (_file(_text(_U).replace("q", "\t")), 2, "not one JSON object"),
        (_file(_U, "// a comment", _A), 3, "not one JSON object"),
    ],
)
def test_named_difference_a_line_that_pi_passes_over_is_an_error(
    data: bytes, line: int, problem: str, oracle: Oracle, tmp_path: Path
) -> None:
    path = tmp_path / "case.jsonl"
    path.write_bytes(data)
    with pytest.raises(SessionFileError, match=problem) as raised:
        SessionManager.open(path)
    assert raised.value.line == line
    assert path.read_bytes() == data
    assert oracle.ask("look", path=str(path))["header"]["id"] == "s"


@pytest.mark.node
def test_named_difference_an_entry_that_is_its_own_parent_is_a_cycle(
    oracle: Oracle, tmp_path: Path
) -> None:
    path = tmp_path / "case.jsonl"
    path.write_bytes(_file(user("self", "self"), _U))
    # Pi's tree shows it as a root, and Pi's walk from it never ends.
    assert oracle.ask("look", path=str(path))["tree"] == [
        [0, "self", None, None],
        [0, "u", None, None],
    ]
    manager = SessionManager.open(path)
    assert [entry.id for entry in manager.get_branch()] == ["u"]
    with pytest.raises(CycleError, match="self -> self"):
        manager.get_tree()


@pytest.mark.node
@pytest.mark.parametrize("system", ["text", [{"role": "system"}]])
def test_named_difference_a_system_checkpoint_that_is_no_message_is_an_error(
    system: Any, oracle: Oracle, tmp_path: Path
) -> None:
    path = tmp_path / "case.jsonl"
    path.write_bytes(_file(_U, {**compaction("x", "u", "u"), "systemMessage": system}))
    assert oracle.ask("look", path=str(path))["messages"][0] == system
    with pytest.raises(PiSessionError, match="compaction entry x: systemMessage is no object"):
        SessionManager.open(path).build_session_context()


@pytest.mark.node
@pytest.mark.parametrize("time", ["Thu, 01 Jan 2026 00:00:00 GMT", "2026-01-01 00:00Z", ["2026"]])
def test_named_difference_a_time_that_only_v8_can_guess_at_is_none(
    time: Any, oracle: Oracle, tmp_path: Path
) -> None:
    path = tmp_path / "case.jsonl"
    path.write_bytes(_file(_U, {**compaction("x", "u", "u"), "timestamp": time}))
    assert oracle.ask("look", path=str(path))["messages"][0]["timestamp"] == 1_767_225_600_000
    assert SessionManager.open(path).build_session_context().messages[0]["timestamp"] is None


@pytest.mark.node
@pytest.mark.parametrize(
    "line",
    [
        state("context_edit", "e", "u", targetId="u"),
        state("session_info", "n", "u", name=5),
    ],
    ids=["an edit without replacement", "a name that is a number"],
)
def test_what_pi_breaks_at_is_an_error_here_too(
    line: cases.Json, oracle: Oracle, tmp_path: Path
) -> None:
    path = tmp_path / "case.jsonl"
    path.write_bytes(_file(_U, line))
    with pytest.raises(PiError):
        oracle.ask("look", path=str(path))
    with pytest.raises(PiSessionError, match=line["id"]):
        describe(SessionManager.open(path))
