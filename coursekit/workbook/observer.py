"""What a check sees: one step of a case, run beside the answer code.

This file needs the standard library alone and imports nothing of coursekit, for it
is also sent, as text, to where answers run. Each step is JSON, each observation is
JSON: ids, roles, numbers, texts, and whether a `ValueError` came and which of the
required names its message holds. It says what happened and never whether that is
right; the comparison is made elsewhere. A `note` carries wording for the reader
and takes no part in a comparison.

Steps share `held`, a dict of what earlier steps made: `input`, `entry`, `store`,
`stored`, `path`, `groups`, `result`, `summary`.
"""

import linecache
import os
from collections.abc import Callable
from typing import Any, TypeAlias

Step: TypeAlias = dict[str, Any]
Load: TypeAlias = Callable[[str], Any]

LONGEST = 100_000
"""Characters of a text that are looked at; no case has any that is nearly as long."""


def observe(step: Step, held: dict[str, Any], load: Load) -> dict[str, Any]:
    """Run one step. `load("session")` and `load("context")` give the answer modules."""
    return named(attempt(step, held, load), step)


def without_note(observation: dict[str, Any]) -> dict[str, Any]:
    """The part of an observation that is compared."""
    return {key: value for key, value in observation.items() if key != "note"}


def attempt(step: Step, held: dict[str, Any], load: Load) -> dict[str, Any]:
    """Run one step without looking for names: a refusal gives its text and its cause's.

    A step needs no `names` and `causes` for this, so where answers are graded they are
    not there, and tell the answer nothing.
    """
    try:
        return {"returned": _STEPS[step["do"]](step, held, load)}
    except ValueError as error:
        hidden = error.__suppress_context__
        cause = error.__cause__ or (not hidden and error.__context__) or ""
        return {"refused": [_exact(error), _exact(cause)], "note": _note(error)}
    except (Exception, SystemExit) as error:
        kind = type(error).__name__
        note = _note(error)
        if step["do"] == "tamper":
            if not {step["in"], step["show"]} <= held.keys():  # the call before gave nothing
                return {"skipped": step["in"], "note": note}
            note["held"] = type(held[step["in"]]).__name__
        return {"unfinished" if kind == "LabNotDone" else "raised": kind, "note": note}


def named(seen: dict[str, Any], step: Step) -> dict[str, Any]:
    """An attempt with the names that a refusal holds for its text.

    Of each required name any one form will do.
    """
    if "refused" not in seen:
        return seen
    text, cause = seen["refused"]
    told = dict(seen)
    told["refused"] = [forms[0] for forms in step["names"] if any(form in text for form in forms)]
    if step["do"] == "build":
        told["cause"] = [token for token in step["causes"] if token in cause]
    return told


def _exact(error: object) -> str:
    """What an error says, in a string that can't be of a class of its own."""
    try:
        return str.__str__(str(error))[:LONGEST]
    except Exception:  # it can't even be shown
        return ""


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]} …"


def _note(error: BaseException) -> dict[str, Any]:
    """Wording for the reader: the error, and the newest line of the answer in it."""
    note: dict[str, Any] = {"error": type(error).__name__, "text": _cut(_exact(error), 500)}
    place = error.__traceback__
    caller: dict[str, Any] = {}
    while place is not None:
        code = place.tb_frame.f_code
        if code.co_name in _LABS_OF_CONTEXT:
            _note_line(caller, code.co_filename, place.tb_lineno)
        # A given function that refused does as it should; the line that called it says more.
        if "line" not in note or not _is_given(code.co_name):
            _note_line(note, code.co_filename, place.tb_lineno)
        place = place.tb_next
    if isinstance(error, SyntaxError) and error.filename:
        _note_line(note, error.filename, error.lineno or 0)
        note["text"] = error.msg
    if caller and note["file"] != caller["file"]:
        note["caller"] = {"file": caller["file"], "line": caller["line"]}
    return note


_LABS_OF_CONTEXT = ("build_context", "create_compaction_entry", "group_interactions", "restore")
"""The lab's own functions that call what session.py gives."""


def _note_line(note: dict[str, Any], path: str, line: int) -> None:
    file = os.path.basename(path)
    if file in ("session.py", "context.py"):
        source = _cut(linecache.getline(path, line).strip(), 200)
        note.update(file=file, line=line, source=source)


def _is_given(function: str) -> bool:
    """Whether a function of the answer modules came with the starters."""
    given = ("parse_session_entry", "check_amount", "is_finite", "summary_to_json")
    return function in given or function.startswith(("read_", "_read_", "_raw_", "_told"))


# --- the steps --------------------------------------------------------------------


def _parse(step: Step, held: dict[str, Any], load: Load) -> Any:
    held["input"] = revive(step["value"])
    held["entry"] = load("session").parse_session_entry(held["input"])
    return _show_entry(held["entry"])


