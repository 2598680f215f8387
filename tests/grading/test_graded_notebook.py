"""The graded notebook: what its cells tell, and what they do not."""

import json
from collections import defaultdict
from itertools import pairwise
from typing import Any

import pytest

from coursekit.grading import graded_notebook
from coursekit.grading.sandbox.inside import bench
from coursekit.workbook import manifest, observer
from coursekit.workbook.cases import build
from coursekit.workbook.checks import expect

VARIANTS = (0, 1, 20_261_130)
CHECKS = [check.name for lab in manifest.labs() for check in lab.checks]


def held(cell: graded_notebook.Cell) -> tuple[str, Any]:
    """A cell's function, and the JSON that it holds."""
    function, _, rest = cell.source.partition("('")
    return function, bench.unpacked(rest.removesuffix("')")) if function != "load" else None


def checks(variant: int) -> list[graded_notebook.Station]:
    return [station for station in graded_notebook.plan(variant) if station.is_check]


def test_all_checks_stand_behind_the_modules_that_they_need() -> None:
    names = [station.name for station in graded_notebook.plan(3)]
    assert [name for name in names if "/" in name] == CHECKS
    assert names[0] == "session"
    assert names[names.index("context") + 1] == "11.2/1"


def test_a_module_that_does_not_load_costs_the_checks_of_what_stands_in_it_or_imports_it() -> None:
    stations = graded_notebook.plan(3)
    assert all(graded_notebook.needs(station, "session") for station in stations)
    spared = [station.name for station in stations if not graded_notebook.needs(station, "context")]
    assert spared == ["session", "11.1/1", "11.1/2", "11.1/3"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_cell_holds_names(variant: int) -> None:
    for station in checks(variant):
        for cell in station.cells:
            function, request = held(cell)
            assert function == "look"
            for ask in request["asks"]:
                assert not {"names", "causes", "call", "rule", "expected"} & set(ask)


@pytest.mark.parametrize("variant", VARIANTS)
def test_each_step_stands_in_one_cell_in_order(variant: int) -> None:
    for station in checks(variant):
        assert station.case is not None
        asks = [ask for cell in station.cells for ask in held(cell)[1]["asks"]]
        kept = [
            {key: value for key, value in step.ask.items() if key not in ("names", "causes")}
            for step in station.case.steps
        ]
        assert asks == kept
        assert [held(cell)[1]["fresh"] for cell in station.cells] == [
            True,
            *[False] * (len(station.cells) - 1),
        ]


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_changes_a_result_comes_in_a_later_cell_than_the_call(variant: int) -> None:
    for station in checks(variant):
        assert station.case is not None
        for cell in station.cells:
            kinds = [station.case.steps[at].ask["do"] for at in cell.steps]
            for before, then in pairwise(kinds):
                assert then != "tamper" or before == "tamper"


def test_standing_last_in_a_cell_does_not_tell_calls_to_accept() -> None:
    """Where some calls must stand last, refused ones do so as often as accepted ones."""
    last, first = defaultdict[bool, int](int), defaultdict[bool, int](int)
    for variant in range(1, 30):
        for station in checks(variant):
            assert station.case is not None
            expected = expect(station.case)
            inner = station.cells[:-1]  # the last cell ends where the check ends
            for cell in inner:
                for at in cell.steps:
                    if station.case.steps[at].ask["do"] != "tamper":
                        count = last if at == cell.steps[-1] else first
                        count["refused" in expected[at]] += 1
    share = last[True] / sum(last.values())
    assert share >= 0.25, (dict(last), dict(first))


def test_a_summary_to_look_for_tells_no_call_to_refuse() -> None:
    """With and without one there are calls to accept: refusing by that earns nothing."""
    for name in CHECKS:
        seen = defaultdict[Any, set[bool]](set)
        for variant in range(1, 30):
            case = build(name, variant)
            for step, expected in zip(case.steps, expect(case), strict=True):
                if step.ask["do"] == "build":
                    seen[bool(step.ask["summary"])].add("refused" in expected)
        assert all(False in kinds for kinds in seen.values()), (name, dict(seen))


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_cell_holds_what_is_expected(variant: int) -> None:
    """What a call returns is in no source: only what the reference makes of it is compared."""
    for station in checks(variant):
        for cell in station.cells:
            assert cell.expected not in cell.source
            assert cell.expected not in json.dumps(held(cell)[1])


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

    stations = graded_notebook.plan(5)
    notebook = nbformat.reads(graded_notebook.document(stations), as_version=4)
    nbformat.validate(notebook)
    assert len(notebook.cells) == sum(len(station.cells) for station in stations)


def test_a_bench_tells_the_same_as_a_check() -> None:
    """Step by step, names looked for, the graded cells show what `check` observes."""
    from importlib import import_module

    from coursekit.grading.runner import StationResult
    from coursekit.grading.verdict import _observations

    for station in checks(7):
        assert station.case is not None
        again = bench.Bench(observer, lambda module: import_module(f"coursekit.{module}"))
        shown = [again.look(cell.source.removeprefix("look('")[:-2]) for cell in station.cells]
        assert [each.observed for each in shown] == [cell.expected for cell in station.cells]
        seen = StationResult(
            verdicts=[True] * len(station.cells),
            observed=[each.observed for each in shown],
            refusals=[each.refusals for each in shown],
            notes=[each.notes for each in shown],
        )
        observations = _observations(station, station.case, seen)
        assert [observer.without_note(each) for each in observations] == expect(station.case)
