"""The bench on which answers are observed, one notebook cell at a time.

A cell is one of three lines, and what it holds is JSON, packed:

    load("session")     import an answer module
    look('...')         the asks of one or more steps: call, and show what came
    name('...')         after a check's calls: which names must its refusals hold

What a cell shows has two parts: `OBSERVED`, which is compared elsewhere, and `NOTE`,
wording for a reader, which is not. Nothing here knows what is right.
"""

import base64
import importlib
import json
import zlib
from collections.abc import Callable
from typing import Any

OBSERVED = "application/vnd.coursekit.observed"
NOTE = "application/vnd.coursekit.note"

LARGEST = 200_000
"""Characters that one cell may show."""


class Shown:
    """A cell's result in its two parts."""

    def __init__(self, observed: Any, notes: Any) -> None:
        self.observed = canonical(observed)
        self.notes = canonical(notes)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {OBSERVED: self.observed, NOTE: self.notes}

    def __repr__(self) -> str:
        return "observed"


def canonical(value: Any) -> str:
    """One text for equal JSON values; a text too long to be right is left out."""
    text = json.dumps(value, sort_keys=True)
    return text if len(text) <= LARGEST else json.dumps({"too long": True})


def packed(value: Any) -> str:
    """JSON in few characters, for every cell's source is looked at and sent on as a whole."""
    return base64.b64encode(zlib.compress(json.dumps(value).encode())).decode()


def unpacked(text: str) -> Any:
    """The JSON value that was packed."""
    return json.loads(zlib.decompress(base64.b64decode(text)))


class Bench:
    """Answers on the bench: what the steps of the check under way have made so far."""

    def __init__(self, observer: Any, find: Callable[[str], Any] = importlib.import_module) -> None:
        self._observer = observer
        self._find = find
        self._modules: dict[str, Any] = {}
        self._held: dict[str, Any] = {}
        self._seen: list[dict[str, Any]] = []

    def load(self, name: str) -> Shown:
        """Import a module now, so that a check's time is its own."""
        try:
            self._module(name)
        except BaseException as error:
            return Shown("loaded", [{"error": type(error).__name__}])
        return Shown("loaded", [])

    def look(self, text: str) -> Shown:
        """Take the steps of a cell; `fresh` says that a new check begins."""
        cell = unpacked(text)
        if cell["fresh"]:
            self._held = {}
            self._seen = []
        observed = []
        notes = []
        for ask in cell["asks"]:
            seen = self._observer.attempt(ask, self._held, self._module)
            self._seen.append(seen)
            notes.append(seen.get("note"))
            told = self._observer.without_note(seen)
            observed.append({"refused": True} if "refused" in told else told)
        return Shown(observed, notes)

    def name(self, text: str) -> Shown:
        """Say which of the names, step by step, each refusal of the check holds."""
        names = unpacked(text)["names"]
        told = [
            self._observer.without_note(self._observer.named(seen, step))
            if "refused" in seen
            else None
            for seen, step in zip(self._seen, names, strict=True)
        ]
        return Shown(told, None)

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
    """The names that a kernel begins with: the three lines' functions."""
    bench = Bench(observer)
    return {"load": bench.load, "look": bench.look, "name": bench.name}
