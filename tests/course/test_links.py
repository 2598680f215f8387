"""Whatever the course points at is there: links, headings, files, labs, commands, targets."""

import argparse
import ast
import re
import shlex
from pathlib import Path

import pytest

from coursekit import cli
from coursekit.check.coursekit_error import CoursekitError
from coursekit.course import COURSE
from coursekit.workbook.course_files import course_files, starters
from coursekit.workbook.progress import FILE
from tests.course.prose import ROOT, TEMPLATE, Document, documents

OF_A_PRACTICE_FOLDER = {*course_files(COURSE), *starters(COURSE), FILE}
A_FILE = re.compile(r"[\w./-]*(\w/|\w\.(py|ipynb|md|toml|jsonl?|mjs|svg|png))$")
NO_FILE = {
    "SKILL.md": "an example of what a session may be about",
    "x.png": "any name will do",
    **dict.fromkeys(
        ("grades.csv", "grades.json", "junit.xml", "index.html", "run.json", "records/"),
        "what grading writes",
    ),
    **dict.fromkeys(("collected.json", "collected.csv"), "what collecting writes"),
}
"""Spans that look like files and are none of the course's, each with the reason."""


def resolve(document: Document, name: str) -> bool:
    """Whether a file is where the document's reader looks: there, or in a practice folder."""
    places = (document.path.parent, ROOT)
    if any((place / name).exists() for place in places):
        return True
    own = name.strip("/")
    return any(
        path == own or path.startswith(f"{own}/") or path.endswith(f"/{own}")
        for path in OF_A_PRACTICE_FOLDER
    )


def test_links_lead_to_files_and_headings(document: Document) -> None:
    for link in document.links:
        if re.match(r"https?://|mailto:", link):
            continue
        target, _, heading = link.partition("#")
        path = document.path.parent / target if target else document.path
        assert path.exists(), link
        if document.path.suffix == ".ipynb":
            inside = path.name if path.parent == document.path.parent else path.as_posix()
            assert inside in OF_A_PRACTICE_FOLDER or resolve(document, target), link
        if heading:
            (led_to,) = [each for each in documents() if each.path == path.resolve()]
            assert heading in led_to.anchors, link


def test_files_that_prose_names_are_there(document: Document) -> None:
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").split()
    for span in document.spans:
        if " " in span or "…" in span or not A_FILE.match(span) or span in NO_FILE:
            continue
        made = any(span.strip("/") == name.strip("/*") for name in ignored)
        assert made or resolve(document, span), span


def test_labs_and_checks_that_prose_names_are_there(document: Document) -> None:
    labs = {lab.id for lab in COURSE.labs}
    checks = {check.name for lab in COURSE.labs for check in lab.checks}
    assert set(re.findall(r"\b[Ll]abs? (11\.\d)", document.prose)) <= labs
    assert set(re.findall(r"\b11\.\d/\d\b", document.prose)) <= checks


def parsers() -> dict[str, argparse.ArgumentParser]:
    """The parser of each verb."""
    (verbs,) = [
        action
        for action in cli._parser()._actions
        if isinstance(action, argparse._SubParsersAction)
    ]
    return dict(verbs.choices)


PARSERS = parsers()


def see_command(text: str) -> None:
    """That a command's verb, options and labs are there; placeholders are passed over."""
    # A column of spaces parts a command from what is said about it.
    words = shlex.split(re.split(r"  +", text.strip())[0], comments=True)
    # As far as another command, or what is left of a usage's brackets.
    words = [word.strip("[]…") for word in words[1:]]
    if not words:
        return
    assert words[0] in PARSERS or words[0] in ("--version", "--help", "VERB"), text
    if words[0] not in PARSERS:
        return
    known = PARSERS[words[0]]._option_string_actions
    for word in words[1:]:
        if word.startswith("-"):
            assert word in known, text
        elif re.fullmatch(r"[\d.]+", word) and words[0] in ("check", "hint", "reset", "reveal"):
            COURSE.find(word)


@pytest.mark.parametrize(
    "wrong",
    ["coursekit chekc 11.2", "coursekit check 11.9", "coursekit status --verbose  tells more"],
)
def test_a_command_that_is_not_there_is_found(wrong: str) -> None:
    with pytest.raises((AssertionError, CoursekitError)):
        see_command(wrong)


def commands(document: Document) -> list[str]:
    """The commands of coursekit in spans and fenced blocks, from its name on."""
    found = [span for span in document.spans if span.startswith("coursekit ")]
    lines = (re.sub(r"^\s*(\$ )?(\.venv/bin/)?", "", line) for line in document.fenced_lines)
    return found + [line for line in lines if line.startswith("coursekit ")]


def test_commands_that_prose_names_are_there(document: Document) -> None:
    for command in commands(document):
        see_command(command)


def test_targets_of_make_that_prose_names_are_there(document: Document) -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    spans = [*document.spans, *(line.strip() for line in document.fenced_lines)]
    named = {found[1] for span in spans if (found := re.match(r"make (\w+)", span))}
    assert named <= targets


SOURCES = sorted((ROOT / "coursekit").rglob("*.py"))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_commands_that_messages_name_are_there(path: Path) -> None:
    """In an error, say: `Make one: coursekit practice`. The command follows a colon or `."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        for verb, rest in re.findall(r"(?:: |`)coursekit ([a-z]\w*)([^\n`.;]*)", node.value):
            assert verb in PARSERS, node.value
            for option in re.findall(r"(?<!\S)--?[a-z]\w*", rest):
                assert option in PARSERS[verb]._option_string_actions, node.value


def test_the_cards_commands_are_there() -> None:
    found = [each for each in COURSE.checkpoint.commands if each.startswith("coursekit")]
    assert found
    for command in found:
        see_command(command)


def test_the_practice_folders_own_page_names_every_file_that_it_is_given() -> None:
    page = (TEMPLATE / "README.md").read_text(encoding="utf-8")
    for name in ("session.py", "context.py", "tests/test_labs.py", "data/", FILE):
        assert f"`{name}`" in page
    listed = re.findall(r"^\| `(\w+\.ipynb)` \| .{20,}\|$", page, re.MULTILINE)
    assert sorted(listed) == sorted(path.name for path in COURSE.notebooks.glob("*.ipynb"))
