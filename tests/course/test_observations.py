"""Observations: exact builtin types alone come out, and each thing by its own observation."""

import json

import pytest

from coursekit.check.observing import Look, load_observations, observe
from coursekit.check.protocol import Raised, Refused, Request, Returned
from coursekit.course import COURSE
from coursekit.transcripts import opening

OBSERVATIONS = load_observations(COURSE.observations)
TRANSCRIPT = opening()


def test_each_observation_is_made_of_by_some_check() -> None:
    made = {
        step.request.observation
        for lab in COURSE.labs
        for check in lab.checks
        for step in COURSE.case(check.name, 0).steps
    }
    assert made == {*OBSERVATIONS.OBSERVATIONS, "tamper"}


def test_what_it_calls_the_labs_functions_is_what_the_manifest_calls_them() -> None:
    assert set(OBSERVATIONS.FUNCTIONS) == {lab.function for lab in COURSE.labs}
    assert tuple(OBSERVATIONS.MODULES) == COURSE.modules


@pytest.mark.parametrize("name", ["read_object", "parse_session_entry", "_raw_entry", "_told"])
def test_a_starters_function_is_none_of_the_learners(name: str) -> None:
    assert OBSERVATIONS.is_from_starter(name)
    assert not any(OBSERVATIONS.is_from_starter(each) for each in OBSERVATIONS.FUNCTIONS)


def test_groups_are_shown_by_ids_and_what_messages_say() -> None:
    held: dict[str, object] = {}
    request = Request("group", {"path": [*TRANSCRIPT.groups[0]]})
    seen = observe(request, held, COURSE.reference_module, OBSERVATIONS)
    assert seen == Returned(
        [
            [
                {"id": "u1", "role": "user", "content": [{"text": TEXTS[0]}]},
                {"id": "a1", "role": "assistant", "content": [{"text": TEXTS[1]}]},
            ]
        ]
    )
    assert {"path", "groups"} == set(held)


TEXTS = ["check how the session is restored", "only the chosen branch is restored"]
"""What the opening transcript's first interaction says."""


def test_an_objects_own_class_does_not_come_out() -> None:
    class Name(str):
        pass

    class Group:
        def __init__(self, entries: list[object]) -> None:
            self.entries = entries

    entry = type("Entry", (), {"id": Name("u1"), "type": "metadata"})()
    shown = OBSERVATIONS.SHOWN["groups"]([Group([entry])])
    assert json.loads(json.dumps(shown)) == [[{"id": {"python": "Name"}}]]


def test_refusals_and_other_errors_are_kept_apart() -> None:
    record = TRANSCRIPT.compaction
    bad = Request("parse", {"value": {**record, "tokensBefore": -1}})
    seen = observe(bad, {}, COURSE.reference_module, OBSERVATIONS)
    assert isinstance(seen, Refused)
    assert f"{record['id']}.tokensBefore" in seen.text

    def missing(name: str) -> object:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    seen = observe(bad, {}, missing, OBSERVATIONS)
    assert isinstance(seen, Raised)
    assert seen.note.module == "session"


def test_the_next_steps_find_what_an_observation_held() -> None:
    look = Look({"value": TRANSCRIPT.compaction}, {}, COURSE.reference_module)
    OBSERVATIONS.OBSERVATIONS["parse"](look)
    assert {"input", "entry"} == set(look.held)
