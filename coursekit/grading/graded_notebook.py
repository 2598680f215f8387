"""The graded notebook: the 14 checks as cells, with what the reference observes.

A cell's source is one generic line around JSON. Calls of a check stand in few cells;
a step that changes what a call returned stands in a later one. The names that refusals
must hold are in no cell: nothing distinguishes a call to accept from one to refuse, and what a
refusal says is looked at when it has come out.
"""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import groupby
from typing import Any

from coursekit.grading.sandbox.inside.bench import NOTE, OBSERVED, REFUSALS, Bench, packed
from coursekit.workbook import manifest, observer
from coursekit.workbook.cases import Case, build
from coursekit.workbook.checks import expect
from coursekit.workbook.stubs import MODULES

KERNEL_NAME = "coursekit-walled"
"""The kernel that the graded notebook names."""


@dataclass(frozen=True)
class Cell:
    """One cell: its source, what the reference shows, and the case's steps in it."""

    source: str
    expected: str
    steps: tuple[int, ...] = ()


@dataclass(frozen=True)
class Station:
    """What runs and ends together: a module to load, or a check.

    `expected` is what the reference shows for each step of the check's case.
    """

    name: str
    cells: tuple[Cell, ...]
    case: Case | None = None
    expected: tuple[dict[str, Any], ...] = ()

    @property
    def is_check(self) -> bool:
        """Whether this is one of the 14."""
        return self.case is not None


def plan(variant: int) -> list[Station]:
    """All stations of a variant in their order: each module, then the checks that need it."""
    stations: list[Station] = []
    for file, labs in groupby(manifest.labs(), lambda lab: lab.module):
        stations.append(_loading(file.removesuffix(".py")))
        stations += [_check(check.name, variant) for lab in labs for check in lab.checks]
    return stations


def needs(station: Station, module: str) -> bool:
    """Whether a station can't do without an answer module: each imports those before it."""
    own = manifest.lab_of(station.name).module if station.is_check else f"{station.name}.py"
    return MODULES.index(f"{module}.py") <= MODULES.index(own)


def document(stations: Sequence[Station]) -> str:
    """The notebook of these stations as JSON; the kernel that it names has the bench ready."""
    cells = [
        _code_cell(number, cell)
        for number, cell in enumerate(cell for station in stations for cell in station.cells)
    ]
    kernel = {"name": KERNEL_NAME, "display_name": "Walled", "language": "python"}
    return json.dumps(
        {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    )


def _code_cell(number: int, cell: Cell) -> dict[str, Any]:
    data = {OBSERVED: cell.expected, REFUSALS: "", NOTE: "", "text/plain": "observed"}
    shown = {
        "output_type": "execute_result",
        "execution_count": 1,
        "metadata": {},
        "data": data,
    }
    return {
        "cell_type": "code",
        "id": f"cell-{number}",
        "metadata": {},
        "execution_count": 1,
        "source": cell.source,
        "outputs": [shown],
    }


def _loading(module: str) -> Station:
    return Station(module, (Cell(f"load({module!r})", json.dumps("loaded")),))


def _check(name: str, variant: int) -> Station:
    """A check's cells, observed with the reference."""
    case = build(name, variant)
    bench = Bench(observer, lambda module: import_module(f"coursekit.{module}"))
    expected = expect(case)
    cells: list[Cell] = []
    for steps in _cuts(case, expected):
        asks = [_call(case.steps[at].ask) for at in steps]
        text = packed({"fresh": not cells, "asks": asks})
        cells.append(Cell(f"look({text!r})", bench.look(text).observed, steps))
    return Station(name, tuple(cells), case, tuple(expected))


def _call(ask: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in ask.items() if key not in ("names", "causes")}


def _cuts(case: Case, expected: Sequence[dict[str, Any]]) -> list[tuple[int, ...]]:
    """The steps of each cell: a cut before each step that changes what a call returned.

    The call before such a step is one to accept, and stands last in its cell. So that
    standing last says nothing, calls to refuse are put last as often.
    """
    kinds = [
        "look" if step.ask["do"] == "tamper" else _kind(seen)
        for step, seen in zip(case.steps, expected, strict=True)
    ]
    last = {at for at, then in enumerate(kinds[1:]) if then == "look" != kinds[at]}
    forced = len(last)
    refused = [at for at, kind in enumerate(kinds) if kind == "refused"]
    if forced and refused:
        share = -(-forced * len(refused) // kinds.count("returned"))
        last |= set(
            random.Random(f"{case.check} {case.variant}").sample(refused, min(share, len(refused)))
        )
    cells: list[tuple[int, ...]] = []
    start = 0
    for at in range(len(kinds)):
        if at in last or at == len(kinds) - 1:
            cells.append(tuple(range(start, at + 1)))
            start = at + 1
    return cells


def _kind(observation: dict[str, Any]) -> str:
    return "refused" if "refused" in observation else "returned"
