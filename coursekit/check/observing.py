"""The host of observations: runs one request beside the answers and says what came.

The standard library alone, for this file runs where answers run. What a course looks at
stands in its `observations.py`: functions that take a `Look` and return JSON. Here each is
called, and its end becomes an `Observation`: what happened, never whether that is right.
The names that a refusal must hold are never here.
"""

import linecache
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.machinery import SourceFileLoader
from types import ModuleType, TracebackType
from typing import TYPE_CHECKING, NamedTuple

from coursekit.check.protocol import (
    JsonObject,
    JsonValue,
    Note,
    Observation,
    Place,
    Raised,
    Refused,
    Request,
    Returned,
    Skipped,
    Unwritten,
)

if TYPE_CHECKING:
    from typing import Protocol
else:
    Protocol = object  # only types need it, and answers would wait for it

LONGEST = 100_000
"""Characters of a text that are looked at; no case has any that is nearly as long."""

TAMPER = "tamper"
"""The one observation that every course has: change something, then look at another."""

NOT_DONE = "LabNotDone"
"""The class of the error that a stub raises."""

FindModule = Callable[[str], object]
"""Returns an answer module by name, or raises what importing it raises."""


class Look(NamedTuple):
    """One request on its way: arguments, what earlier steps made, and the answers.

    `held` has things by name, for later steps of the same case to look at.
    """

    arguments: JsonObject
    held: dict[str, object]
    module: FindModule


Observe = Callable[[Look], JsonValue]


class Observations(Protocol):
    """What a course's `observations.py` defines."""

    OBSERVATIONS: Mapping[str, Observe]
    """Each observation by the name that requests give it."""

    SHOWN: Mapping[str, Callable[[object], JsonValue]]
    """How each thing that steps hold is shown once more, after a change elsewhere."""

    FETCHED: Mapping[str, Callable[[dict[str, object]], object]]
    """What must be asked for again before it is shown, by name."""

    MODULES: Sequence[str]
    """The files of the answers, such as `session.py`."""

    FUNCTIONS: Sequence[str]
    """The functions that the labs ask for."""

    def is_from_starter(self, function: str) -> bool:
        """Whether a function of the answer modules came with the starters."""
        ...


@cache
def load_observations(path: str | os.PathLike[str]) -> Observations:
    """A course's `observations.py`, loaded from its file."""
    # Without `importlib.util`, which a fresh process would take some milliseconds to import.
    module = ModuleType("observations")
    SourceFileLoader(module.__name__, os.fspath(path)).exec_module(module)
    loaded: Observations = module
    return loaded


def observe(
    request: Request, held: dict[str, object], find: FindModule, course: Observations
) -> Observation:
    """Run one request; `find("session")`, say, returns that module of the answers."""
    look = Look(request.arguments, held, find)
    tampers = request.observation == TAMPER
    try:
        if tampers:
            return Returned(_tamper(look, course))
        return Returned(course.OBSERVATIONS[request.observation](look))
    except ValueError as error:
        hidden = error.__suppress_context__
        cause = error.__cause__ or (not hidden and error.__context__) or ""
        return Refused(_text(error), _text(cause), _note(error, course))
    except (Exception, SystemExit) as error:
        kind = type(error).__name__
        where = str(request.arguments.get("in")) if tampers else ""
        shown = request.arguments.get("show")
        if tampers and not {where, shown} <= held.keys():  # the call before returned nothing
            return Skipped(where, _note(error, course))
        note = _note(error, course, type(held[where]).__name__ if tampers else "")
        return Unwritten(note) if kind == NOT_DONE else Raised(kind, note)


def hide_coursekit() -> None:
    """Take what was imported from coursekit out of the reach of answers.

    Modules that are loaded go on working; an answer's `import coursekit` finds none.
    """
    for name in [each for each in sys.modules if each.partition(".")[0] == "coursekit"]:
        del sys.modules[name]


