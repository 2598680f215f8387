"""The graded notebook: a course's checks as cells, with what the reference observes.

A cell's source is one generic line around JSON. Calls of a check stand in few cells; a
step that changes what a call returned stands in a later one. The names that refusals must
hold are in no cell: nothing sets a call to accept apart from one to refuse, and what a refusal
says is looked at when it has come out.
"""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from coursekit.check.case import Case
from coursekit.check.course import Course
from coursekit.check.observing import TAMPER, Observations, load_observations
from coursekit.check.protocol import JsonObject, JsonValue, Observation, Refused, Returned
from coursekit.check.report import expect
from coursekit.grading.sandbox.inside.bench import NOTE, OBSERVED, REFUSALS, Bench, packed

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

    `module` is the file of the answers that it needs. `expected` is what the
    reference shows at each step of the check's case.
    """

    name: str
    module: str
    cells: tuple[Cell, ...]
    case: Case | None = None
    expected: tuple[Observation, ...] = ()

    @property
    def is_check(self) -> bool:
        """Whether this is a check."""
        return self.case is not None


def plan(course: Course, variant: int) -> list[Station]:
    """All stations of a variant in their order: each module, then the checks that need it."""
    observations = load_observations(course.observations)
    stations: list[Station] = []
    for module, labs in groupby(course.labs, lambda lab: lab.module):
        stations.append(_loading(module))
        names = [check.name for lab in labs for check in lab.checks]
        stations += [_check(course, name, variant, observations) for name in names]
    return stations


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


def _code_cell(number: int, cell: Cell) -> JsonObject:
    data: JsonObject = {OBSERVED: cell.expected, REFUSALS: "", NOTE: "", "text/plain": "observed"}
    shown: JsonObject = {
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


def _loading(file: str) -> Station:
    module = file.removesuffix(".py")
    return Station(module, file, (Cell(f"load({module!r})", json.dumps("loaded")),))


def _check(course: Course, name: str, variant: int, observations: Observations) -> Station:
    """A check's cells, observed with the reference."""
    case = course.case(name, variant)
    bench = Bench(observations, course.reference_module)
    expected = expect(course, case, observations)
    cells: list[Cell] = []
    for steps in _cuts(case, expected):
        requests: list[JsonValue] = [case.steps[at].request.to_json() for at in steps]
        text = packed({"fresh": not cells, "requests": requests})
        cells.append(Cell(f"look({text!r})", bench.look(text).observed, steps))
    return Station(name, course.lab_of(name).module, tuple(cells), case, tuple(expected))


def _cuts(case: Case, expected: Sequence[Observation]) -> list[tuple[int, ...]]:
    """The steps of each cell: a cut before each step that changes what a call returned.

    The call before such a step is one to accept, and stands last in its cell. So that
    standing last means nothing, calls to refuse are put last as often.
    """
    looks = [step.request.observation == TAMPER for step in case.steps]
    last = {at for at, then in enumerate(looks[1:]) if then and not looks[at]}
    forced = len(last)
    refused = [at for at, seen in enumerate(expected) if isinstance(seen, Refused)]
    if forced and refused:
        accepted = sum(
            isinstance(seen, Returned) and not look
            for seen, look in zip(expected, looks, strict=True)
        )
        share = min(-(-forced * len(refused) // accepted), len(refused))
        last |= set(random.Random(f"{case.check} {case.variant}").sample(refused, share))
    cells: list[tuple[int, ...]] = []
    start = 0
    for at in range(len(looks)):
        if at in last or at == len(looks) - 1:
            cells.append(tuple(range(start, at + 1)))
            start = at + 1
    return cells
