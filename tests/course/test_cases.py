"""Cases: equal for equal numbers, good JSON, and alike whether accepted or refused."""

import json
from collections import Counter
from typing import Any

import pytest
from coursekit.workbook.cases import build
from coursekit.workbook.observer import Step

from coursekit.course import COURSE

CHECKS = [check.name for lab in COURSE.labs for check in lab.checks]


@pytest.mark.parametrize("name", CHECKS)
@pytest.mark.parametrize("variant", [0, 1, 77])
def test_equal_numbers_give_equal_cases_that_json_can_say(name: str, variant: int) -> None:
    asks = [step.ask for step in build(name, variant).steps]
    assert asks == [step.ask for step in build(name, variant).steps]
    assert json.loads(json.dumps(asks, allow_nan=False)) == asks


@pytest.mark.parametrize("name", CHECKS)
def test_every_case_holds_calls_to_accept_and_calls_to_refuse(name: str) -> None:
    for variant in range(6):
        ends = {next(iter(seen)) for seen in checks.expect(build(name, variant))}
        assert ends == {"returned", "refused"}


@pytest.mark.parametrize("name", CHECKS)
def test_an_expected_refusal_holds_every_name_that_it_must(name: str) -> None:
    for variant in range(6):
        case = build(name, variant)
        for step, seen in zip(case.steps, checks.expect(case), strict=True):
            if "refused" in seen:
                assert seen["refused"] == [forms[0] for forms in step.ask["names"]], step.call


@pytest.mark.parametrize("name", CHECKS)
def test_names_do_not_tell_a_call_to_accept_from_one_to_refuse(name: str) -> None:
    accepted: Counter[Any] = Counter()
    refused: Counter[Any] = Counter()
    for variant in range(1, 120):
        case = build(name, variant)
        for step, seen in zip(case.steps, checks.expect(case), strict=True):
            if step.ask["do"] != "tamper":
                seen_as = accepted if "returned" in seen else refused
                seen_as[_look(step.ask)] += 1
    assert set(refused) <= set(accepted)


def _look(ask: Step) -> Any:
    """How an ask looks from outside: its keys, and what kinds of names it has."""
    kinds = []
    for forms in ask["names"]:
        stem, _, field = forms[0].partition(".")
        kind = "id" if "-" in stem else stem
        kinds.append((len(forms), kind, field.count(".")))
    return ask["do"], tuple(kinds), len(ask.get("causes", ()))


def test_there_are_fourteen() -> None:
    # seed 003: 14 tests, 3/3, 3/3, 3/3, 2/2, 3/3.
    assert [len(lab.checks) for lab in COURSE.labs] == [3, 3, 3, 2, 3]


@pytest.mark.parametrize("name", CHECKS)
def test_refusals_are_in_another_place_in_another_variant(name: str) -> None:
    orders = {
        tuple("refused" in seen for seen in checks.expect(build(name, variant)))
        for variant in range(1, 30)
    }
    assert len(orders) > 1


@pytest.mark.parametrize("name", CHECKS)
def test_running_a_case_changes_nothing_of_it(name: str) -> None:
    case = build(name, 5)
    before = json.dumps([step.ask for step in case.steps])
    first = checks.expect(case)
    assert json.dumps([step.ask for step in case.steps]) == before
    assert checks.expect(case) == first


def test_no_message_names_a_required_id_by_chance() -> None:
    """ "calls made twice: read-1" names no entry, though an entry of the opening is so called."""
    for step in build("11.2/3", 0).steps:
        assert "calls" not in [form for forms in step.ask["names"] for form in forms]
