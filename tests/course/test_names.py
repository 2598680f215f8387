"""Names that prose puts in backticks are names that code has.

A span counts as names if each of its words looks like one. A word is known if code
defines it (a function, class, parameter, attribute or variable of coursekit or of the
same notebook's cells), says it as a text of its own (a JSON key, a role, an id, a
code), if the course's data holds it, or if Python has it. Pi's own camelCase names are
known by the snake_case that mirrors them. Renaming a function, a field or an id
everywhere but in the prose so fails here.
"""

import ast
import builtins
import importlib
import json
import keyword
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from typing import Any

from tests.course.prose import ROOT, Document

A_NAME = re.compile(r"\w[\w-]*(\.\w+)*(\(.*\))?$")
A_FILE = re.compile(r"\.(py|ipynb|md|toml|jsonl|json|svg|png)$")  # test_links looks at these
A_COMMAND = re.compile(r"(coursekit|make|pip|python|pytest|mypy|apt-get|apt)( |$)")

OTHERS = {
    "/clone": "Pi's command",
    "/fork": "Pi's command",
    "/new": "Pi's command",
    "/tree": "Pi's command",
    "PATH": "the shell's",
    "8479bd8": "a commit of Pi's",
    "getBranch": "Pi's, where the library says get_branch",
    "leafId": "Pi's, where the library says get_leaf_id",
}
"""Names that are neither the course's nor Python's, each with whose they are."""


def definitions(tree: ast.AST) -> Iterator[str]:
    """Names that a source defines, and the texts that it says, docstrings left out."""
    docstrings = set()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
            case ast.Name(ctx=ast.Store()):
                yield node.id
            case ast.Attribute(ctx=ast.Store()):
                yield node.attr
            case ast.arg():
                yield node.arg
            case ast.alias():
                yield from node.name.split(".")
            case ast.Expr(value=ast.Constant()):
                docstrings.add(node.value)
            case ast.Constant(value=str(text)) if node not in docstrings:
                yield text


def texts(value: Any) -> Iterator[str]:
    """Keys and texts anywhere in a JSON value; of a path, its parts."""
    todo = [value]
    while todo:
        match todo.pop():
            case dict() as pairs:
                yield from pairs
                todo += pairs.values()
            case list() as items:
                todo += items
            case str() as text:
                yield text


@cache
def known() -> frozenset[str]:
    """What is known in every document."""
    words = {*dir(builtins), *keyword.kwlist, *sys.stdlib_module_names, *OTHERS}
    sources = [*(ROOT / "coursekit").rglob("*.py"), *(ROOT / "starters").glob("*.py")]
    sources += [ROOT / "tests" / "conftest.py"]
    for path in sources:
        words |= {*definitions(ast.parse(path.read_bytes())), path.stem}
    for path in (ROOT / "data").rglob("*.jsonl"):
        for line in path.read_bytes().split(b"\n"):
            try:
                words |= set(texts(json.loads(line)))
            except ValueError:  # the damaged files are damaged on purpose
                words |= set(re.findall(r"[\w-]+", line.decode("utf-8", "replace")))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for text in texts(project):
        words |= {re.split(r"[^\w-]", text)[0]}  # a requirement's or a marker's name
    # JSON's own, and the commands' verbs.
    return frozenset(words | {"null", "true", "false", "coursekit"})


def own(document: Document) -> set[str]:
    """What a notebook's code cells and their strings bring."""
    return set(re.findall(r"[\w-]+", document.code))


def unknown(document: Document) -> Iterator[str]:
    words = known() | own(document)
    for span in document.spans:
        if A_COMMAND.match(span) or "/" in span or span in OTHERS:
            continue
        parts = [span] if A_NAME.match(span) else span.split()
        if not all(A_NAME.match(part) for part in parts):
            continue  # a line of code, an option, a shape: no name
        for part in parts:
            name = part.partition("(")[0]
            if name.startswith("coursekit."):
                if not resolves(name):
                    yield name
            elif not (
                {name, snake(name)} & words
                or set(name.split(".")) <= words
                or (ROOT / "notebooks" / f"{name}.ipynb").exists()
                or (ROOT / name).exists()
                or A_FILE.search(name)
            ):
                yield name


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])([A-Z])", r"_\1", name).lower()


def resolves(name: str) -> bool:
    """Whether a dotted name of coursekit leads to something."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:length]))
        except ImportError:
            continue
        for attribute in parts[length:]:
            if not hasattr(found, attribute):
                return False
            found = getattr(found, attribute)
        return True
    return False


def test_names_in_prose_exist_in_code(document: Document) -> None:
    assert sorted(set(unknown(document))) == []


def test_a_name_that_was_taken_out_of_the_code_is_found() -> None:
    """The rule itself: a good name passes, a misspelt one of each kind does not."""
    document = Document(
        ROOT / "notebooks" / "x.ipynb",
        "`group_interactions` `group_interaction` `coursekit.session.path_to` "
        "`coursekit.session.path_too` `firstKeptEntryId` `firstKeptIds` "
        "`getBranch` `getBranches` `u3  r-test  a3` "
        "`u3 r-tests` `build_context(...)` `build_contexts(active_path)` `tokens.messages` "
        "`tokens.massages` `raise … from …`",
        "",
    )
    assert sorted(unknown(document)) == [
        "build_contexts",
        "coursekit.session.path_too",
        "firstKeptIds",
        "getBranches",
        "group_interaction",
        "r-tests",
        "tokens.massages",
    ]


def test_whose_the_other_names_are_is_still_needed() -> None:
    from tests.course.prose import documents

    spans = {span for document in documents() for span in document.spans}
    assert spans >= OTHERS.keys()
