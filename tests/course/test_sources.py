"""A source that code names can be opened: a notebook, and a heading that is in it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.course.prose import COURSE_FOLDER, ROOT, Document, documents, notebooks

CODE = [
    path
    for folder in ("coursekit", "starters", "tests", "tools", "benchmarks")
    for path in sorted((ROOT / folder).rglob("*.py"))
]
TABLES = sorted(COURSE_FOLDER.glob("*.toml"))

A_NUMBERED_DOCUMENT = re.compile(r"\bseed[ _-]?" + r"\d{3}\b", re.IGNORECASE)
"""What a reader can look up nowhere. In two pieces, so that it does not find itself."""

A_NOTEBOOK = re.compile(r"\b(\w+)\.ipynb")
A_PLACE = re.compile(r'\b(\w+\.ipynb)`?,\s+("[^"]+"(?:(?:,| and)\s+"[^"]+")*)')
OF_THE_LEARNER = {"mine"}
"""What stands before `.ipynb` in code and is no notebook of the course: a copy's ending."""


def places(text: str) -> Iterator[tuple[str, str]]:
    """Each notebook and heading that a text names: the file, a comma, headings in quotes."""
    for notebook, headings in A_PLACE.findall(text):
        for heading in re.findall(r'"([^"]+)"', headings):
            yield notebook, " ".join(heading.split())


def missing(text: str) -> list[tuple[str, str]]:
    """The places in a text that no notebook has."""
    there = {(each.path.name, heading) for each in notebooks() for heading in each.headings}
    return [place for place in places(text) if place not in there]


@pytest.mark.parametrize(
    "path", [*CODE, *TABLES], ids=lambda path: path.relative_to(ROOT).as_posix()
)
def test_no_code_names_a_document_by_its_number(path: Path) -> None:
    assert not A_NUMBERED_DOCUMENT.search(path.read_text(encoding="utf-8"))


def test_no_prose_names_a_document_by_its_number(document: Document) -> None:
    assert not A_NUMBERED_DOCUMENT.search(document.prose + document.code)


@pytest.mark.parametrize("path", CODE, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_headings_that_code_names_are_there(path: Path) -> None:
    assert not missing(path.read_text(encoding="utf-8"))


def test_headings_that_prose_names_are_there(document: Document) -> None:
    assert not missing(document.prose)


@pytest.mark.parametrize(
    "path",
    [path for path in CODE if path.is_relative_to(ROOT / "coursekit")],
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_a_source_is_a_notebook_with_a_heading_or_a_function_of_pi(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for source in re.findall(r"\bSource: (.*)", text):
        assert re.match(r'\w+\.ipynb, "|Pi \d+\.\d+\.\d+ \w+', source), source
    known = {each.path.stem for each in notebooks()} | OF_THE_LEARNER
    assert set(A_NOTEBOOK.findall(text)) <= known


def test_a_place_that_is_not_there_is_found() -> None:
    budget, more = "11_3_budget" + ".ipynb", "11_9_more" + ".ipynb"
    text = f'Source: {budget}, "The costs" and\n    "Nowhere". See `{more}`, "The costs".'
    assert missing(text) == [(budget, "Nowhere"), (more, "The costs")]


def test_a_number_of_a_document_is_found() -> None:
    assert A_NUMBERED_DOCUMENT.search("see " + "seed " + "003, Lab 11.1")


def test_the_page_of_sources_is_linked_where_sources_are_spoken_of() -> None:
    linked = {document.name for document in documents() if "sources.md" in "".join(document.links)}
    assert {"README.md", "CONTRIBUTING.md"} <= linked
