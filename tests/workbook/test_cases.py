"""The cases themselves: what crosses, how accepted and refused calls mix, and the rules."""

import json
from importlib import import_module
from typing import Any

import pytest

from coursekit.workbook import manifest
from coursekit.workbook.cases import Case, build
from coursekit.workbook.checks import expect, observe_case

CHECKS = [check.name for lab in manifest.labs() for check in lab.checks]
VARIANTS = [0, 1, 2, 77, 2**64]


def _reference(name: str) -> Any:
    return import_module(f"coursekit.{name}")


def _outcomes(case: Case) -> list[str]:
    """How the reference ends each step that is a call: returned, or refused."""
    seen = zip(case.steps, expect(case), strict=True)
    return [next(iter(told)) for step, told in seen if step.ask["do"] != "tamper"]


def test_there_are_fourteen() -> None:
    # seed 003: 14 tests, 3/3, 3/3, 3/3, 2/2, 3/3.
    assert [len(lab.checks) for lab in manifest.labs()] == [3, 3, 3, 2, 3]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("check", CHECKS)
def test_a_case_is_json_and_the_same_for_the_same_variant(check: str, variant: int) -> None:
    asks = [step.ask for step in build(check, variant).steps]
    text = json.dumps(asks, allow_nan=False)
    assert json.loads(text) == asks
    assert json.dumps([step.ask for step in build(check, variant).steps]) == text


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("check", CHECKS)
def test_each_check_mixes_calls_to_accept_and_to_refuse(check: str, variant: int) -> None:
    assert set(_outcomes(build(check, variant))) == {"returned", "refused"}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("check", CHECKS)
def test_the_reference_names_all_that_a_refusal_must_name(check: str, variant: int) -> None:
    case = build(check, variant)
    for step, told in zip(case.steps, expect(case), strict=True):
        if "refused" in told:
            assert told["refused"] == [forms[0] for forms in step.ask["names"]], step.call
            assert told.get("cause", []) == step.ask.get("causes", []), step.call


@pytest.mark.parametrize("check", CHECKS)
def test_refusals_are_in_another_place_in_another_variant(check: str) -> None:
    orders = {tuple(_outcomes(build(check, variant))) for variant in range(1, 30)}
    assert len(orders) > 1


@pytest.mark.parametrize("check", CHECKS)
def test_running_a_case_changes_nothing_of_it(check: str) -> None:
    case = build(check, 5)
    before = json.dumps([step.ask for step in case.steps])
    first = observe_case(case, _reference)
    assert json.dumps([step.ask for step in case.steps]) == before
    assert observe_case(case, _reference) == first


@pytest.mark.parametrize("check", CHECKS)
def test_every_call_names_something(check: str) -> None:
    # A call without required names would tell that it is to be accepted.
    assert all(step.ask["names"] for step in build(check, 3).steps)
