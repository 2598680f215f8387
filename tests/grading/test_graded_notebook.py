"""The graded notebook: what its cells hold, and what they do not."""

import base64
import json
import zlib
from collections import defaultdict
from itertools import pairwise

import pytest

from coursekit.check.observing import TAMPER, load_observations
from coursekit.check.outcome import agrees
from coursekit.check.protocol import Refused, Request
from coursekit.check.report import expect
from coursekit.course import COURSE
from coursekit.grading import graded_notebook
from coursekit.grading.sandbox.inside import bench

OBSERVATIONS = load_observations(COURSE.observations)
VARIANTS = (0, 1, 20_261_130)
CHECKS = [check.name for lab in COURSE.labs for check in lab.checks]


def requests_in(cell: graded_notebook.Cell) -> tuple[bool, list[Request]]:
    """Whether a check begins in a cell, and the requests that it holds."""
    return bench.unpacked(cell.source.removeprefix("look('").removesuffix("')"))


def checks(variant: int) -> list[graded_notebook.Station]:
    return [station for station in graded_notebook.plan(COURSE, variant) if station.is_check]


def test_all_checks_stand_behind_the_modules_that_they_need() -> None:
    names = [station.name for station in graded_notebook.plan(COURSE, 3)]
    assert [name for name in names if "/" in name] == CHECKS
    assert names[0] == "session"
    assert names[names.index("context") + 1] == "11.2/1"


def test_a_module_that_does_not_load_costs_the_checks_of_what_stands_in_it_or_imports_it() -> None:
    stations = graded_notebook.plan(COURSE, 3)
    assert all(COURSE.needs(station.module, "session.py") for station in stations)
    spared = [each.name for each in stations if not COURSE.needs(each.module, "context.py")]
    assert spared == ["session", "11.1/1", "11.1/2", "11.1/3"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_cell_holds_requests_and_nothing_else(variant: int) -> None:
    """No name that a refusal must hold, no rule, no call in words."""
    for station in checks(variant):
        for cell in station.cells:
            function, _, packed = cell.source.partition("('")
            assert function == "look"
            text = zlib.decompress(base64.b64decode(packed.removesuffix("')")))
            content = json.loads(text)
            assert set(content) == {"fresh", "requests"}
            assert all(set(each) == {"observation", "arguments"} for each in content["requests"])


@pytest.mark.parametrize("variant", VARIANTS)
def test_each_step_stands_in_one_cell_in_order(variant: int) -> None:
    for station in checks(variant):
        assert station.case is not None
        cells = [requests_in(cell) for cell in station.cells]
        requests = [request for _, inside in cells for request in inside]
        assert requests == [step.request for step in station.case.steps]
        assert [fresh for fresh, _ in cells] == [True, *[False] * (len(cells) - 1)]


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_changes_a_result_comes_in_a_later_cell_than_the_call(variant: int) -> None:
    for station in checks(variant):
        assert station.case is not None
        for cell in station.cells:
            kinds = [station.case.steps[at].request.observation for at in cell.steps]
            for before, then in pairwise(kinds):
                assert then != TAMPER or before == TAMPER


def test_standing_last_in_a_cell_does_not_betray_calls_to_accept() -> None:
    """Where some calls must stand last, refused ones do so as often as accepted ones."""
    last, first = defaultdict[bool, int](int), defaultdict[bool, int](int)
    for variant in range(1, 30):
        for station in checks(variant):
            assert station.case is not None
            expected = station.expected
            inner = station.cells[:-1]  # the last cell ends where the check ends
            for cell in inner:
                for at in cell.steps:
                    if station.case.steps[at].request.observation != TAMPER:
                        count = last if at == cell.steps[-1] else first
                        count[isinstance(expected[at], Refused)] += 1
    share = last[True] / sum(last.values())
    assert share >= 0.25, (dict(last), dict(first))


def test_a_summary_to_look_for_betrays_no_call_to_refuse() -> None:
    """With and without one there are calls to accept: refusing by that earns nothing."""
    for name in CHECKS:
        seen = defaultdict[bool, set[bool]](set)
        for variant in range(1, 30):
            case = COURSE.case(name, variant)
            expected = expect(COURSE, case, OBSERVATIONS)
            for step, seen_of_it in zip(case.steps, expected, strict=True):
                if step.request.observation == "build":
                    has_summary = bool(step.request.arguments["summary"])
                    seen[has_summary].add(isinstance(seen_of_it, Refused))
        assert all(False in kinds for kinds in seen.values()), (name, dict(seen))


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_cell_holds_what_is_expected(variant: int) -> None:
    """What a call returns is in no source: only what the reference makes of it is compared."""
    for station in checks(variant):
        for cell in station.cells:
            assert cell.expected not in cell.source
            assert cell.expected not in json.dumps([r.to_json() for r in requests_in(cell)[1]])


def test_expectations_differ_from_variant_to_variant() -> None:
    one, other = (
        [
            cell.expected
            for station in checks(variant)
            for cell in station.cells
            if "returned" in cell.expected
        ]
        for variant in (1, 2)
    )
    assert not set(one) & set(other)


def test_the_document_is_a_notebook_that_nbval_reads() -> None:
    import nbformat

    stations = graded_notebook.plan(COURSE, 5)
    notebook = nbformat.reads(graded_notebook.document(stations), as_version=4)
    nbformat.validate(notebook)
    assert len(notebook.cells) == sum(len(station.cells) for station in stations)


def test_a_bench_observes_the_same_as_a_check() -> None:
    """Step by step, names looked for, the graded cells show what `check` observes."""
    from coursekit.grading.runner import StationResult
    from coursekit.grading.verdict import _observations

    for station in checks(7):
        assert station.case is not None
        again = bench.Bench(OBSERVATIONS, COURSE.reference_module)
        shown = [again.look(cell.source.removeprefix("look('")[:-2]) for cell in station.cells]
        assert [each.observed for each in shown] == [cell.expected for cell in station.cells]
        seen = StationResult(
            verdicts=[True] * len(station.cells),
            observed=[each.observed for each in shown],
            said=[each.said for each in shown],
            notes=[each.notes for each in shown],
        )
        observed = _observations(station, seen)
        pairs = zip(station.case.steps, station.expected, observed, strict=True)
        assert all(agrees(*each) for each in pairs)
