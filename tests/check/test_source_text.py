"""Putting one function into a learner's file, and leaving every other byte alone."""

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coursekit.check.source_text import (
    SpliceError,
    function_source,
    has_function,
    is_stub,
    splice_function,
)
from coursekit.course import COURSE

NEW = b'def target(x: int) -> int:\n    """New."""\n    return x + 1\n'
TARGET = 'def target(x):\n    """Old."""\n\n    y = [\n1,\n    ]\n    return y  # end\n'
DECORATED = "@staticmethod\n@(lambda f:\n    f)\n" + TARGET

blocks = st.sampled_from(
    [
        "import math\n",
        "# a comment about target\n",
        "\n",
        "\n\n",
        "    # an indented comment\n",
        "\x0c\n",
        'TEXT = """\ndef target(x):\n    return 0\n"""\n',
        "def helper(target):\n    def target(x):\n        return 2\n    return target\n",
        "class Target:\n    def target(self):\n        return 1\n",
        "PRICE = 'ü 三 \\u2028'\n",
        "if True:\n    value = 1\n",
        "async def other():\n    pass\n",
        "x = 1; y = 2\n",
    ]
)
endings = st.sampled_from([b"\n", b"\r\n", b"\r"])


@given(
    before=st.lists(blocks, max_size=5),
    after=st.lists(blocks, max_size=5),
    target=st.sampled_from([TARGET, DECORATED, "async " + TARGET, "def target(x): return 1\n"]),
    ending=endings,
    last=st.booleans(),
)
def test_only_the_function_changes(
    before: list[str], after: list[str], target: str, ending: bytes, last: bool
) -> None:
    head = "".join(before).encode().replace(b"\n", ending)
    tail = "".join(after).encode().replace(b"\n", ending)
    old = target.encode().replace(b"\n", ending)
    if not last and not tail:
        old = old.rstrip(b"\r\n")
    result = splice_function(head + old + tail, "target", NEW, "context.py")
    new = NEW.replace(b"\n", ending)
    if not last and not tail:
        # No newline at the end then, none now; a lone line shows no style of its own.
        assert result in (head + new.rstrip(b"\r\n"), head + NEW.rstrip(b"\n"))
    else:
        assert result == head + new + tail


@given(before=st.lists(blocks, min_size=1, max_size=6), ending=endings, whole=st.booleans())
def test_a_deleted_function_is_appended(before: list[str], ending: bytes, whole: bool) -> None:
    source = "".join(before).encode().replace(b"\n", ending)
    if not whole:
        source = source.rstrip(b"\r\n")
    result = splice_function(source, "target", NEW, "context.py")
    assert result.startswith(source)
    names: dict[str, object] = {}
    exec(compile(result, "context.py", "exec"), names)
    assert names["target"](1) == 2  # type: ignore[operator]


@given(ending=endings, blocks=st.lists(blocks, max_size=4))
def test_there_and_back_gives_the_same_bytes(ending: bytes, blocks: list[str]) -> None:
    source = ("".join(blocks) + TARGET + "z = 3\n").encode().replace(b"\n", ending)
    old = function_source(source, "target", "context.py")
    there = splice_function(source, "target", NEW, "context.py")
    assert splice_function(there, "target", old, "context.py") == source


def test_the_last_definition_counts() -> None:
    source = b"def target():\n    return 1\n\n\ndef target():\n    return 2\n"
    result = splice_function(source, "target", NEW, "context.py")
    assert result == b"def target():\n    return 1\n\n\n" + NEW


@pytest.mark.parametrize(
    "rebinding", ["target = min\n", "from os import target\n", "class target: pass\n"]
)
def test_a_name_bound_again_below_does_not_hide_the_function(rebinding: str) -> None:
    source = TARGET.encode() + rebinding.encode()
    result = splice_function(source, "target", NEW, "context.py")
    assert result == source + b"\n\n" + NEW


