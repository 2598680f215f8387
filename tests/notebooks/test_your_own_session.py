"""The notebook that looks into a learner's own file, with other files than the course's."""

from __future__ import annotations

import ast
import json
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from coursekit.course import COURSE
from tests.notebooks.stored_notebooks import source, stored, tags

NOTEBOOK = next(each for each in stored() if each.name == "your_own_session.ipynb")
SESSIONS = sorted((COURSE.data / "pi").glob("*.jsonl"))


def run(**parameters: object) -> Iterator[Any]:
    """Run the cells one after the other, with other parameters; the value of each last line."""
    names: dict[str, Any] = {}
    try:
        for cell in NOTEBOOK.code:
            body = ast.parse(source(cell)).body
            last = body[-1] if body and isinstance(body[-1], ast.Expr) else None
            if last is not None:
                body.pop()
            exec(compile(ast.Module(body, []), cell["id"], "exec"), names)
            if "parameters" in tags(cell):
                names.update(parameters)
            if last is not None:
                value = eval(compile(ast.Expression(last.value), cell["id"], "eval"), names)
                repr(value)
                yield value
    finally:
        if "place" in names:
            names["place"].cleanup()  # Where a cell raised, the last one didn't run.


@pytest.mark.parametrize("path", SESSIONS, ids=[path.stem for path in SESSIONS])
@pytest.mark.parametrize("keep", [1, 20_000])
def test_any_session_is_shown_and_left_as_it_was(path: Path, keep: int, tmp_path: Path) -> None:
    own = tmp_path / "own.jsonl"
    own.write_bytes(path.read_bytes())
    own.chmod(stat.S_IRUSR)
    before = own.stat()
    *_, last = run(path=str(own), window=128_000, reserve=16_384, keep=keep)
    assert last == {"unchanged": True, "copy left behind": False}
    assert own.read_bytes() == path.read_bytes()
    assert own.stat().st_mtime_ns == before.st_mtime_ns
    assert list(tmp_path.iterdir()) == [own]


def test_a_long_session_is_shown_in_few_lines(tmp_path: Path) -> None:
    own = tmp_path / "own.jsonl"
    stamp = "2026-01-05T09:00:00.000Z"
    header = {"type": "session", "version": 3, "id": "s", "timestamp": stamp, "cwd": "/home/x"}
    lines: list[dict[str, Any]] = [header]
    for number in range(4_000):
        message = {"role": "user", "content": "word " * (number % 50), "timestamp": 0}
        parent = None if number == 0 else f"{number - 1:08x}"
        entry = {"type": "message", "id": f"{number:08x}", "parentId": parent, "timestamp": stamp}
        lines.append(entry | {"message": message})
    own.write_text("".join(json.dumps(line) + "\n" for line in lines))
    for value in run(path=str(own), window=128_000, reserve=16_384, keep=20_000):
        assert len(repr(value).splitlines()) <= 60


def test_a_damaged_file_is_diagnosed_before_it_is_refused(tmp_path: Path) -> None:
    from coursekit.pi import PiSessionError

    own = tmp_path / "own.jsonl"
    whole = SESSIONS[0].read_bytes().splitlines(keepends=True)
    own.write_bytes(b"".join([*whole[:2], b"{broken\n", *whole[2:]]))
    values = run(path=str(own))
    assert next(values) == ["line 3: not-json"]
    with pytest.raises(PiSessionError, match="line 3"):
        next(values)
    assert own.read_bytes().count(b"{broken") == 1


def test_it_says_that_nothing_leaves_the_machine() -> None:
    first = source(NOTEBOOK.cells[0])
    assert "Nothing leaves your machine" in first
    assert "never written to" in first
    imported = {
        name.split(".")[0]
        for cell in NOTEBOOK.code
        for node in ast.walk(ast.parse(source(cell)))
        for name in (
            [node.module or ""] if isinstance(node, ast.ImportFrom)
            else [each.name for each in node.names] if isinstance(node, ast.Import) else []
        )
    }  # fmt: skip
    assert imported == {"collections", "hashlib", "pathlib", "shutil", "tempfile", "pandas",
                        "coursekit"}  # fmt: skip
