"""The host of observations: how a call ended, with a note of where."""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from coursekit.check.observing import (
    LONGEST,
    TAMPER,
    Look,
    Observe,
    exact,
    hide_coursekit,
    load_observations,
    observe,
    revive,
)
from coursekit.check.protocol import (
    JsonObject,
    JsonValue,
    Observation,
    Raised,
    Refused,
    Request,
    Returned,
    Skipped,
    Unwritten,
)
from coursekit.course import COURSE


class LabNotDone(NotImplementedError):
    """As a starter defines it."""


class ACourse:
    """Observations of one function, `act`, in a file of answers called `act.py`."""

    MODULES: Sequence[str] = ("act.py",)
    FUNCTIONS: Sequence[str] = ("act",)

    def __init__(self) -> None:
        self.OBSERVATIONS: Mapping[str, Observe] = {"act": self._act}
        self.SHOWN: Mapping[str, Callable[[Any], JsonValue]] = {"result": exact, "store": exact}
        self.FETCHED: Mapping[str, Callable[[dict[str, object]], object]] = {
            "store": lambda held: held["result"]
        }

    def is_from_starter(self, function: str) -> bool:
        return function.startswith("read_")

    def _act(self, look: Look) -> JsonValue:
        module: Any = look.module("act")
        result = module.act(look.arguments["value"])
        look.held["result"] = look.held["store"] = result
        return exact(result)


def act(body: str, held: dict[str, object] | None = None) -> Observation:
    """What is observed of a call of a function with this body."""
    module = ModuleType("act")
    module.__dict__["LabNotDone"] = LabNotDone
    text = f"def read_it(value):\n    raise ValueError('read')\n\ndef act(value):\n    {body}\n"
    exec(compile(text, "/somewhere/act.py", "exec"), module.__dict__)
    held = {} if held is None else held
    return observe(Request("act", {"value": [1, {"a": 2}]}), held, lambda name: module, ACourse())


def test_what_returns_is_returned() -> None:
    assert act("return value") == Returned([1, {"a": 2}])
    assert act("return None") == Returned(None)


def test_a_value_error_is_a_refusal_with_its_cause() -> None:
    assert act("raise ValueError('no')")[:2] == ("no", "")
    chained = act("raise ValueError('no') from KeyError('why')")
    assert isinstance(chained, Refused)
    assert chained[:2] == ("no", "'why'")
    meanwhile = "try:\n        {}['x']\n    except KeyError:\n        raise ValueError('no')"
    assert act(meanwhile)[:2] == ("no", "'x'")
    assert act(f"{meanwhile} from None")[:2] == ("no", "")


def test_other_errors_are_raised_and_a_stub_is_unwritten() -> None:
    missing = act("return {}['x']")
    assert isinstance(missing, Raised)
    assert missing.error == "KeyError"
    left = act("raise SystemExit('bye')")
    assert isinstance(left, Raised)
    assert left.error == "SystemExit"
    stub = act("raise LabNotDone('Lab 1: act')")
    assert isinstance(stub, Unwritten)
    assert stub.note.text == "Lab 1: act"


def test_an_interrupt_ends_the_process() -> None:
    with pytest.raises(KeyboardInterrupt):
        act("raise KeyboardInterrupt")


def test_a_note_has_the_place_and_the_name_that_was_missed() -> None:
    raised = act("return valeu")
    assert isinstance(raised, Raised)
    assert (raised.note.error, raised.note.name) == ("NameError", "valeu")
    assert raised.note.place is not None
    assert (raised.note.place.file, raised.note.place.line) == ("act.py", 5)
    refused = act("return read_it(value)")
    assert isinstance(refused, Refused)
    assert refused.note.place is not None
    assert refused.note.place.line == 5, "not the line of what came with the starter"


def tampered(
    held: dict[str, object], at: list[JsonValue], show: str = "result", where: str = "result"
) -> Observation:
    arguments: JsonObject = {"in": where, "at": at, "with": "mark", "show": show}
    request = Request(TAMPER, arguments)
    return observe(request, held, lambda name: None, ACourse())


def test_a_change_is_made_at_its_places_and_seen_where_it_shows() -> None:
    held: dict[str, object] = {}
    act("return value", held)
    assert tampered(held, [[], [1]]) == Returned([1, {"a": 2, "mark": "mark"}, "mark"])


def test_what_must_be_fetched_is_fetched_before_it_is_shown() -> None:
    held: dict[str, object] = {}
    act("return value", held)
    held["store"] = "an older one"
    assert tampered(held, [[]], show="store") == Returned([1, {"a": 2}, "mark"])


def test_a_place_that_is_not_there_is_raised_with_the_type_that_is_held() -> None:
    raised = tampered({"result": iter(())}, [[0]])
    assert isinstance(raised, Raised)
    assert (raised.error, raised.note.held) == ("AttributeError", "tuple_iterator")


def test_without_what_it_looks_at_it_is_skipped() -> None:
    skipped = tampered({}, [[]])
    assert isinstance(skipped, Skipped)
    assert skipped.needed == "result"


def test_what_is_shown_is_exact_json() -> None:
    class Text(str):
        pass

    shown = exact([True, 2.0, 0.5, Text("a"), (1,), {"k": None}, {1: 2}, "x" * (LONGEST + 1)])
    assert shown == [
        True,
        2,
        0.5,
        {"python": "Text"},
        {"python": "tuple"},
        {"k": None},
        {"python": "dict"},
        {"python": "str"},
    ]
    assert exact(1 << 2000) == {"python": "int"}
    assert json.loads(json.dumps(shown, allow_nan=False)) == shown


def test_what_json_cannot_say_is_revived() -> None:
    value: JsonValue = [{"python": "inf"}, {"a": {"python": "huge"}}, [1]]
    revived = revive(value)
    assert revived == [float("inf"), {"a": 10**400}, [1]]
    nan = revive({"python": "nan"})
    assert nan != nan


def test_an_answer_that_imports_coursekit_afterwards_finds_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = [name for name in sys.modules if name.partition(".")[0] == "coursekit"]
    for name in names:  # to be put back
        monkeypatch.setitem(sys.modules, name, sys.modules[name])
    hide_coursekit()
    assert not [name for name in sys.modules if name.partition(".")[0] == "coursekit"]
    assert act("return 1") == Returned(1)


def test_a_course_s_observations_are_loaded_from_their_file(tmp_path: Path) -> None:
    loaded = load_observations(COURSE.observations)
    assert set(loaded.MODULES) == set(COURSE.modules)
    assert set(loaded.FUNCTIONS) == {lab.function for lab in COURSE.labs}
    assert set(loaded.FETCHED) <= set(loaded.SHOWN)
    assert TAMPER not in loaded.OBSERVATIONS
    with pytest.raises(FileNotFoundError):
        load_observations(tmp_path / "observations.py")
