"""Where two observations differ, and their values in a reader's words."""

import json
import re
from collections.abc import Sequence
from typing import Any

MOST = 4
"""How many differences are told; more do not teach more."""

_LONGEST = 200  # characters of one value


class _Missing:
    def __repr__(self) -> str:
        return "nothing"


MISSING = _Missing()
"""Stands for a place that one of two values lacks."""


def differences(expected: Any, observed: Any) -> list[tuple[str, Any, Any]]:
    """Where two JSON values differ: path, expected and observed value of each place.

    Lists of plain values are compared whole: an id missing in front would otherwise
    make every place behind it look wrong. A missing place is `MISSING`.
    """
    found = []
    todo = [("", expected, observed)]
    while todo:
        path, want, came = todo.pop()
        if same(want, came):
            continue
        if isinstance(want, dict) and isinstance(came, dict):
            keys = [*want, *(key for key in came if key not in want)]
            pairs = [
                (f"{path}.{key}" if path else key, want.get(key, MISSING), came.get(key, MISSING))
                for key in keys
            ]
            todo += reversed(pairs)
        elif _nested(want) and _nested(came) and len(want) == len(came):
            pairs = [(f"{path}[{i}]", *pair) for i, pair in enumerate(zip(want, came, strict=True))]
            todo += reversed(pairs)
        else:
            found.append((path, want, came))
    return found


def same(expected: Any, observed: Any) -> bool:
    """Whether two JSON values are equal; `True` and 1 are not, at any depth."""
    return _told(expected) == _told(observed)


def _told(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=repr)


def spelled(value: Any) -> str:
    """A value of an observation on few lines, ids and roles without their quotes."""
    if isinstance(value, dict) and set(value) == {"python"}:
        return f"a Python {value['python']}"
    if _messages(value):
        told = f"[{' '.join(map(name, value))}]"
    elif isinstance(value, list) and value and all(_messages(item) for item in value):
        told = " ".join(f"[{' '.join(map(name, each))}]" for each in value)
    else:
        told = repr(value)
    return told if len(told) <= _LONGEST else f"{told[:_LONGEST]} …"


def name(item: Any) -> str:
    """An entry by its id, a message by its role and what it says."""
    if not isinstance(item, dict):
        return repr(item)
    if "id" in item:
        return str(item["id"])
    parts = item.get("content", [])
    says = [str(part.get("text", part.get("call", {}))) for part in parts if isinstance(part, dict)]
    return f"{item.get('role')}({', '.join(says)[:30]})"


_KEYS = {
    "parentId": "parent_id",
    "firstKeptEntryId": "first_kept_entry_id",
    "tokensBefore": "tokens_before",
    "changedFiles": "changed_files",
    "toolCallId": "tool_call_id",
}
_KEY = re.compile(rf"\b({'|'.join(_KEYS)})\b")


def attributes(path: str) -> str:
    """A place in an entry by its Python names: an observation has the JSON keys instead."""
    return _KEY.sub(lambda found: _KEYS[found[0]], path)


def lines(found: Sequence[tuple[str, Any, Any]]) -> tuple[str, str]:
    """The first differences as two texts, one line a place: expected, and got."""
    shown = [(attributes(path) or "the result", *values) for path, *values in found[:MOST]]
    wanted = [f"{path}: {spelled(value)}" for path, value, _ in shown]
    came = [f"{path}: {spelled(value)}" for path, _, value in shown]
    if len(found) > MOST:
        came.append(f"and {len(found) - MOST} more differences")
    return "\n".join(wanted), "\n".join(came)


def _nested(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(item, list | dict) for item in value)


def _messages(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(item, dict) and ("id" in item or "role" in item) for item in value)
    )
