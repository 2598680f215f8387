"""Where two JSON values differ, and values in a reader's words."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias, TypeGuard

from coursekit.check.protocol import JsonValue

MOST = 4
"""How many differences are shown; more do not teach more."""

_LONGEST = 200  # characters of one value


class _Missing:
    def __repr__(self) -> str:
        return "nothing"


MISSING: Final = _Missing()
"""Stands for a place that one of two values lacks."""

Found: TypeAlias = "JsonValue | _Missing"
Difference: TypeAlias = tuple[str, Found, Found]
"""A place, such as `tokens.total`, and the expected and the observed value there."""


def differences(expected: Found, observed: Found) -> list[Difference]:
    """Where two JSON values differ: path, expected and observed value of each place.

    Lists of plain values are compared whole: an id missing in front would otherwise
    make every place behind it look wrong. A missing place is `MISSING`.
    """
    found: list[Difference] = []
    todo: list[Difference] = [("", expected, observed)]
    while todo:
        path, wanted, came = todo.pop()
        if is_same(wanted, came):
            continue
        if isinstance(wanted, dict) and isinstance(came, dict):
            keys = [*wanted, *(key for key in came if key not in wanted)]
            pairs: list[Difference] = [
                (f"{path}.{key}" if path else key, wanted.get(key, MISSING), came.get(key, MISSING))
                for key in keys
            ]
            todo += reversed(pairs)
        elif _is_nested(wanted) and _is_nested(came) and len(wanted) == len(came):
            both = zip(wanted, came, strict=True)
            todo += reversed([(f"{path}[{i}]", *pair) for i, pair in enumerate(both)])
        else:
            found.append((path, wanted, came))
    return found


def is_same(expected: Found, observed: Found) -> bool:
    """Whether two JSON values are equal; `True` and 1 are not, at any depth."""
    return _canonical(expected) == _canonical(observed)


def _canonical(value: Found) -> str:
    return json.dumps(value, sort_keys=True, default=repr)


def spell(value: Found) -> str:
    """A value of an observation on few lines, ids and roles without their quotes."""
    if isinstance(value, dict) and set(value) == {"python"}:
        return f"a Python {value['python']}"
    if _is_items(value):
        text = f"[{' '.join(map(name_of, value))}]"
    elif isinstance(value, list) and value and all(_is_items(item) for item in value):
        text = " ".join(spell(each) for each in value)
    else:
        text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"


def name_of(item: JsonValue) -> str:
    """A thing that has an id by that id, a message by its role and what it says."""
    if not isinstance(item, dict):
        return repr(item)
    if "id" in item:
        return str(item["id"])
    parts = item.get("content")
    texts = [
        str(part.get("text", part.get("call", {})))
        for part in (parts if isinstance(parts, list) else [])
        if isinstance(part, dict)
    ]
    return f"{item.get('role')}({', '.join(texts)[:30]})"


def attributes(path: str) -> str:
    """A place in an observation by its Python names: there the keys are camelCase."""
    return re.sub(r"(?<=[a-z])[A-Z]", lambda found: f"_{found[0].lower()}", path)


def lines_of(found: Sequence[Difference]) -> tuple[str, str]:
    """The first differences as two texts, one line a place: expected, and got."""
    shown = [(attributes(path) or "the result", *values) for path, *values in found[:MOST]]
    wanted = [f"{path}: {spell(value)}" for path, value, _ in shown]
    came = [f"{path}: {spell(value)}" for path, _, value in shown]
    if len(found) > MOST:
        came.append(f"and {len(found) - MOST} more differences")
    return "\n".join(wanted), "\n".join(came)


def part_of(value: Found, *keys: str) -> Found:
    """What stands at keys, one inside the other; `MISSING` where there is none."""
    for key in keys:
        value = value.get(key, MISSING) if isinstance(value, Mapping) else MISSING
    return value


def _is_nested(value: Found) -> TypeGuard[list[JsonValue]]:
    return isinstance(value, list) and any(isinstance(item, list | dict) for item in value)


def _is_items(value: Found) -> TypeGuard[list[JsonValue]]:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(item, dict) and ("id" in item or "role" in item) for item in value)
    )
