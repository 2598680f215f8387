"""Names for calls to accept, so that nothing tells them from calls to refuse.

A call to refuse crosses with the names that the refusal must hold. A call to accept
needs none; here it gets names of the same kinds, drawn from the calls to refuse
beside it.
"""

from collections.abc import Sequence
from typing import Any

from coursekit.transcripts import Draw, Json


def disguise(asks: Sequence[Json], draw: Draw) -> None:
    """Give every ask of a case that has no names some, each like those of another."""
    refusing = [ask for ask in asks if ask["names"]]
    for ask in asks:
        if not ask["names"]:
            models = [each for each in refusing if each["do"] == ask["do"]]
            if models:
                _name_like(ask, draw.random.choice(models), draw)


def _name_like(ask: Json, model: Json, draw: Draw) -> None:
    own, theirs = _roles(ask), _roles(model)

    def alike(form: str) -> str:
        name, dot, field = form.partition(".")
        if name not in theirs:  # the name of an option, which is the same for all
            return form
        same = [each for each, role in own.items() if role == theirs[name]]
        return f"{draw.random.choice(same or list(own) or [name])}{dot}{field}"

    ask["names"] = [[alike(form) for form in forms] for forms in model["names"]]
    if "causes" in model:
        ask["causes"] = [draw.text() for _ in model["causes"]]


def _roles(ask: Json) -> dict[str, str]:
    """The ids that an ask holds, each with what it is there."""
    roles: dict[str, str] = {}

    def note(name: Any, role: str) -> None:
        if isinstance(name, str) and name:
            roles.setdefault(name, role)

    arguments = ask.get("arguments", {})
    note(arguments.get("id"), "compaction")
    note(arguments.get("first_kept_entry_id"), "first kept")
    value = ask.get("value", {})
    note(value.get("id"), "compaction")
    for entry in ask.get("path", []):
        note(entry["id"], entry["type"])
        note(entry.get("firstKeptEntryId"), "first kept")
        for part in entry.get("message", {}).get("content", []):
            note(part.get("id"), "call")
        note(entry.get("message", {}).get("toolCallId"), "call")
    return roles
