"""Names in the package: one for each thing, and none that only its writers understand."""

import ast
import io
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "coursekit"
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path.name != "__init__.py")

NOT_MODULES = {"workbook/template/conftest.py"}
"""Files for practice folders. pytest names this one."""

PRIVATE_WORDS = {"told", "story", "card", "waiting", "solved"}
"""Words that once stood for a message, a report, a row, a stack and a right answer."""


def repeated(named: Iterable[tuple[str, Path]]) -> dict[str, list[str]]:
    """The names that stand in more than one place, with the places."""
    places = defaultdict(list)
    for name, path in named:
        places[name].append(path.relative_to(PACKAGE).as_posix())
    return {name: where for name, where in places.items() if len(where) > 1}


def public_classes(path: Path) -> Iterator[str]:
    """The names of a module's classes that others may use."""
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node.name


def private_words(source: str) -> list[str]:
    """The identifiers that a private word is or is part of, each with its line."""
    return [
        f"line {token.start[0]}: {token.string}"
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.NAME and not PRIVATE_WORDS.isdisjoint(words(token.string))
    ]


def words(identifier: str) -> list[str]:
    """The words of an identifier in snake_case or CamelCase, in small letters."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", identifier).lower().split("_")


def test_each_module_has_a_file_name_of_its_own() -> None:
    modules = [path for path in MODULES if path.relative_to(PACKAGE).as_posix() not in NOT_MODULES]
    assert not repeated((path.name, path) for path in modules)


def test_each_public_class_has_a_name_of_its_own() -> None:
    assert not repeated((name, path) for path in MODULES for name in public_classes(path))


@pytest.mark.parametrize("folder", ["coursekit", "tests", "tools", "benchmarks", "starters"])
def test_no_identifier_is_a_private_word(folder: str) -> None:
    found = {}
    for path in sorted((ROOT / folder).rglob("*.py")):
        if names := private_words(path.read_text("utf-8")):
            found[path.relative_to(ROOT).as_posix()] = names
    assert not found


@pytest.mark.parametrize("name", ["told", "_told_part", "Story", "ScoreCard", "skip_waiting"])
def test_a_private_word_is_found(name: str) -> None:
    assert private_words(f"first = 1\n{name} = 2\n") == [f"line 2: {name}"]


def test_keys_prose_and_longer_words_are_free() -> None:
    assert not private_words('"""It is told."""\nunresolved = {"told": discarded}  # a story\n')
