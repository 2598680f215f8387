"""The bench on which answers are observed, one notebook cell at a time.

A cell is one of two lines, and what it holds is JSON, packed:

    load("session")     import an answer module
    look('...')         the requests of one or more steps: call, and show what came

What a cell shows has three parts. `OBSERVED` is compared elsewhere. `REFUSALS` is what
each refusal and its cause say; which names they must hold is asked elsewhere, and never
known here. `NOTE` is wording for a reader. Nothing here knows what is right.
"""

import base64
import importlib
import json
import zlib
from types import TracebackType

from coursekit.check.observing import FindModule, Observations, observe
from coursekit.check.protocol import (
    JsonObject,
    JsonValue,
    Refused,
    Request,
    Returned,
    note_of,
    observation_to_json,
)

OBSERVED = "application/vnd.coursekit.observed"
REFUSALS = "application/vnd.coursekit.refusals"
NOTE = "application/vnd.coursekit.note"

LARGEST = 200_000
"""Characters that one cell may show."""

LARGEST_REFUSALS = 1_000_000
"""Characters that the refusals of one cell may say together; above it each is cut."""

_SHORT = 1_000

# Held on to, for answers put functions of their own in the place of json's.
_encode = json.JSONEncoder(sort_keys=True).encode
_decode = json.JSONDecoder().decode


class Shown:
    """A cell's result in its three parts, each one text."""

    def __init__(
        self, observed: JsonValue, refusals: list[list[str] | None], notes: JsonValue
    ) -> None:
        self.observed = canonical(observed)
        self.refusals = _refusals_text(refusals)
        self.notes = canonical(notes)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {OBSERVED: self.observed, REFUSALS: self.refusals, NOTE: self.notes}

    def __repr__(self) -> str:
        return "observed"


def canonical(value: JsonValue) -> str:
    """One text for equal JSON values; a text too long to be right is left out."""
    text = _encode(value)
    return text if len(text) <= LARGEST else _encode({"too long": True})


def _refusals_text(refusals: list[list[str] | None]) -> str:
    """What refusals say as JSON, whole if there is room, else the beginning of each."""
    text = _encode(refusals)
    if len(text) <= LARGEST_REFUSALS:
        return text
    return _encode([each and [words[:_SHORT] for words in each] for each in refusals])


def packed(cell: JsonObject) -> str:
    """JSON in few characters, for every cell's source is looked at and sent on as a whole."""
    return base64.b64encode(zlib.compress(_encode(cell).encode())).decode()


def unpacked(text: str) -> tuple[bool, list[Request]]:
    """What a cell holds: whether a new check begins, and the requests."""
    cell = _decode(zlib.decompress(base64.b64decode(text)).decode())
    requests = [Request(each["observation"], each["arguments"]) for each in cell["requests"]]
    return cell["fresh"], requests


class Bench:
    """Answers on the bench: what the steps of the check under way have made so far."""

    def __init__(
        self, observations: Observations, find: FindModule = importlib.import_module
    ) -> None:
        self._observations = observations
        self._find = find
        self._modules: dict[str, object] = {}
        self._failed: dict[str, tuple[BaseException, TracebackType | None]] = {}
        self._held: dict[str, object] = {}

    def load(self, name: str) -> Shown:
        """Import a module now, so that a check's time is its own."""
        try:
            self._module(name)
        except BaseException as error:
            return Shown("loaded", [], [{"error": type(error).__name__}])
        return Shown("loaded", [], [])

    def look(self, text: str) -> Shown:
        """Take the steps of a cell."""
        fresh, requests = unpacked(text)
        if fresh:
            self._held = {}
        observed: list[JsonValue] = []
        refusals: list[list[str] | None] = []
        notes: list[JsonValue] = []
        for request in requests:
            seen = observe(request, self._held, self._module, self._observations)
            if isinstance(seen, Refused):
                observed.append({"refused": True})
                refusals.append([seen.text, seen.cause])
            else:
                shown = observation_to_json(seen)
                observed.append({key: shown[key] for key in shown if key != "note"})
                refusals.append(None)
            notes.append(None if isinstance(seen, Returned) else note_of(seen).to_json())
        return Shown(observed, refusals, notes)

    def _module(self, name: str) -> object:
        """An answer module; one that can't be imported fails the same way each time."""
        if name not in self._modules and name not in self._failed:
            try:
                self._modules[name] = self._find(name)
            except BaseException as error:
                self._failed[name] = (error, error.__traceback__)
        if name in self._failed:
            failure, traceback = self._failed[name]
            raise failure.with_traceback(traceback)
        return self._modules[name]
