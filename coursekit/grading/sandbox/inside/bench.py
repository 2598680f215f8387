"""The bench on which answers are observed, one notebook cell at a time.

A cell is one of two lines, and what it holds is JSON, packed:

    load("session")     import an answer module
    look('...')         the asks of one or more steps: call, and show what came

What a cell shows has three parts. `OBSERVED` is compared elsewhere. `REFUSALS` is what
each refusal and its cause say; which names they must hold is asked elsewhere, and never
known here. `NOTE` is wording for a reader. Nothing here knows what is right.
"""

import base64
import importlib
import json
import zlib
from collections.abc import Callable
from typing import Any

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
    """A cell's result in its three parts."""

    def __init__(self, observed: Any, refusals: Any = None, notes: Any = None) -> None:
        self.observed = canonical(observed)
        self.refusals = _refusals_text(refusals or [])
        self.notes = canonical(notes or [])

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {OBSERVED: self.observed, REFUSALS: self.refusals, NOTE: self.notes}

    def __repr__(self) -> str:
        return "observed"


def canonical(value: Any) -> str:
    """One text for equal JSON values; a text too long to be right is left out."""
    text = _encode(value)
    return text if len(text) <= LARGEST else _encode({"too long": True})


def _refusals_text(refusals: list[list[str] | None]) -> str:
    """What refusals say as JSON, whole if there is room, else the beginning of each."""
    text = _encode(refusals)
    if len(text) <= LARGEST_REFUSALS:
        return text
    return _encode([each and [words[:_SHORT] for words in each] for each in refusals])


def packed(value: Any) -> str:
    """JSON in few characters, for every cell's source is looked at and sent on as a whole."""
    return base64.b64encode(zlib.compress(_encode(value).encode())).decode()


def unpacked(text: str) -> Any:
    """The JSON value that was packed."""
    return _decode(zlib.decompress(base64.b64decode(text)).decode())


class Bench:
    """Answers on the bench: what the steps of the check under way have made so far."""

    def __init__(self, observer: Any, find: Callable[[str], Any] = importlib.import_module) -> None:
        self._observer = observer
        self._find = find
        self._modules: dict[str, Any] = {}
        self._held: dict[str, Any] = {}

    def load(self, name: str) -> Shown:
        """Import a module now, so that a check's time is its own."""
        try:
            self._module(name)
        except BaseException as error:
            return Shown("loaded", notes=[{"error": type(error).__name__}])
        return Shown("loaded")

    def look(self, text: str) -> Shown:
        """Take the steps of a cell; `fresh` says that a new check begins."""
        cell = unpacked(text)
        if cell["fresh"]:
            self._held = {}
        observed = []
        refusals = []
        notes = []
        for ask in cell["asks"]:
            seen = self._observer.attempt(ask, self._held, self._module)
            refusals.append(seen.get("refused"))
            notes.append(seen.get("note"))
            outcome = self._observer.without_note(seen)
            observed.append({"refused": True} if "refused" in outcome else outcome)
        return Shown(observed, refusals, notes)

    def _module(self, name: str) -> Any:
        """An answer module; one that can't be imported fails the same way each time."""
        if name not in self._modules:
            try:
                self._modules[name] = self._find(name)
            except BaseException as error:
                self._modules[name] = (error, error.__traceback__)
        module = self._modules[name]
        if isinstance(module, tuple):
            raise module[0].with_traceback(module[1])
        return module


def ready(observer: Any) -> dict[str, Any]:
    """The names that a kernel begins with: the two lines' functions."""
    bench = Bench(observer)
    return {"load": bench.load, "look": bench.look}
