"""Tables of a session and its budget, as pandas DataFrames that read well as text too.

Token columns are whole or fractional numbers as the estimator gave them.
Nothing here asks for a class: entries, groups and results are read by attribute
or by key. pandas is imported when a table is made, not before.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeAlias

from coursekit.view.node import (
    entries_of,
    facts_of,
    field,
    message_text,
    place_of,
    tool_calls,
)

if TYPE_CHECKING:
    from coursekit.view.frame import Table

Estimator: TypeAlias = Callable[[object], float]


def transcript_table(session: object, estimate_tokens: Estimator | None = None) -> Table:
    """A row for each entry: id, parent, type, role, text, and what an estimator says it costs.

    Entries without a message have no role and no cost.
    """
    rows: list[dict[str, object]] = []
    for index, entry in enumerate(entries_of(session)):
        facts = facts_of(entry, index)
        row: dict[str, object] = {
            "id": facts.id,
            "parent": facts.parent_id,
            "type": facts.type,
            "role": facts.role,
            "text": facts.text,
        }
        if estimate_tokens is not None:
            message = field(entry, "message")
            row["tokens"] = None if message is None else _cost(estimate_tokens, message)
        rows.append(row)
    columns = {"id": "text", "parent": "text", "type": "text", "role": "text", "text": "text"}
    return _table(rows, columns | ({} if estimate_tokens is None else {"tokens": "number"}))


def groups_table(groups: Iterable[object], estimate_tokens: Estimator | None = None) -> Table:
    """A row for each interaction: its entry ids, how many calls and results, its cost."""
    rows: list[dict[str, object]] = []
    for number, group in enumerate(groups, start=1):
        entries = _group_entries(group)
        facts = [facts_of(entry, index) for index, entry in enumerate(entries)]
        row: dict[str, object] = {
            "group": number,
            "entries": " ".join(str(field(entry, "id")) for entry in entries),
            "messages": len(entries),
            "calls": sum(len(tool_calls(field(entry, "message"))) for entry in entries),
            "results": sum(1 for fact in facts if fact.role == "toolResult"),
        }
        if estimate_tokens is not None:
            row["tokens"] = _sum(_cost(estimate_tokens, field(e, "message")) for e in entries)
        rows.append(row)
    columns = dict.fromkeys(("group", "entries", "messages", "calls", "results"), "count")
    columns["entries"] = "text"
    return _table(rows, columns | ({} if estimate_tokens is None else {"tokens": "number"}))


def budget_table(result: object) -> Table:
    """The deductions from the window down to what messages may cost.

    Source: 11_3_budget.ipynb, "Fixed costs come off first" (31, 28, 24, 22).
    `result` is what `build_context` gave, or its `tokens`. What is left never
    falls below 0.
    """
    tokens = field(result, "tokens", result)
    steps = (
        ("max_tokens", "max_tokens"),
        ("system prompt", "system"),
        ("reserved_output", "reserved_output"),
        ("safety_margin", "safety_margin"),
    )
    rows: list[dict[str, object]] = []
    left: float = 0
    for title, name in steps:
        amount = _number(tokens, name)
        left = amount if not rows else max(0, left - amount)
        rows.append({"item": title, "tokens": amount, "left for messages": left})
    return _table(rows, {"item": "text", "tokens": "number", "left for messages": "number"})


def ledger_table(rows: Iterable[object]) -> Table:
    """What became of each group: cost, running total from the newest group back, status.

    `rows` come oldest first from `ledger`: each has `entry_ids`, `cost` (tokens) and
    `status`: kept, trimmed or overflow.
    """
    read = [
        (
            [str(each) for each in _ids(row)],
            _number(row, "cost"),
            str(field(row, "status")),
        )
        for row in rows
    ]
    totals: list[float] = []
    running: float = 0
    for _, cost, _status in reversed(read):
        running += cost
        totals.append(running)
    shown: list[dict[str, object]] = [
        {"group": number, "entries": " ".join(ids), "tokens": cost, "running": total, "status": s}
        for number, ((ids, cost, s), total) in enumerate(
            zip(read, reversed(totals), strict=True), start=1
        )
    ]
    columns = {"group": "count", "entries": "text", "tokens": "number", "running": "number"}
    return _table(shown, columns | {"status": "text"}, state="status")


def projection_table(result: object, session: object = ()) -> Table:
    """What the model sees, message by message, beside the entry each comes from.

    `result` has `messages` and `kept_entry_ids` (the course), or `entries` that each
    have a `source_entry` and `messages` (Pi). A course message without an
    entry of its own is the summary: its source is the newest compaction of `session`.
    """
    kept = field(result, "kept_entry_ids")
    if isinstance(kept, Iterable):
        messages = entries_of(field(result, "messages"))
        pairs = _course_pairs([str(each) for each in kept], messages, session)
    else:
        pairs = _pi_pairs(result)
    rows: list[dict[str, object]] = [
        {
            "message": number,
            "role": field(message, "role"),
            "text": message_text(message),
            "source": source,
            "source type": kind,
        }
        for number, (message, source, kind) in enumerate(pairs, start=1)
    ]
    columns = {"message": "count", "role": "text", "text": "text", "source": "text"}
    return _table(rows, columns | {"source type": "text"})


def _course_pairs(
    ids: list[str], messages: list[object], session: object
) -> list[tuple[object, str | None, str | None]]:
    spoken = len(messages) - len(ids)
    if spoken not in (0, 1):
        raise ValueError(
            f"{len(messages)} messages for {len(ids)} kept entries; "
            "only one message, the summary, may be without an entry"
        )
    places = [place_of(entry, index) for index, entry in enumerate(entries_of(session))]
    types = {entry_id: kind for entry_id, _, kind in places}
    newest = next((each for each, _, kind in reversed(places) if kind == "compaction"), None)
    pairs: list[tuple[object, str | None, str | None]] = []
    if spoken:
        pairs.append((messages[0], newest, "compaction"))
    pairs += [
        (message, each, types.get(each, "message"))
        for message, each in zip(messages[spoken:], ids, strict=True)
    ]
    return pairs


def _pi_pairs(result: object) -> list[tuple[object, str | None, str | None]]:
    items = field(result, "entries", result)
    pairs: list[tuple[object, str | None, str | None]] = []
    for item in entries_of(items):
        source, _, kind = place_of(field(item, "source_entry"))
        projected = field(item, "messages", ())
        pairs += [(message, source, kind) for message in entries_of(projected)]
    return pairs


def _group_entries(group: object) -> list[object]:
    entries = field(group, "entries", group)
    if not isinstance(entries, Iterable):
        raise TypeError(f"an interaction with entries is needed, not {type(group).__name__}")
    return list(entries)


def _ids(row: object) -> Iterable[object]:
    ids = field(row, "entry_ids", ())
    return ids if isinstance(ids, Iterable) else ()


def _cost(estimate_tokens: Estimator, message: object) -> float:
    """An estimator gets a copy, so that it can't change what is shown."""
    return estimate_tokens(copy.deepcopy(message))


def _sum(costs: Iterable[float]) -> float:
    total: float = 0
    for cost in costs:
        total += cost
    return total


def _number(source: object, name: str) -> float:
    value = field(source, name)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    raise ValueError(f"{name} of a {type(source).__name__}: a number is due, not {value!r}")


def _table(rows: list[dict[str, object]], columns: dict[str, str], state: str = "") -> Table:
    from coursekit.view.frame import make

    return make(rows, columns, state=state)
