"""Fingerprints: the same code under other names, and code that only looks alike."""

import pytest

from coursekit.course import COURSE
from coursekit.grading.comparison.fingerprint import fingerprints

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
