"""The tiny course itself: its parts agree with each other, and with the mechanism."""

import json
import re
import shutil
import sys
from pathlib import Path

import pytest

from coursekit.check.case import Case, Rule, Step
from coursekit.check.course import Course, load_course
from coursekit.check.coursekit_error import CoursekitError
from coursekit.check.explanation import explain
from coursekit.check.observing import load_observations
from coursekit.check.outcome import Failed
from coursekit.check.protocol import Note, Raised, Refused, Request, Returned
from coursekit.check.report import checks_of, expect
from coursekit.check.starter import make_starter
from tests.another_course.conftest import TINY

CHECKS = ["mean/1", "mean/2", "brackets/1", "brackets/2"]


def test_there_are_two_labs_of_two_checks(course: Course) -> None:
    assert [check.name for check in checks_of(course)] == CHECKS
    assert course.transfer is None
    assert not course.is_built_in


@pytest.mark.parametrize("module", ["means.py", "brackets.py"])
def test_the_stored_starters_are_what_the_reference_gives(course: Course, module: str) -> None:
    stored = (TINY / "starters" / module).read_text(encoding="utf-8")
    assert stored == make_starter(course, module), "run: python tools/starters.py tests/tiny_course"


@pytest.mark.parametrize("variant", [0, 1, 2, 20_261_207])
@pytest.mark.parametrize("check", CHECKS)
def test_the_reference_refuses_by_name_and_accepts_the_rest(
    course: Course, check: str, variant: int
) -> None:
    case = course.case(check, variant)
    assert case == course.case(check, variant)
    seen = expect(course, case, load_observations(course.observations))
    for step, came in zip(case.steps, seen, strict=True):
        if step.names:
            assert isinstance(came, Refused)
            assert step.named(came) == [forms[0] for forms in step.names]
        else:
            assert isinstance(came, Returned)
    assert {type(came) for came in seen} == {Refused, Returned}, "calls of both kinds, mixed"


@pytest.mark.parametrize("check", CHECKS)
def test_variants_differ(course: Course, check: str) -> None:
    calls = {tuple(step.call for step in course.case(check, n).steps) for n in range(5)}
    assert len(calls) == 5


@pytest.mark.parametrize("check", CHECKS)
def test_every_rule_is_explained_under_its_heading(course: Course, check: str) -> None:
    notebook = TINY / "notebooks" / course.lab_of(check).notebook
    cells = json.loads(notebook.read_bytes())["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells)
    headings = set(re.findall(r"^## (.*)$", text, re.MULTILINE))
    assert {step.rule.heading for step in course.case(check, 0).steps} <= headings


def test_what_the_observations_know_by_name_is_in_the_manifest(course: Course) -> None:
    observations = load_observations(course.observations)
    assert tuple(observations.MODULES) == course.modules
    assert tuple(observations.FUNCTIONS) == tuple(lab.function for lab in course.labs)


def test_a_wording_without_a_function_explains_a_wrong_call(course: Course) -> None:
    step = Step(Request("average", {}), "a call", Rule("A rule.", "A heading"))
    note = Note("TypeError", "running_mean() takes 0 positional arguments but 1 was given")
    outcome = Failed(0, Returned([]), Raised("TypeError", note))
    assert "takes 0 positional" in explain(course, Case("mean/1", 0, [step]), outcome)


def test_a_folder_without_a_manifest_is_no_course(tmp_path: Path) -> None:
    with pytest.raises(CoursekitError, match=r"labs\.toml is not there"):
        load_course(tmp_path)


@pytest.mark.parametrize("name", ["json", "tiny-course"])
def test_a_course_takes_no_other_packages_name(tmp_path: Path, name: str) -> None:
    before = sys.modules["json"]
    shutil.copytree(TINY, tmp_path / name)
    with pytest.raises(CoursekitError, match=f"{name} is no name, or is one that another"):
        load_course(tmp_path / name)
    assert sys.modules["json"] is before


def test_its_folders_may_lie_beside_the_package_and_nowhere_else(tmp_path: Path) -> None:
    folder = tmp_path / "inner" / "course_of_two"
    shutil.copytree(TINY, folder)
    (folder / "data").rename(tmp_path / "inner" / "data")
    course = load_course(folder)
    assert course.data == tmp_path / "inner" / "data"
    course.data.rename(tmp_path / "data")
    with pytest.raises(CoursekitError, match="folder data is missing"):
        _ = course.data
