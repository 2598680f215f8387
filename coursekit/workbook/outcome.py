"""How a call went, in a reader's words: it returned, refused, raised, or never came back."""

import re
from collections.abc import Callable
from typing import Any

from coursekit.workbook.cases import Step
from coursekit.workbook.differences import spelled

ENDED = {
    "time": "it had not come to an end when its time was up: look for a loop that never stops",
    "output": "it was stopped because it printed without end",
    "exit": "it ended the whole Python process: look for a call that exits",
    "crash": "it crashed Python itself: look for a recursion that never stops",
    "memory": "it was stopped because it took too much memory",
}
"""How answer code can end a check early, in words."""


def expected_text(step: Step, observation: dict[str, Any]) -> str:
    """An expected observation in words."""
    if "returned" in observation:
        return f"no error: it returns {_returned(observation['returned'])}"
    names = " and ".join(repr(forms[0]) for forms in step.ask["names"])
    told = f"a ValueError whose message names {names}"
    if step.ask.get("causes"):
        told += ", chained to the estimator's own error"
    return told


def observed_text(step: Step, expected: dict[str, Any], observed: dict[str, Any]) -> str:
    """What came in words, with the line of the answer that it came from."""
    if "ended" in observed:
        return _ended(observed)
    if "returned" in observed:
        return f"no error: it returned {_returned(observed['returned'])}"
    note = observed["note"]
    if step.ask["do"] == "tamper" and "line" not in note:
        if note.get("held") in ("generator", "list_iterator", "map", "filter", "zip"):
            return f"{step.ask['in']}: it returned a {note['held']}, not a list"
        return f"the {step.ask['in']} is no longer what it was: there is nothing at that place"
    kind = _wrong_kind(step, note)
    if kind:
        return kind + _place(note)
    told = f"{note['error']}: {note['text']}".removesuffix(": ") + _place(note)
    if note["error"] == "TypeError" and "line" not in note and _SIGNATURE.match(note["text"]):
        told += f"\nIts parameters are no longer those of the starter: {_parameters(step)}"
    if note["error"] == "MemoryError":
        told += "\nIt asked for more and more memory: look for a list that never stops growing."
    if "refused" in expected and "refused" in observed:
        missing = [name for name in expected["refused"] if name not in observed["refused"]]
        if missing:
            told += f"\nIts message does not name {' and '.join(map(repr, missing))}."
        elif expected.get("cause") != observed.get("cause"):
            told += "\nIt is not chained to the estimator's error."
    elif "refused" in expected and note["error"] not in _SLIPS:
        told += (
            f"\nThat is not a ValueError, so a caller can't tell it from a fault in {_file(note)}."
        )
    return told


def _file(note: dict[str, Any]) -> str:
    return str(note.get("file", "the program"))


def _ended(observed: dict[str, Any]) -> str:
    told = ENDED[observed["ended"]]
    if observed["loading"]:
        told = f"while {observed['loading']}.py was imported, {told}"
    return told + _place(observed.get("note", {}))


def _place(note: dict[str, Any]) -> str:
    """Where in the answers it was, and what stands there."""
    if "line" not in note:
        return ""
    source = f"\nat {note['file']}, line {note['line']}:\n    {note['source']}"
    caller = note.get("caller")
    return source + (f"\ncalled from {caller['file']}, line {caller['line']}" if caller else "")


_SIGNATURE = re.compile(r"[\w.<>]+\(\) (missing|takes|got) ")
"""How Python begins when a call and a function's parameters don't fit."""

_SLIPS = ("NameError", "UnboundLocalError", "ImportError", "ModuleNotFoundError")
"""Errors that no caller is meant to tell from others: a name is wrong in the file."""

_NOTHING = re.compile(
    r"'NoneType' object (has no attribute '(\w+)'|is not )|cannot unpack non-\w+ None"
)
_NO_LIST = re.compile(r"'(\w+)' object (is not iterable|has no attribute 'entries')")


def _wrong_kind(step: Step, note: dict[str, Any]) -> str:
    """What to say where a function gave another kind of thing than it should; else nothing."""
    if step.ask["do"] == "store" and note["text"].startswith("entry: must be an object, not null"):
        return "None: parse_compaction has no return on this way"
    if note["error"] not in ("TypeError", "AttributeError"):
        return ""
    nothing = _NOTHING.match(note["text"])
    if "line" in note:
        # Only build_context calls restore, and reads these of what it gives.
        asked = nothing and (
            nothing[2] in ("compaction_id", "summary", "entries") or "restore(" in note["source"]
        )
        has = any(entry["type"] == "compaction" for entry in step.ask.get("path", ()))
        return "restore returned None" if asked and has else ""
    function = _function(step).__name__
    if nothing and step.ask["do"] != "tamper" and nothing[2] != "entries":
        return f"None: {function} has no return on this way"
    other = _NO_LIST.match(note["text"])
    if step.ask["do"] == "group" and other:
        if other[2] == "is not iterable":
            return f"{other[1]}, not a list of InteractionGroup"
        inside = {"list": "lists", "NoneType": "None"}.get(other[1], other[1])
        return f"a list of {inside}, not a list of InteractionGroup"
    found = re.match(r"'(\w+)' object has no attribute", note["text"])
    if found and step.ask["do"] in _GIVES and found[1] in _BUILTIN:
        return f"{found[1]}, not a {_GIVES[step.ask['do']]}"
    return ""


_GIVES = {"build": "BuildContextResult", "create": "CompactionSessionEntry", "parse": "entry"}
"""What a step's function returns, where that is one object."""

_BUILTIN = ("dict", "list", "tuple", "str", "generator", "bool", "int")


def _parameters(step: Step) -> str:
    """The call that a step makes, as the reference's function takes it."""
    import inspect

    function = _function(step)
    return f"{function.__name__}({', '.join(inspect.signature(function).parameters)})"


def _function(step: Step) -> Callable[..., Any]:
    """The reference's function that a step asks for."""
    from coursekit import context, session

    functions: dict[str, Callable[..., Any]] = {
        "group": context.group_interactions,
        "build": context.build_context,
        "create": context.create_compaction_entry,
    }
    return functions.get(step.ask["do"], session.parse_compaction)


def choice(result: dict[str, Any]) -> str:
    """A built context in short: why it was cut, and the ids of the entries kept."""
    kept = result["kept_entry_ids"]
    told = f"[{' '.join(map(str, kept))}]" if isinstance(kept, list) else spelled(kept)
    return f"{spelled(result['reason']).strip(chr(39))}, keeping {told}"


def _returned(value: Any) -> str:
    """What a call returned, in short."""
    if isinstance(value, dict) and "kept_entry_ids" in value:
        return f"{choice(value)}, total {spelled(value['tokens']['total'])}"
    if isinstance(value, dict) and "entry" in value:
        return _returned(value["entry"])
    if isinstance(value, dict) and value.get("type") == "compaction":
        return f"the entry {value['id']}"
    return spelled(value)