def _store(step: Step, held: dict[str, Any], load: Load) -> Any:
    """Append the values to a store; a store in a file is closed and opened again."""
    import tempfile

    session = load("session")
    if not step["file"]:
        held["store"] = session.InMemorySessionStore()
        for value in step["values"]:
            held["store"].append(session.parse_session_entry(revive(value)))
    else:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "session.jsonl")
            writer = session.JsonlSessionStore.open(path)
            for value in step["values"]:
                writer.append(session.parse_session_entry(revive(value)))
            del writer
            held["store"] = session.JsonlSessionStore.open(path)
    held["stored"] = held["store"].entries()
    return [_show_entry(entry) for entry in held["stored"]]


def _open(step: Step, held: dict[str, Any], load: Load) -> Any:
    """Open a file that somebody else wrote, line by line."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "session.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in step["lines"])
        held["store"] = load("session").JsonlSessionStore.open(path)
    held["stored"] = held["store"].entries()
    return [_show_entry(entry) for entry in held["stored"]]


def _group(step: Step, held: dict[str, Any], load: Load) -> Any:
    held["path"] = _path(step, load)
    held["groups"] = load("context").group_interactions(held["path"])
    return _show_groups(held["groups"])


def _build(step: Step, held: dict[str, Any], load: Load) -> Any:
    """Build a context; without a path of its own, from the held path once more."""
    if "path" in step:
        held["path"] = _path(step, load)
    held["result"] = load("context").build_context(
        held["path"],
        estimate_tokens=Estimator(step["prices"], step["otherwise"], step["spoil"]),
        **revive(step["options"]),
    )
    told = _show_result(held["result"], step)
    if step["spoil"]:  # the question is what became of what the estimator was given
        told["path"] = _show_path(held["path"])
    return told


def _create(step: Step, held: dict[str, Any], load: Load) -> Any:
    session = load("session")
    held["path"] = _path(step, load)
    arguments = revive(step["arguments"])
    if step["as_object"]:
        arguments["summary"] = _summary(arguments["summary"], session)
    held["summary"] = arguments["summary"]
    held["entry"] = load("context").create_compaction_entry(held["path"], **arguments)
    return {"entry": _show_entry(held["entry"]), "path": _show_path(held["path"])}


def _tamper(step: Step, held: dict[str, Any], load: Load) -> Any:
    """Change lists and dicts inside something held, then show another thing again."""
    for place in step["at"]:
        spot = held[step["in"]]
        for key in place:
            spot = spot[key] if isinstance(spot, list | tuple | dict) else getattr(spot, key)
        if isinstance(spot, list):
            spot.append(step["with"])
        elif isinstance(spot, dict):
            spot[step["with"]] = step["with"]
    if step["show"] == "stored":
        held["stored"] = held["store"].entries()
    return _SHOW[step["show"]](held[step["show"]])


_STEPS = {
    "parse": _parse,
    "store": _store,
    "open": _open,
    "group": _group,
    "build": _build,
    "create": _create,
    "tamper": _tamper,
}


# --- what the steps are made of -----------------------------------------------------


class Estimator:
    """Looks costs up by what a message says; a cost may be no number, or an error."""

    def __init__(self, prices: list[list[Any]], otherwise: Any, spoil: bool) -> None:
        self.prices = {key: revive(price) for key, price in prices}
        self.otherwise = revive(otherwise)
        self.spoil = spoil

    def __call__(self, value: Any) -> Any:
        key = value
        if not isinstance(value, str):
            key = _key(value)
            if self.spoil:  # a copy is the estimator's own; an original is not
                value.content.clear()
        price = self.prices.get(key, self.otherwise)
        if isinstance(price, dict):
            raise RuntimeError(price["raise"])
        return price


def _key(message: Any) -> str:
    parts = [part.text if part.type == "text" else part.id for part in message.content]
    if message.role == "toolResult":
        parts.append(message.tool_call_id)
    return " | ".join(parts)


def revive(value: Any) -> Any:
    """The value that a step means: a copy, with what JSON can't say put in."""
    if isinstance(value, list):
        return [revive(item) for item in value]
    if isinstance(value, dict):
        if set(value) == {"python"}:
            return {"nan": float("nan"), "inf": float("inf"), "huge": 10**400}[value["python"]]
        return {key: revive(item) for key, item in value.items()}
    return value


def _path(step: Step, load: Load) -> list[Any]:
    """The path's entries. Compactions are made without the parser, which is lab 11.1."""
    session = load("session")
    return [
        session.CompactionSessionEntry(
            id=value["id"],
            parent_id=value["parentId"],
            timestamp=value["timestamp"],
            summary=_summary(value["summary"], session),
            first_kept_entry_id=value["firstKeptEntryId"],
            tokens_before=value["tokensBefore"],
        )
        if value["type"] == "compaction"
        else session.parse_session_entry(revive(value))
        for value in step["path"]
    ]


