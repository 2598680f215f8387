"""What crosses between the trusted side and the answer's process, typed.

The standard library alone: this file travels to where answers run. A `Request` goes there,
an `Observation` comes back, and both cross as JSON. `observation_from_json` narrows what
came: from a sandbox that may be JSON of any shape.

Named tuples, for both processes of a check wait until these classes are made, and a data
class takes four times as long.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias, get_args

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
JsonObject: TypeAlias = dict[str, JsonValue]

EndedBy: TypeAlias = Literal["time", "output", "exit", "crash", "memory"]
"""How answer code can end a check before its last step."""


class Request(NamedTuple):
    """One observation to make: its name in the course's observations, and its arguments."""

    observation: str
    arguments: JsonObject

    def to_json(self) -> JsonObject:
        """The request as it crosses."""
        return {"observation": self.observation, "arguments": self.arguments}


class Place(NamedTuple):
    """A line of the answers: file name, line number from 1, and what stands there."""

    file: str
    line: int
    source: str


class Note(NamedTuple):
    """Wording for the reader of a failed check; it takes no part in a comparison.

    `error` is the error's class and `text` what it says; `name` is what Python missed, if it
    missed a name, and `module` where it looked for it. `place` is the newest line of the
    answer in the traceback, `caller` the line of another file that led there. `held` is the
    type of the thing that was looked into.
    """

    error: str = ""
    text: str = ""
    name: str = ""
    module: str = ""
    place: Place | None = None
    caller: Place | None = None
    held: str = ""

    def to_json(self) -> JsonObject:
        """The note with the parts that it has."""
        parts: JsonObject = {"error": self.error, "text": self.text}
        parts |= {key: each for key in _NAMES if (each := getattr(self, key))}
        if self.place is not None:
            parts |= {
                "file": self.place.file,
                "line": self.place.line,
                "source": self.place.source,
            }
        if self.caller is not None:
            parts["caller"] = {"file": self.caller.file, "line": self.caller.line}
        return parts


NO_NOTE = Note()


class Returned(NamedTuple):
    """A call returned; `value` is what it returned, as JSON."""

    value: JsonValue


class Refused(NamedTuple):
    """A `ValueError` came: what it says, and what the error it is chained to says."""

    text: str
    cause: str = ""
    note: Note = NO_NOTE


class Raised(NamedTuple):
    """Any other error came; `error` is its class."""

    error: str
    note: Note = NO_NOTE


class Unwritten(NamedTuple):
    """A stub was reached: the function is still to be written."""

    note: Note = NO_NOTE


class Skipped(NamedTuple):
    """Nothing was done, for an earlier step did not make `needed`."""

    needed: str
    note: Note = NO_NOTE


class Ended(NamedTuple):
    """The process ended, or was ended, before this step was over.

    `loading` is the answer module that was being imported; `place` where it was, if known.
    """

    by: EndedBy
    loading: str | None = None
    place: Place | None = None


Observation: TypeAlias = Returned | Refused | Raised | Unwritten | Skipped | Ended


def note_of(observation: Observation) -> Note:
    """The note of an observation; an empty one where there is none."""
    return getattr(observation, "note", NO_NOTE)


def observation_to_json(observation: Observation) -> JsonObject:
    """An observation as it crosses, its note included."""
    match observation:
        case Returned(value):
            return {"returned": value}
        case Refused(text, cause, note):
            return {"refused": [text, cause], "note": note.to_json()}
        case Raised(error, note):
            return {"raised": error, "note": note.to_json()}
        case Unwritten(note):
            return {"unfinished": "LabNotDone", "note": note.to_json()}
        case Skipped(needed, note):
            return {"skipped": needed, "note": note.to_json()}
        case Ended(by, loading):
            return {"ended": by, "loading": loading}


def observation_from_json(value: object) -> Observation:
    """The observation that JSON means; what means none counts as an unreadable error."""
    if not isinstance(value, dict):
        return Raised(UNREADABLE)
    note = _note_from_json(value.get("note"))
    if "returned" in value:
        return Returned(value["returned"])
    if "refused" in value:
        texts = value["refused"]
        if isinstance(texts, list) and [type(each) for each in texts] == [str, str]:
            return Refused(texts[0], texts[1], note)
        return Refused("", "", note)
    if "unfinished" in value:
        return Unwritten(note)
    if "skipped" in value:
        return Skipped(str(value["skipped"]), note)
    if value.get("ended") in get_args(EndedBy):
        loading = value.get("loading")
        return Ended(value["ended"], loading if isinstance(loading, str) else None)
    return Raised(str(value.get("raised", UNREADABLE)), note)


UNREADABLE = "nothing that can be read"
"""The error of an observation that is none."""

_NAMES = ("name", "module", "held")


def _note_from_json(value: object) -> Note:
    """The note, each part of the type that it should have."""
    if not isinstance(value, Mapping):
        return NO_NOTE
    words = {key: str(value.get(key, "")) for key in ("error", "text", *_NAMES)}
    return Note(**words, place=_place(value), caller=_place(value.get("caller")))


def _place(value: object) -> Place | None:
    if not isinstance(value, Mapping) or type(value.get("line")) is not int:
        return None
    return Place(str(value.get("file", "")), value["line"], str(value.get("source", "")))
