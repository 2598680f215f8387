"""The manifest agrees with the code, the notebooks and the docstrings it speaks of."""

import ast
import re
from itertools import groupby

import pytest

from coursekit.workbook import card, cases, content, manifest, stubs
from coursekit.workbook.errors import WorkbookError

LABS = manifest.exercises()


def test_there_are_five_labs_with_fourteen_checks() -> None:
    """3, 3, 3, 2, 3: the lab document's own count (docs/sources.md)."""
    assert [lab.id for lab in manifest.labs()] == ["11.1", "11.2", "11.3", "11.4", "11.5"]
    assert [len(lab.checks) for lab in manifest.labs()] == [3, 3, 3, 2, 3]
    assert manifest.transfer().checks == ()


def test_labs_stand_in_the_order_of_their_modules_and_of_what_they_build_on() -> None:
    assert [file for file, _ in groupby(LABS, lambda lab: lab.module)] == list(stubs.MODULES)
    for at, lab in enumerate(LABS):
        assert set(lab.builds_on) <= {earlier.id for earlier in LABS[:at]}


def test_every_check_has_a_case() -> None:
    for lab in manifest.labs():
        for check in lab.checks:
            assert check.name.startswith(f"{lab.id}/")
            assert cases.build(check.name, 0).steps


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.id)
def test_a_lab_says_all_that_a_learner_needs(lab: manifest.Lab) -> None:
    assert len(lab.hints) == 3
    assert lab.hints[0].endswith("?"), "the first hint is a question"
    assert lab.hints[1].startswith("The rule")
    assert lab.hints[2].startswith("In words:")
    assert all(hint == hint.strip() for hint in lab.hints)
    assert len({check.title for check in lab.checks}) == len(lab.checks)


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.id)
def test_no_hint_gives_a_line_of_the_solution(lab: manifest.Lab) -> None:
    source = content.reference(lab.module).read_bytes()
    body = stubs.function_source(source, lab.function, lab.module).decode()
    lines = {line.strip() for line in body.split('"""')[2].splitlines() if len(line.strip()) > 12}
    assert not [line for line in lines for hint in lab.hints if line in hint]


@pytest.mark.parametrize("lab", manifest.labs(), ids=lambda lab: lab.id)
def test_the_function_is_there_with_as_many_steps_in_its_docstring(lab: manifest.Lab) -> None:
    tree = ast.parse(content.reference(lab.module).read_bytes())
    (function,) = [
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name == lab.function
    ]
    docstring = ast.get_docstring(function) or ""
    assert f"Lab {lab.id}" in docstring
    assert len(re.findall(r"^\d\. ", docstring, re.MULTILINE)) == len(lab.steps)


def test_an_unknown_lab_lists_those_that_there_are() -> None:
    with pytest.raises(WorkbookError, match=r"'11\.9'.* 11\.1, 11\.2, 11\.3, 11\.4, 11\.5, ledger"):
        manifest.find("11.9")
    with pytest.raises(WorkbookError, match=r"11\.5\.$"):
        manifest.find("11.9", manifest.labs())


def test_the_exercise_is_no_lab_with_checks_but_has_a_notebook() -> None:
    with pytest.raises(WorkbookError, match=r"ledger has no checks.*transfer_ledger\.ipynb"):
        manifest.find("ledger", manifest.labs())


def test_cards_fit_a_terminal_and_name_what_the_source_names() -> None:
    text = card.course_card()
    for part in ("Goal", "Files", "Start", "End", "First red light", "Commands", "Evidence"):
        assert f"\n{part}\n" in text
    assert "3/3, 3/3, 3/3, 2/2, 3/3" in text
    for each in [text, *(card.lab_card(lab) for lab in LABS)]:
        assert max(map(len, each.splitlines())) <= card.WIDTH
