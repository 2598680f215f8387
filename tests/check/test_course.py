"""The manifest agrees with the code, the notebooks and the docstrings it speaks of."""

import ast
import re
from itertools import groupby
from pathlib import Path

import pytest

from coursekit.check.course import Lab, load_course
from coursekit.check.coursekit_error import CoursekitError
from coursekit.check.source_text import function_source
from coursekit.course import COURSE

LABS = COURSE.exercises


def test_there_are_five_labs_with_fourteen_checks() -> None:
    """As the checkpoint's evidence in `labs.toml` counts them: 3/3, 3/3, 3/3, 2/2, 3/3."""
    assert [lab.id for lab in COURSE.labs] == ["11.1", "11.2", "11.3", "11.4", "11.5"]
    assert [len(lab.checks) for lab in COURSE.labs] == [3, 3, 3, 2, 3]
    assert COURSE.transfer is not None
    assert COURSE.transfer.checks == ()


def test_labs_stand_in_the_order_of_their_modules_and_of_what_they_build_on() -> None:
    assert [file for file, _ in groupby(LABS, lambda lab: lab.module)] == list(COURSE.modules)
    for at, lab in enumerate(LABS):
        assert set(lab.builds_on) <= {earlier.id for earlier in LABS[:at]}


def test_every_check_has_a_case() -> None:
    for lab in COURSE.labs:
        for check in lab.checks:
            assert check.name.startswith(f"{lab.id}/")
            assert COURSE.case(check.name, 0).steps


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.id)
def test_a_lab_says_all_that_a_learner_needs(lab: Lab) -> None:
    assert len(lab.hints) == 3
    assert lab.hints[0].endswith("?"), "the first hint is a question"
    assert lab.hints[1].startswith("The rule")
    assert lab.hints[2].startswith("In words:")
    assert all(hint == hint.strip() for hint in lab.hints)
    assert len({check.title for check in lab.checks}) == len(lab.checks)


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.id)
def test_no_hint_holds_a_line_of_the_solution(lab: Lab) -> None:
    source = COURSE.reference_source(lab.module).read_bytes()
    body = function_source(source, lab.function, lab.module).decode()
    lines = {line.strip() for line in body.split('"""')[2].splitlines() if len(line.strip()) > 12}
    assert not [line for line in lines for hint in lab.hints if line in hint]


@pytest.mark.parametrize("lab", COURSE.labs, ids=lambda lab: lab.id)
def test_the_function_is_there_with_as_many_steps_in_its_docstring(lab: Lab) -> None:
    tree = ast.parse(COURSE.reference_source(lab.module).read_bytes())
    (function,) = [
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name == lab.function
    ]
    docstring = ast.get_docstring(function) or ""
    assert f"Lab {lab.id}" in docstring
    assert len(re.findall(r"^\d\. ", docstring, re.MULTILINE)) == len(lab.steps)


def test_an_unknown_lab_lists_those_that_there_are() -> None:
    known = r"'11\.9'.* 11\.1, 11\.2, 11\.3, 11\.4, 11\.5, ledger"
    with pytest.raises(CoursekitError, match=known):
        COURSE.find("11.9")
    with pytest.raises(CoursekitError, match=r"11\.5\.$"):
        COURSE.choose(["11.9"])


def test_the_exercise_is_no_lab_with_checks_but_has_a_notebook() -> None:
    with pytest.raises(CoursekitError, match=r"ledger has no checks.*transfer_ledger\.ipynb"):
        COURSE.choose(["ledger"])


def test_labs_are_chosen_once_each_and_all_when_none_is_asked_for() -> None:
    assert [lab.id for lab in COURSE.choose(["11.3", "11.1", "11.3"])] == ["11.3", "11.1"]
    assert COURSE.choose([]) == COURSE.labs
    assert COURSE.lab_of("11.2/1").id == "11.2"


def test_a_folder_without_a_manifest_is_no_course(tmp_path: Path) -> None:
    with pytest.raises(CoursekitError, match=r"is no course: labs\.toml is not there"):
        load_course(tmp_path)


def test_a_file_of_the_answers_needs_itself_and_those_before_it() -> None:
    assert COURSE.needs("session.py", "session.py")
    assert not COURSE.needs("session.py", "context.py")
    assert COURSE.needs("context.py", "session.py")
