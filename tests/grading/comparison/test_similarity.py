"""Flags: the same code under other names, and code that only looks alike."""

import ast

import pytest

from coursekit.course import COURSE
from coursekit.grading.comparison import similarity
from coursekit.grading.comparison.fingerprint import fingerprints
from tests.solutions.answers import solved

ONE = '''
def total(items, start=0):
    """Sum them."""
    kept = []
    for item in items:
        if item > start:
            kept.append(item * 2)
        else:
            kept.append(_helper(item))
    return [each for each in kept if each != start and each is not None]

def _helper(value):
    return value + 1
'''
RENAMED = """
# mine
def total(
    numbers: list[int], begin=0
) -> list[int]:
    found: list[int] = []
    for n in numbers:
        if n > begin:
            found.append(n * 2)  # twice
        else:
            found.append(_plus(n))
    return [x for x in found if x != begin and x is not None]

def _plus(z):
    return z + 1
"""
OTHER = ONE.replace("item * 2", "item * 3")
OTHER_HELPER = ONE.replace("value + 1", "value + 2")


def digest(source: str) -> dict[str, str]:
    return fingerprints(source.encode(), ["total"], [])


def test_names_comments_and_layout_do_not_count() -> None:
    assert digest(ONE) == digest(RENAMED) != {}


@pytest.mark.parametrize("source", [OTHER, OTHER_HELPER])
def test_what_is_done_counts(source: str) -> None:
    assert digest(source) != digest(ONE)


@pytest.mark.parametrize("source", [b"def total(:", b"\0", b"(" * 100_000, b"\xff", b""])
def test_what_cannot_be_parsed_has_none(source: bytes) -> None:
    assert fingerprints(source, ["total"], []) == {}


def test_a_stub_and_a_short_function_have_none() -> None:
    starter = (COURSE.starters / "context.py").read_bytes()
    functions = [lab.function for lab in COURSE.labs]
    assert fingerprints(starter, functions, []) == {}
    assert digest("def total(x):\n    return x\n") == {}


def test_the_reference_and_classmates_are_named_lab_by_lab() -> None:
    asked = {name: solved(name).encode() for name in ("session.py", "context.py")}

    def found(session: str, context: str) -> dict[str, str]:
        digests: dict[str, str] = {}
        answers = {"session.py": session.encode(), "context.py": context.encode()}
        for each in similarity.source_queries(COURSE, answers):
            source = each["source"].encode("latin-1")
            digests |= fingerprints(source, each["functions"], each["given"])
        return digests

    session, context = (text.decode() for text in asked.values())
    own = "\n\ndef group_interactions(a):\n" + "".join(
        f"    x{i} = a[{i}] + {i}\n" for i in range(20)
    )
    flags = similarity.find_flags(
        COURSE,
        {
            "Ana": found(session, context + own),
            "Ben": found("", own.replace("x", "mine")),
            "Cleo": found("", own + "    return a\n"),
        },
    )
    assert flags["Ana"]["11.1"] == "as the reference"
    assert flags["Ana"]["11.2"] == "as Ben"
    assert flags["Ben"] == {"11.2": "as Ana"}
    assert flags["Cleo"] == {}
    assert similarity.in_one_line(flags["Ben"]) == "11.2 as Ana"


def test_every_lab_of_the_reference_has_one() -> None:
    assert set(similarity.reference(COURSE)) == {lab.function for lab in COURSE.labs}
    assert ast.parse(solved("context.py"))
