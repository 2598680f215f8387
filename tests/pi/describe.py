"""What a manager holds, in the words of `oracle.mjs`, so that the two can be compared."""

from __future__ import annotations

import math
from typing import Any

from coursekit.pi import SelectedModel, SessionManager, TreeNode


def describe(manager: SessionManager) -> dict[str, Any]:
    projection = manager.build_session_projection()
    context = manager.build_session_context()
    entries = manager.get_entries()
    labels = [[entry.id, manager.get_label(entry.id)] for entry in entries]
    return {
        "leaf": manager.get_leaf_id(),
        "header": manager.get_header().to_json(),
        "entries": [entry.to_json() for entry in entries],
        "path": [entry.id for entry in manager.get_branch()],
        "context": [entry.id for entry in manager.build_context_entries()],
        "projected": [[entry.source_entry.id, entry.messages] for entry in projection.entries],
        "messages": context.messages,
        "settings": _settings(projection.thinking_level, projection.model),
        "contextSettings": _settings(context.thinking_level, context.model),
        "tree": _flatten(manager.get_tree()),
        "name": manager.get_session_name(),
        "labels": [pair for pair in labels if pair[1] is not None],
        "count": manager.get_entry_count(),
        "children": [[child.id for child in manager.get_children(e.id)] for e in entries],
    }


def as_javascript(value: Any) -> Any:
    """The value after a trip through JavaScript, whose numbers are all floats."""
    if isinstance(value, dict):
        return {key: as_javascript(item) for key, item in value.items()}
    if isinstance(value, list):
        return [as_javascript(item) for item in value]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _settings(thinking_level: Any, model: SelectedModel | None) -> dict[str, Any]:
    return {
        "thinkingLevel": thinking_level,
        "model": model and {"provider": model.provider, "modelId": model.model_id},
    }


def _flatten(roots: list[TreeNode]) -> list[list[Any]]:
    rows: list[list[Any]] = []
    stack = [(node, 0) for node in reversed(roots)]
    while stack:
        node, depth = stack.pop()
        rows.append([depth, node.entry.id, node.label, node.label_timestamp])
        stack.extend((child, depth + 1) for child in reversed(node.children))
    return rows
