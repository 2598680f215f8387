from context import (
    BudgetError,
    BuildContextResult,
    CompactionError,
    ContextTokens,
    InteractionError,
    InteractionGroup,
    check_amount,
    restore,
)
from session import (
    CourseError,
    MessageSessionEntry,
    SessionEntryError,
    parse_session_entry,
    summary_to_json,
)


def group_interactions(entries):
    """All faults of the path in one error."""
    path = [entry for entry in entries if entry.type == "message"]
    faults = []
    groups = []
    for entry in path:
        if entry.message.role == "user":
            groups.append([])
        if groups:
            groups[-1].append(parse_session_entry(entry))
        else:
            faults.append(f"early {entry.id}")
            faults += [f"early call {call}" for call, _ in made([entry])]
            faults += [f"early result {call}" for call, _ in given([entry])]
    for group in groups:
        calls, results = made(group), given(group)
        for call, entry in calls:
            if [c for c, _ in calls].count(call) > 1:
                faults.append(f"{entry.id} calls {call}, and not alone")
            if call not in [c for c, _ in results]:
                faults.append(f"{entry.id} calls {call} in vain")
            if entry.message.stop_reason in {"error", "aborted"}:
                faults.append(f"{entry.id} calls {call} and breaks off")
        for call, entry in results:
            if [c for c, _ in results].count(call) > 1:
                faults.append(f"{entry.id} answers {call}, and not alone")
            if call not in [c for c, _ in calls]:
                faults.append(f"{entry.id} answers {call} unasked")
    if faults:
        raise InteractionError("\n".join(faults))
    return [InteractionGroup(group) for group in groups]


def made(group):
    return [(p.id, e) for e in group for p in e.message.content if p.type == "toolCall"]


def given(group):
    return [(e.message.tool_call_id, e) for e in group if e.message.role == "toolResult"]


def build_context(
    active_path,
    *,
    max_tokens,
    reserved_output,
    safety_margin,
    estimate_tokens,
    system_prompt="",
):
    faults = []
    first_cause = None

    def weigh(name, ask):
        nonlocal first_cause
        try:
            return check_amount(ask(), name)
        except Exception as problem:
            first_cause = first_cause or problem
            faults.append(f"{name}: {problem}")
            return 0

    window, reserve, margin = (
        weigh("max_tokens", lambda: max_tokens),
        weigh("reserved_output", lambda: reserved_output),
        weigh("safety_margin", lambda: safety_margin),
    )
    system = weigh("system_prompt", lambda: estimate_tokens(system_prompt)) if system_prompt else 0
    front, entries = [], active_path
    if any(entry.type == "compaction" for entry in active_path):
        restored = restore(active_path)
        entries = restored.entries
        front = [MessageSessionEntry(restored.compaction_id, None, 0, restored.summary)]
    groups = [group.entries for group in group_interactions(entries)]
    prices = {
        entry.id: weigh(
            entry.id, lambda entry=entry: estimate_tokens(parse_session_entry(entry).message)
        )
        for entry in sum(groups, front)
    }
    if faults:
        raise BudgetError("; ".join(faults), source="all") from first_cause
    room = max(0, window - system - reserve - margin)
    while len(groups) > 1 and total(front, groups, prices) > room:
        groups, dropped = groups[1:], True
        reason = "trimmed"
    count = len(group_interactions(entries))
    reason = "within_budget" if len(groups) == count else "trimmed"
    if groups and total(front, groups, prices) > room:
        reason = "single_group_overflow"
    spent = total(front, groups, prices)
    kept = sum(groups, [])
    return BuildContextResult(
        system_prompt,
        [entry.message for entry in front + kept],
        [entry.id for entry in kept],
        reason,
        ContextTokens(
            window, system, spent, reserve, margin, room, system + spent + reserve + margin
        ),
    )


def total(front, groups, prices):
    return sum(prices[entry.id] for entry in sum(groups, front))


def create_compaction_entry(
    active_path, *, id, timestamp, summary, first_kept_entry_id, tokens_before
):
    faults = []
    ids = [entry.id for entry in active_path]
    if not ids:
        faults.append("nothing there")
    if id in ids:
        faults.append("the id is there")
    try:
        starts = [group.entries[0].id for group in group_interactions(active_path)]
    except CourseError as problem:
        starts = [first_kept_entry_id]
        faults.append(str(problem))
    if first_kept_entry_id not in starts:
        faults.append(f"{first_kept_entry_id} is no start")
    record = {
        "type": "compaction",
        "id": id,
        "parentId": ids[-1] if ids else "none",
        "timestamp": timestamp,
        "summary": summary if isinstance(summary, dict) else summary_to_json(summary),
        "firstKeptEntryId": first_kept_entry_id,
        "tokensBefore": tokens_before,
    }
    try:
        entry = parse_session_entry(record)
    except SessionEntryError as problem:
        faults.append(str(problem))
    if faults:
        raise CompactionError(f"{id}: {', '.join(faults)}", compaction_id=id)
    return entry
