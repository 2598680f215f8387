from collections import Counter
from itertools import accumulate

from context import (
    CUT_OFF,
    BudgetError,
    BuildContextResult,
    CompactionError,
    ContextTokens,
    InteractionError,
    InteractionGroup,
    Restoration,
    check_amount,
)
from session import SUMMARY_KEYS, TextContent, UserMessage, parse_session_entry, summary_to_json


def group_interactions(entries):
    path = [parse_session_entry(entry) for entry in entries if entry.type == "message"]
    starts = [i for i, entry in enumerate(path) if entry.message.role == "user"]
    lost = path[: starts[0]] if starts else path
    if lost:
        named = [each for entry in lost for each in (entry.id, *calls(entry), *answers(entry))]
        raise InteractionError(f"nobody asked for {' '.join(named)}", ids=named)
    groups = [path[a:b] for a, b in zip(starts, [*starts[1:], len(path)], strict=False)]
    faults = [fault for group in groups for fault in faults_of(group)]
    if faults:
        raise InteractionError(f"not one call to one result: {faults}", ids=faults)
    return [InteractionGroup(group) for group in groups]


def calls(entry):
    return [part.id for part in entry.message.content if part.type == "toolCall"]


def answers(entry):
    return [entry.message.tool_call_id] if entry.message.role == "toolResult" else []


def faults_of(group):
    made = [(call, entry) for entry in group for call in calls(entry)]
    given = [(call, entry) for entry in group for call in answers(entry)]
    asked, answered = Counter(call for call, _ in made), Counter(call for call, _ in given)
    odd = {call for call in asked | answered if asked[call] != 1 or answered[call] != 1}
    odd |= {call for call, entry in made if getattr(entry.message, "stop_reason", "") in CUT_OFF}
    return [f"{entry.id} {call}" for call, entry in made + given if call in odd]


def build_context(
    active_path,
    *,
    max_tokens,
    reserved_output,
    safety_margin,
    estimate_tokens,
    system_prompt="",
):
    options = {
        "max_tokens": max_tokens,
        "reserved_output": reserved_output,
        "safety_margin": safety_margin,
    }
    for name, value in options.items():
        check_amount(value, name)

    def cost(value, name):
        try:
            return check_amount(estimate_tokens(value), name)
        except BudgetError:
            raise
        except Exception as fault:
            raise BudgetError(f"no estimate for {name}", source=name) from fault

    system = cost(system_prompt, "system_prompt") if system_prompt else 0
    room = max(max_tokens - system - reserved_output - safety_margin, 0)
    restored = [restore(active_path)] if any(e.type == "compaction" for e in active_path) else []
    fronts = [each.summary for each in restored]
    front_cost = sum(
        cost(UserMessage([TextContent(m.content[0].text)], m.timestamp), restored[0].compaction_id)
        for m in fronts
    )
    groups = group_interactions(restored[0].entries if restored else active_path)
    costs = [
        sum(cost(parse_session_entry(entry).message, entry.id) for entry in group.entries)
        for group in groups
    ]
    sums = list(accumulate(reversed(costs)))
    fitting = sum(front_cost + each <= room for each in sums)
    # Costs may be zero, so the sums that fit are counted from the newest on.
    count = next((i for i, each in enumerate(sums) if front_cost + each > room), fitting)
    shown = max(count, min(len(groups), 1))
    kept = [entry for group in groups[len(groups) - shown :] for entry in group.entries]
    spent = front_cost + sum(costs[len(groups) - shown :])
    return BuildContextResult(
        system_prompt=system_prompt,
        messages=fronts + [entry.message for entry in kept],
        kept_entry_ids=[entry.id for entry in kept],
        reason=(
            "single_group_overflow"
            if shown > count
            else "within_budget"
            if shown == len(groups)
            else "trimmed"
        ),
        tokens=ContextTokens(
            **options,
            system=system,
            messages=spent,
            available_for_messages=room,
            total=system + spent + reserved_output + safety_margin,
        ),
    )


def create_compaction_entry(
    active_path, *, id, timestamp, summary, first_kept_entry_id, tokens_before
):
    starts = [group.entries[0].id for group in group_interactions(active_path)]
    if id in [entry.id for entry in active_path] or first_kept_entry_id not in starts:
        raise CompactionError(
            f"{id} can't keep from {first_kept_entry_id}; {starts} can", compaction_id=id
        )
    return parse_session_entry(
        {
            "type": "compaction",
            "id": id,
            "parentId": active_path[-1].id,
            "timestamp": timestamp,
            "summary": summary if isinstance(summary, dict) else summary_to_json(summary),
            "firstKeptEntryId": first_kept_entry_id,
            "tokensBefore": tokens_before,
        }
    )


def restore(active_path):
    *_, (at, newest) = [(i, e) for i, e in enumerate(active_path) if e.type == "compaction"]
    users = [
        entry.id
        for entry in active_path[:at]
        if entry.type == "message" and entry.message.role == "user"
    ]
    if newest.first_kept_entry_id not in users:
        raise CompactionError(
            f"{newest.id} wants {newest.first_kept_entry_id}, and only {users} would do",
            compaction_id=newest.id,
        )
    fields = summary_to_json(newest.summary)
    text = "; ".join(
        f"{key}: {fields[key] if key == 'goal' else ', '.join(fields[key])}" for key in SUMMARY_KEYS
    )
    start = [entry.id for entry in active_path].index(newest.first_kept_entry_id)
    return Restoration(
        newest.id,
        UserMessage([TextContent(text)], newest.timestamp),
        [parse_session_entry(e) for e in active_path[start:] if e.type == "message"],
    )
