"""Cases: equal for equal numbers, good JSON, and alike whether accepted or refused."""

import json

import pytest

from coursekit.check.observing import TAMPER, load_observations
from coursekit.check.outcome import compared_json
from coursekit.check.protocol import JsonObject, Observation, Refused, Returned
from coursekit.check.report import checks_of, expect
from coursekit.course import COURSE

CHECKS = [check.name for check in checks_of(COURSE)]
OBSERVATIONS = load_observations(COURSE.observations)


def expected(name: str, variant: int) -> list[Observation]:
    """What the reference's answers give for the steps of a case."""
    return expect(COURSE, COURSE.case(name, variant), OBSERVATIONS)


@pytest.mark.parametrize("name", CHECKS)
@pytest.mark.parametrize("variant", [0, 1, 77])
def test_equal_numbers_make_equal_cases_that_json_can_say(name: str, variant: int) -> None:
    requests = [step.request.to_json() for step in COURSE.case(name, variant).steps]
    assert requests == [step.request.to_json() for step in COURSE.case(name, variant).steps]
    assert json.loads(json.dumps(requests, allow_nan=False)) == requests


@pytest.mark.parametrize("name", CHECKS)
def test_every_case_holds_calls_to_accept_and_calls_to_refuse(name: str) -> None:
    for variant in range(6):
        assert {type(seen) for seen in expected(name, variant)} == {Returned, Refused}


@pytest.mark.parametrize("name", CHECKS)
def test_an_expected_refusal_holds_every_name_and_cause_that_it_must(name: str) -> None:
    for variant in range(6):
        steps = COURSE.case(name, variant).steps
        for step, seen in zip(steps, expected(name, variant), strict=True):
            if isinstance(seen, Refused):
                assert step.names, step.call
                assert step.named(seen) == [forms[0] for forms in step.names], step.call
                assert step.caused(seen) == [*step.causes], step.call
            else:
                assert not step.names, step.call


@pytest.mark.parametrize("name", CHECKS)
def test_no_name_and_no_cause_crosses_to_the_answers(name: str) -> None:
    """What a refusal must hold stays on the side that no answer runs on."""
    for variant in range(1, 120):
        for step in COURSE.case(name, variant).steps:
            crossing = step.request.to_json()
            assert crossing.keys() == {"observation", "arguments"}
            assert not {"names", "causes"} & step.request.arguments.keys()


@pytest.mark.parametrize("name", CHECKS)
def test_arguments_do_not_show_a_call_to_accept_from_one_to_refuse(name: str) -> None:
    """Whatever arguments a call to refuse has, some call to accept has, too."""
    accepted: set[tuple[str, frozenset[str]]] = set()
    refused: set[tuple[str, frozenset[str]]] = set()
    for variant in range(1, 120):
        steps = COURSE.case(name, variant).steps
        for step, seen in zip(steps, expected(name, variant), strict=True):
            if step.request.observation != TAMPER:
                looks = (step.request.observation, frozenset(step.request.arguments))
                (accepted if isinstance(seen, Returned) else refused).add(looks)
    assert refused <= accepted


def test_there_are_fourteen() -> None:
    # As the checkpoint's evidence in labs.toml says: 3/3, 3/3, 3/3, 2/2, 3/3.
    assert [len(lab.checks) for lab in COURSE.labs] == [3, 3, 3, 2, 3]


@pytest.mark.parametrize("name", CHECKS)
def test_refusals_are_in_another_place_in_another_variant(name: str) -> None:
    orders = {
        tuple(isinstance(seen, Refused) for seen in expected(name, variant))
        for variant in range(1, 30)
    }
    assert len(orders) > 1


@pytest.mark.parametrize("name", CHECKS)
def test_running_a_case_changes_nothing_of_it(name: str) -> None:
    case = COURSE.case(name, 5)

    def compared() -> list[JsonObject]:
        seen = expect(COURSE, case, OBSERVATIONS)
        return [compared_json(*pair) for pair in zip(case.steps, seen, strict=True)]

    before = json.dumps([step.request.to_json() for step in case.steps])
    first = compared()
    assert json.dumps([step.request.to_json() for step in case.steps]) == before
    assert compared() == first


def test_no_message_names_a_required_id_by_chance() -> None:
    """ "calls made twice: read-1" names no entry, though an entry of the opening is so called."""
    for step in COURSE.case("11.2/3", 0).steps:
        assert "calls" not in [form for forms in step.names for form in forms]


def test_every_rule_and_call_is_a_sentence_or_a_clause() -> None:
    for variant in (0, 3):
        for check in CHECKS:
            for step in COURSE.case(check, variant).steps:
                assert step.rule.text.endswith(".")
                assert not step.call.endswith(".")
