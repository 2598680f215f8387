"""Random ways to drive a session, for coursekit.pi and for real Pi alike.

A step is `[method in camelCase, argument, ...]`; entries are named by their position.
"""

from __future__ import annotations

import random
from typing import Any

from coursekit.pi import PiSessionError, SessionManager
from tests.pi.generate import SessionMaker

Step = list[Any]


def draw_steps(seed: int) -> list[Step]:
    """A session's worth of steps, good ones mostly, refused ones too."""
    draw = random.Random(seed)
    # Only for its messages and values.
    maker = SessionMaker(seed)
    manager = SessionManager.in_memory("/w")
    steps: list[Step] = []
    for _ in range(draw.choice([2, 8, 25, 60])):
        step = _step(draw, maker, manager)
        steps.append(step)
        take(manager, step)
    return steps


def take(manager: SessionManager, step: Step) -> str:
    """Take one step. `"error"` where it was refused."""
    method, *values = step
    ids = [entry.id for entry in manager.get_entries()]

    def at(position: Any) -> Any:
        return ids[position] if isinstance(position, int) and position < len(ids) else position

    first: Any = values[0] if values else None
    optional = {} if len(values) < 4 or values[3] is None else {"details": values[3]}
    try:
        match method:
            case "appendMessage":
                manager.append_message(first)
            case "appendThinkingLevelChange":
                manager.append_thinking_level_change(first)
            case "appendModelChange":
                manager.append_model_change(*values)
            case "appendUsage":
                manager.append_usage(*values)
            case "appendCompaction":
                manager.append_compaction(first, at(values[1]), values[2], **optional)
            case "appendCustomEntry":
                manager.append_custom_entry(*values)
            case "appendCustomMessageEntry":
                manager.append_custom_message_entry(*values[:3], **optional)
            case "appendSessionInfo":
                manager.append_session_info(first)
            case "appendLabelChange":
                manager.append_label_change(at(first), values[1])
            case "appendContextEdit":
                manager.append_context_edit(at(first), values[1])
            case "branch":
                manager.branch(at(first))
            case "branchWithSummary":
                manager.branch_with_summary(at(first), values[1])
            case "resetLeaf":
                manager.reset_leaf()
            case "createBranchedSession":
                manager.create_branched_session(at(first))
            case _:
                raise AssertionError(method)
    except PiSessionError:
        return "error"
    return "ok"


def _step(draw: random.Random, maker: SessionMaker, manager: SessionManager) -> Step:
    entries = manager.get_entries()
    positions = {entry.id: index for index, entry in enumerate(entries)}
    path = [positions[entry.id] for entry in manager.get_branch()]
    anywhere: Any = draw.choice([*range(len(entries)), "missing"])
    on_path: Any = draw.choice(path) if path else None
    kind = draw.choices(
        ["appendMessage", "appendCompaction", "appendContextEdit", "appendLabelChange", "branch",
         "branchWithSummary", "resetLeaf", "appendModelChange", "appendThinkingLevelChange",
         "appendUsage", "appendCustomEntry", "appendCustomMessageEntry", "appendSessionInfo",
         "createBranchedSession"],
        weights=[40, 6, 8, 8, 10, 4, 1, 3, 3, 3, 3, 5, 3, 2],
    )[0]  # fmt: skip
    rest: dict[str, list[Any]] = {
        "appendMessage": [maker.message()],
        "appendCompaction": ["Summary", on_path, 10, draw.choice([None, {"a": 1}])],
        "appendContextEdit": [
            anywhere if draw.random() < 0.3 else on_path,
            draw.choice([None, {"content": "new"}, {"content": []}, {}, {"content": 5}]),
        ],
        "appendLabelChange": [anywhere, draw.choice([None, "", "mark", "日"])],
        "branch": [anywhere],
        "branchWithSummary": [draw.choice([None, anywhere]), "What happened"],
        "resetLeaf": [],
        "appendModelChange": ["a", "m1"],
        "appendThinkingLevelChange": ["high"],
        "appendUsage": ["warm", "a", "m1", {"input": 1}, draw.choice([None, "", "note"])],
        "appendCustomEntry": draw.choice([["x"], ["x", None], ["x", {"a": [1]}]]),
        "appendCustomMessageEntry": ["x", draw.choice(["text", []]), True, draw.choice([None, 1])],
        "appendSessionInfo": [draw.choice(["name", " two\r\n\nlines ", "", "\ufeff"])],
        "createBranchedSession": [anywhere],
    }
    # A target that isn't there at all is None; every method here asks for one that is.
    if kind in ("appendContextEdit", "appendCompaction") and on_path is None:
        return ["appendModelChange", "a", "m2"]
    return [kind, *rest[kind]]