def _summary(value: Any, session: Any) -> Any:
    value = revive(value)
    return session.CompactionSummary(
        goal=value["goal"],
        constraints=value["constraints"],
        completed=value["completed"],
        decisions=value["decisions"],
        changed_files=value["changedFiles"],
        unresolved=value["unresolved"],
        next=value["next"],
    )


# --- showing: exact builtin types only --------------------------------------------


def plain(value: Any) -> Any:
    """The value if it is exact JSON, whole floats as ints; else what it is instead."""
    kind = type(value)
    if value is None or kind is bool:
        return value
    if kind is str:
        return value if len(value) <= LONGEST else {"python": "str"}
    if kind is int:  # beyond a float's reach it would be too long to show
        return value if value.bit_length() <= 1024 else {"python": "int"}
    if kind is float:
        return int(value) if value.is_integer() else value
    if kind is list:
        return [plain(item) for item in value]
    if kind is dict and all(type(key) is str for key in value):
        return {key: plain(item) for key, item in value.items()}
    return {"python": kind.__name__}


def _show_entry(entry: Any) -> dict[str, Any]:
    told = {
        "type": plain(entry.type),
        "id": plain(entry.id),
        "parentId": plain(entry.parent_id),
        "timestamp": plain(entry.timestamp),
    }
    if entry.type == "message":
        told["message"] = _show_message(entry.message)
    elif entry.type == "metadata":
        told["key"] = plain(entry.key)
        told["value"] = plain(entry.value)
    else:
        told["summary"] = _show_summary(entry.summary)
        told["firstKeptEntryId"] = plain(entry.first_kept_entry_id)
        told["tokensBefore"] = plain(entry.tokens_before)
    return told


def _show_summary(summary: Any) -> Any:
    if isinstance(summary, dict):
        return plain(summary)
    return {
        "goal": plain(summary.goal),
        "constraints": plain(summary.constraints),
        "completed": plain(summary.completed),
        "decisions": plain(summary.decisions),
        "changedFiles": plain(summary.changed_files),
        "unresolved": plain(summary.unresolved),
        "next": plain(summary.next),
    }


def _show_message(message: Any) -> dict[str, Any]:
    told: dict[str, Any] = {"role": plain(message.role), "content": []}
    for part in message.content:
        kind = getattr(part, "type", None)
        if kind == "text":
            told["content"].append({"text": plain(part.text)})
        elif kind != "toolCall":  # what a look puts into a list that turns out to be shared
            told["content"].append(plain(part))
        else:
            call = {"id": part.id, "name": part.name, "arguments": part.arguments}
            told["content"].append({"call": plain(call)})
    if message.role == "toolResult":
        told["toolCallId"] = plain(message.tool_call_id)
    return told


def _show_groups(groups: Any) -> Any:
    return [[_show_brief(entry) for entry in group.entries] for group in groups]


def _show_path(path: Any) -> Any:
    return [_show_brief(entry) for entry in path]


def _show_brief(entry: Any) -> dict[str, Any]:
    """An entry as its id, and what its message says."""
    told = {"id": plain(entry.id)}
    if entry.type == "message":
        told |= _show_message(entry.message)
    elif entry.type == "compaction":
        told["summary"] = _show_summary(entry.summary)
    return told


def _show_result(result: Any, step: Step) -> dict[str, Any]:
    messages = list(result.messages)
    told: dict[str, Any] = {
        "kept_entry_ids": plain(result.kept_entry_ids),
        "reason": plain(result.reason),
    }
    told["tokens"] = {
        "max_tokens": plain(result.tokens.max_tokens),
        "system": plain(result.tokens.system),
        "reserved_output": plain(result.tokens.reserved_output),
        "safety_margin": plain(result.tokens.safety_margin),
        "available_for_messages": plain(result.tokens.available_for_messages),
        "messages": plain(result.tokens.messages),
        "total": plain(result.tokens.total),
    }
    told["system_prompt"] = plain(result.system_prompt)
    if step["summary"]:
        # How a summary is worded is the writer's choice; that its values stand in order is not.
        texts = [_text(message) for message in messages]
        told["summary"] = _in_order(texts[0] if texts else "", step["summary"])
        told["summary_is"] = [
            [plain(message.role), plain(message.timestamp)] for message in messages[:1]
        ]
        told["older_summaries"] = [v for v in step["older"] if any(v in text for text in texts)]
        messages = messages[1:]
    told["messages"] = [_show_message(message) for message in messages]
    return told


def _text(message: Any) -> str:
    return "\n".join(part.text for part in message.content if part.type == "text")


def _in_order(text: str, values: list[str]) -> list[str]:
    found = []
    at = 0
    for value in values:
        here = text.find(value, at)
        if here >= 0:
            found.append(value)
            at = here + len(value)
    return found


_SHOW = {
    "input": plain,
    "entry": _show_entry,
    "stored": lambda entries: [_show_entry(entry) for entry in entries],
    "path": _show_path,
    "groups": _show_groups,
    "summary": _show_summary,
}