def revive(value: JsonValue) -> object:
    """The value that an argument means: a copy, with what JSON can't say put in."""
    if isinstance(value, list):
        return [revive(item) for item in value]
    if isinstance(value, dict):
        if set(value) == {"python"}:
            return {"nan": float("nan"), "inf": float("inf"), "huge": 10**400}[str(value["python"])]
        return {key: revive(item) for key, item in value.items()}
    return value


def exact(value: object) -> JsonValue:
    """The value if it is exact JSON, whole floats as ints; else what it is instead."""
    kind = type(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str) and kind is str:
        return value if len(value) <= LONGEST else {"python": "str"}
    if isinstance(value, int) and kind is int:  # beyond a float's reach it is too long to show
        return value if value.bit_length() <= 1024 else {"python": "int"}
    if isinstance(value, float) and kind is float:
        return int(value) if value.is_integer() else value
    if isinstance(value, list) and kind is list:
        return [exact(item) for item in value]
    if isinstance(value, dict) and kind is dict and all(type(key) is str for key in value):
        return {key: exact(item) for key, item in value.items()}
    return {"python": kind.__name__}


def _tamper(look: Look, course: Observations) -> JsonValue:
    """Change lists and dicts inside something held, then show another thing again."""
    where, shown, mark = (str(look.arguments[key]) for key in ("in", "show", "with"))
    places = look.arguments["at"]
    assert isinstance(places, list)
    for place in places:
        assert isinstance(place, list)
        spot = look.held[where]
        for key in place:
            spot = _inner(spot, key)
        if isinstance(spot, list):
            spot.append(mark)
        elif isinstance(spot, dict):
            spot[mark] = mark
    if shown in course.FETCHED:
        look.held[shown] = course.FETCHED[shown](look.held)
    return course.SHOWN[shown](look.held[shown])


def _inner(spot: object, key: JsonValue) -> object:
    if isinstance(spot, list | tuple | dict):
        return spot[key]  # type: ignore[index]  # a wrong kind of key is an observation, too
    return getattr(spot, str(key))


# --- notes: wording for the reader ------------------------------------------------


def _note(error: BaseException, course: Observations, held: str = "") -> Note:
    """The error in words, and the newest line of the answer in it."""
    newest, callers = _trace(error.__traceback__, course)
    place, text = newest, _cut(_text(error), 500)
    if isinstance(error, SyntaxError) and error.filename:
        place = _place(error.filename, error.lineno or 0, course) or place
        text = error.msg
    callers = [each for each in callers if place and each.file != place.file]
    name, module = _missed(error)
    return Note(
        error=type(error).__name__,
        text=text,
        name=name,
        module=module,
        place=place,
        caller=callers[-1] if callers else None,
        held=held,
    )


def _trace(frame: TracebackType | None, course: Observations) -> tuple[Place | None, list[Place]]:
    """The answer's newest line in a traceback, and those in the labs' functions, oldest first."""
    newest: Place | None = None
    callers: list[Place] = []
    while frame is not None:
        code = frame.tb_frame.f_code
        place = _place(code.co_filename, frame.tb_lineno, course)
        if place is not None:
            if code.co_name in course.FUNCTIONS:
                callers.append(place)
            # A starter's function that refused does as it should; its caller's line says more.
            if newest is None or not course.is_from_starter(code.co_name):
                newest = place
        frame = frame.tb_next
    return newest, callers


def _place(path: str, line: int, course: Observations) -> Place | None:
    file = os.path.basename(path)
    if file not in course.MODULES:
        return None
    return Place(file, line, _cut(linecache.getline(path, line).strip(), 200))


def _missed(error: BaseException) -> tuple[str, str]:
    """The name that Python did not find, and the module in which it looked, if any."""
    if isinstance(error, ModuleNotFoundError):
        return "", str(error.name or "")
    if isinstance(error, NameError):
        return str(error.name or ""), ""
    if isinstance(error, AttributeError) and isinstance(error.obj, ModuleType):
        return str(error.name or ""), error.obj.__name__
    return "", ""


def _text(error: object) -> str:
    """What an error says, in a string that can't be of a class of its own."""
    try:
        return str.__str__(str(error))[:LONGEST]
    except Exception:  # it can't even be shown
        return ""


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]} …"
