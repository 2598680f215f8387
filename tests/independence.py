"""Do two values share something that can be changed? Asked of any objects, at any depth."""

import dataclasses
from typing import Any


def mutable_parts(value: Any) -> list[Any]:
    """Every list, dict and unfrozen dataclass in `value`, itself included, outermost first."""
    found: list[Any] = []
    seen: set[int] = set()
    todo = [value]
    while todo:
        part = todo.pop()
        if dataclasses.is_dataclass(part) and not isinstance(part, type):
            inside = list(vars(part).values())
        elif isinstance(part, dict):
            inside = list(part.values())
        elif isinstance(part, list | tuple):
            inside = list(part)
        else:
            continue
        todo += inside
        if not isinstance(part, tuple) and id(part) not in seen:
            seen.add(id(part))
            found.append(part)
    return found


def share_nothing(one: Any, other: Any) -> bool:
    ours = {id(part) for part in mutable_parts(one)}
    return not any(id(part) in ours for part in mutable_parts(other))


def wreck(value: Any) -> None:
    """Change every list, dict and object in `value`, the innermost first."""
    for part in reversed(mutable_parts(value)):
        if isinstance(part, list):
            part[:] = ["wrecked", *part]
        elif isinstance(part, dict):
            for key in part:
                part[key] = "wrecked"
            part["wrecked"] = True
        else:
            for name in vars(part):
                setattr(part, name, "wrecked")