@pytest.mark.parametrize(
    "broken",
    [
        b"def target(x:\n    return [1\n",
        b"def target(x)\n    return 1\n",
        b'def target(x):\n    """no end\n    return 1\n',
        b"@cache\ndef target(x):\n    if x:\n    return 1\n",
        b"async def target(x):\n\treturn 1\n        return 2\n",
    ],
)
def test_a_function_that_is_broken_itself_is_replaced(broken: bytes) -> None:
    head = b"import math\n\n\n"
    tail = b"\n\n# about the next\ndef following():\n    return math.pi\n"
    assert splice_function(head + broken + tail, "target", NEW, "f.py") == head + NEW + tail
    assert splice_function(head + broken, "target", NEW, "f.py") == head + NEW


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        (TARGET.encode() + b"\ndef other(:\n    pass\n", r"context\.py, line 9: .*Nothing was"),
        (b"x = (\n" + TARGET.encode(), r"context\.py, line 1"),
        (b"x = 1\0\n", r"context\.py.*null"),
        (b"x = " + b"(" * 5000 + b"\n", r"context\.py"),
        (b"# coding: nonsense\nx = 1\n", r"context\.py.*UTF-8"),
        (b"x = '\xff'\n", r"context\.py.*UTF-8|context\.py"),
    ],
)
def test_a_file_broken_elsewhere_is_an_error_that_says_where(source: bytes, problem: str) -> None:
    with pytest.raises(SpliceError, match=problem):
        splice_function(source, "target", NEW, "context.py")


def test_the_files_own_encoding_is_kept() -> None:
    head = "# coding: latin-1\nNAME = 'ü'\n".encode("latin-1")
    new = 'def target():\n    return "é"\n'.encode()
    result = splice_function(head + TARGET.encode(), "target", new, "context.py")
    assert result == head + 'def target():\n    return "é"\n'.encode("latin-1")
    with pytest.raises(SpliceError, match="Save the file as UTF-8"):
        splice_function(head, "target", 'def target():\n    return "…"\n'.encode(), "context.py")


def test_a_byte_order_mark_stays_at_the_front() -> None:
    source = b"\xef\xbb\xbf" + TARGET.encode()
    assert splice_function(source, "target", NEW, "context.py") == b"\xef\xbb\xbf" + NEW


def test_nothing_beside_a_broken_function_is_swallowed() -> None:
    broken = b"def target(x:\n    return 1\n\n\ndef helper(:\n    return 2\n"
    with pytest.raises(SpliceError, match="Nothing was changed"):
        splice_function(broken, "target", NEW, "context.py")


def test_an_empty_file_takes_the_function() -> None:
    assert splice_function(b"", "target", NEW, "context.py") == NEW


def test_a_function_that_is_not_there_can_not_be_taken_out() -> None:
    with pytest.raises(SpliceError, match=r"context\.py has no function missing"):
        function_source(TARGET.encode(), "missing", "context.py")


def test_taking_out_keeps_decorators_and_comments_inside() -> None:
    source = b"x = 1\n" + DECORATED.encode() + b"y = 2\n"
    taken = function_source(source, "target", "context.py")
    assert taken == DECORATED.encode()
    assert ast.parse(taken)


def test_a_stub_is_the_starter_s_function_but_for_layout(tmp_path: Path) -> None:
    lab = COURSE.find("11.2")
    path = tmp_path / lab.module
    assert not is_stub(COURSE, tmp_path, lab)
    path.write_bytes((COURSE.starters / lab.module).read_bytes())
    assert is_stub(COURSE, tmp_path, lab)
    stub = function_source(path.read_bytes(), lab.function, lab.module)
    path.write_bytes(splice_function(path.read_bytes(), lab.function, stub + b"\n", lab.module))
    assert is_stub(COURSE, tmp_path, lab)
    path.write_bytes(COURSE.reference_source(lab.module).read_bytes())
    assert not is_stub(COURSE, tmp_path, lab)
    assert has_function(path.read_bytes(), lab, COURSE.reference_source(lab.module))
    path.write_bytes(b"def broken(\n")
    assert not is_stub(COURSE, tmp_path, lab)
