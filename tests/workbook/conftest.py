"""A practice folder of its own for each test, or answers that a test breaks."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from coursekit.course import COURSE
from coursekit.workbook import practice
from coursekit.workbook.right_answers import right_answer

sys.path.insert(0, str(Path(__file__).parent.parent / "solutions"))

Broken = Callable[..., Path]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return practice.make(COURSE, tmp_path / "practice")


@pytest.fixture
def broken(tmp_path: Path) -> Broken:
    """Writes solved answers with some text at the end of one file, or in place of another."""

    def write(module: str, text: str = "", *, replace: tuple[str, str] | None = None) -> Path:
        for name in ("session.py", "context.py"):
            whole = right_answer(COURSE, name)
            if name == module:
                if replace:
                    assert replace[0] in whole
                    whole = whole.replace(*replace)
                whole += text
            (tmp_path / name).write_text(whole, encoding="utf-8")
        return tmp_path

    return write
