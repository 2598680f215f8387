from context import (
    CUT_OFF,
    BuildContextResult,
    CompactionError,
    ContextTokens,
    InteractionError,
    InteractionGroup,
    Restoration,
    check_amount,
)
from session import TextContent, UserMessage, parse_session_entry, summary_to_json


def group_interactions(entries):
    return [InteractionGroup(entries) for entries in whole(split(copies(entries)))]


def copies(entries):
    for entry in entries:
        if entry.type == "message":
            yield parse_session_entry(entry)


def split(entries):
    group = []
    for entry in entries:
        if entry.message.role == "user" and group:
            yield group
            group = []
        group.append(entry)
    if group:
        yield group


def whole(groups):
    for group in groups:
        for problem in problems(group):
            raise InteractionError(problem)
        yield group


def problems(group):
    facts = list(tool_facts(group))
    if group[0].message.role != "user":
        yield f"{group[0].id} opens without a user {[call for _, call, _, _ in facts]}"
    for entry_id, call, kind, cut in facts:
        others = [other for _, same, other, _ in facts if same == call]
        if cut:
            yield f"{call} in {entry_id} was broken off"
        if others.count(kind) > 1:
            last = [e for e, same, other, _ in facts if same == call and other == kind][-1]
            yield f"{kind} {call} comes twice, in {last}"
        if len(set(others)) < 2:
            yield f"{kind} {call} in {entry_id} stands alone"


def tool_facts(group):
    for entry in group:
        cut = getattr(entry.message, "stop_reason", None) in CUT_OFF
        for part in entry.message.content:
            if part.type == "toolCall":
                yield entry.id, part.id, "call", cut
        if entry.message.role == "toolResult":
            yield entry.id, entry.message.tool_call_id, "result", False


def build_context(active_path, *, estimate_tokens, system_prompt="", **amounts):
    for name, value in amounts.items():
        check_amount(value, name)
    window, reserve, margin = (
        amounts[name] for name in ("max_tokens", "reserved_output", "safety_margin")
    )

    def priced(pairs):
        for name, value in pairs:
            try:
                price = estimate_tokens(value)
            except Exception as problem:
                raise ValueError(f"{name} has no price") from problem
            yield check_amount(price, name)

    system = sum(priced([("system_prompt", system_prompt)] if system_prompt else []))
    room = max(0, window - system - reserve - margin)
    front = []
    spent = 0
    entries = active_path
    if any(entry.type == "compaction" for entry in active_path):
        restored = restore(active_path)
        spent = sum(priced([(restored.compaction_id, restore(active_path).summary)]))
        front, entries = [restored.summary], restored.entries
    groups = group_interactions(entries)
    costs = [
        sum(priced((e.id, parse_session_entry(e).message) for e in group.entries))
        for group in groups
    ]

    def fitting():
        left = room - spent
        for group, cost in zip(reversed(groups), reversed(costs), strict=True):
            left -= cost
            if left < 0:
                return
            yield group, cost

    chosen = list(fitting())
    reason = "within_budget" if len(chosen) == len(groups) else "trimmed"
    if groups and not chosen:
        chosen, reason = [(groups[-1], costs[-1])], "single_group_overflow"
    kept = [entry for group, _ in reversed(chosen) for entry in group.entries]
    messages = spent + sum(cost for _, cost in chosen)
    tokens = ContextTokens(
        window, system, messages, reserve, margin, room, system + messages + reserve + margin
    )
    return BuildContextResult(
        system_prompt,
        [*front, *(entry.message for entry in kept)],
        [entry.id for entry in kept],
        reason,
        tokens,
    )


def restore(active_path):
    backwards = reversed(list(enumerate(active_path)))
    at, newest = next((i, e) for i, e in backwards if e.type == "compaction")
    starts = (
        i
        for i, entry in enumerate(active_path)
        if i < at and entry.id == newest.first_kept_entry_id
        if entry.type == "message" and entry.message.role == "user"
    )
    start = next(starts, None)
    if start is None:
        raise CompactionError(
            f"nothing to keep for {newest.id} at {newest.first_kept_entry_id}",
            compaction_id=newest.id,
        )
    return Restoration(
        newest.id,
        UserMessage([TextContent("\n".join(lines(newest)))], newest.timestamp),
        list(copies(active_path[start:])),
    )


def lines(compaction):
    yield "What happened before:"
    for key, value in summary_to_json(compaction.summary).items():
        yield f"[{key}]"
        yield from [value] if key == "goal" else value
