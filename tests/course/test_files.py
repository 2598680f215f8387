"""Every lab is whole, and nothing lies in the course's folders that nobody uses."""

import re
from pathlib import Path

import pytest

from coursekit.check.course import Lab
from coursekit.course import COURSE
from coursekit.workbook.predictions import predictions_of
from tests.course.prose import ROOT, documents, notebooks

LEFT_BY_PROGRAMS = {".ipynb_checkpoints", "__pycache__"}


def files(folder: str) -> set[str]:
    """The files of a folder at any depth, by their path in it."""
    paths = (ROOT / folder).rglob("*")
    return {
        path.relative_to(ROOT / folder).as_posix()
        for path in paths
        if path.is_file() and not LEFT_BY_PROGRAMS & set(path.parts)
    }


@pytest.mark.parametrize("lab", COURSE.exercises, ids=lambda lab: lab.id)
def test_a_lab_has_steps_hints_a_notebook_and_checks(lab: Lab) -> None:
    assert lab.steps
    assert len(lab.hints) == 3
    assert (ROOT / "notebooks" / lab.notebook).is_file()
    assert lab.module in COURSE.modules
    assert bool(lab.checks) == (lab != COURSE.transfer)


def test_no_file_is_left_in_the_starters() -> None:
    assert files("starters") == set(COURSE.modules)


def test_every_notebook_is_reached_from_the_first() -> None:
    """By links, so that a reader who begins there finds each of them."""
    links = {
        each.path.name: {link.partition("#")[0] for link in each.links} for each in notebooks()
    }
    assert files("notebooks") == set(links)
    reached, todo = set(), {COURSE.first_notebook}
    while todo:
        reached |= todo
        todo = set().union(*(links[name] for name in todo)) & links.keys() - reached
    assert reached == set(links)


def test_the_readme_lists_every_notebook_that_is_no_labs() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)` \| .* \|$", readme, re.M)
    others = files("notebooks") - {COURSE.first_notebook, *(lab.notebook for lab in COURSE.labs)}
    assert {f"{name}.ipynb" for name in listed} == others


@pytest.mark.parametrize("name", sorted(files("data")))
def test_every_data_file_is_read_by_a_notebook_or_tested(name: str) -> None:
    """By its name in a notebook's cells or prose, or quoted in a test of the data."""
    written = [each.prose + each.code for each in documents()]
    tests = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_data.py")]
    path = Path(name)
    assert any(path.name in text for text in written + tests) or any(
        f'"{path.stem}"' in text for text in tests
    )


@pytest.mark.parametrize("name", [each.name for each in predictions_of(COURSE)])
def test_every_prediction_is_asked_in_a_notebook(name: str) -> None:
    assert any(f'predict("{name}"' in each.code for each in notebooks())
