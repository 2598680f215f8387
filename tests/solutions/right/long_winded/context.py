import copy

from context import (
    BuildContextResult,
    ContextTokens,
    InteractionGroup,
    Restoration,
)
from session import TextContent, UserMessage, is_finite, parse_session_entry


class Refused(ValueError):
    pass


def group_interactions(entries):
    groups = []
    current = None
    for entry in entries:
        if entry.type == "metadata":
            continue
        if entry.type == "compaction":
            continue
        new_entry = copy.deepcopy(entry)
        if new_entry.message.role == "user":
            if current is not None:
                check_group(current)
                groups.append(InteractionGroup(current))
            current = []
            current.append(new_entry)
        else:
            if current is None:
                text = "no user message before " + new_entry.id
                for call_id in call_ids(new_entry):
                    text = text + ", call " + call_id
                if new_entry.message.role == "toolResult":
                    text = text + ", result of " + new_entry.message.tool_call_id
                raise Refused(text)
            current.append(new_entry)
    if current is not None:
        check_group(current)
        groups.append(InteractionGroup(current))
    return groups


def call_ids(entry):
    ids = []
    for part in entry.message.content:
        if part.type == "toolCall":
            ids.append(part.id)
    return ids


def check_group(entries):
    all_calls = []
    for entry in entries:
        if entry.message.role == "assistant":
            for call_id in call_ids(entry):
                if entry.message.stop_reason == "aborted" or entry.message.stop_reason == "error":
                    raise Refused("entry " + entry.id + " stopped before call " + call_id)
                if call_id in all_calls:
                    raise Refused("entry " + entry.id + " calls again " + call_id)
                all_calls.append(call_id)
    all_results = []
    for entry in entries:
        if entry.message.role == "toolResult":
            call_id = entry.message.tool_call_id
            if call_id in all_results:
                raise Refused("entry " + entry.id + " is one result too many for " + call_id)
            if call_id not in all_calls:
                raise Refused("entry " + entry.id + " is a result for nobody: " + call_id)
            all_results.append(call_id)
    for entry in entries:
        for call_id in call_ids(entry):
            if call_id not in all_results:
                raise Refused("entry " + entry.id + " waits for ever for " + call_id)


def check_number(value, name):
    if type(value) == bool:  # noqa: E721
        raise Refused(name + " is a bool")
    if not isinstance(value, int) and not isinstance(value, float):
        raise Refused(name + " is not a number")
    if not is_finite(value):
        raise Refused(name + " is not finite")
    if value < 0:
        raise Refused(name + " is less than zero")


def build_context(
    active_path,
    *,
    max_tokens,
    reserved_output,
    safety_margin,
    estimate_tokens,
    system_prompt="",
):
    check_number(max_tokens, "max_tokens")
    check_number(reserved_output, "reserved_output")
    check_number(safety_margin, "safety_margin")
    system_cost = 0
    if system_prompt != "":
        system_cost = estimate(estimate_tokens, system_prompt, "system_prompt")
    room = max_tokens
    room = room - system_cost
    room = room - reserved_output
    room = room - safety_margin
    if room < 0:
        room = 0
    available = room

    has_compaction = False
    for entry in active_path:
        if entry.type == "compaction":
            has_compaction = True
    result_messages = []
    message_cost = 0
    if has_compaction:
        restoration = restore(active_path)
        summary_copy = copy.deepcopy(restoration.summary)
        summary_cost = estimate(estimate_tokens, summary_copy, restoration.compaction_id)
        room = room - summary_cost
        message_cost = message_cost + summary_cost
        result_messages.append(restoration.summary)
        groups = group_interactions(restoration.entries)
    else:
        groups = group_interactions(active_path)

    group_costs = []
    for group in groups:
        cost = 0
        for entry in group.entries:
            cost = cost + estimate(estimate_tokens, copy.deepcopy(entry.message), entry.id)
        group_costs.append(cost)

    kept_groups = []
    index = len(groups) - 1
    while index >= 0:
        if group_costs[index] > room:
            break
        room = room - group_costs[index]
        message_cost = message_cost + group_costs[index]
        kept_groups.insert(0, groups[index])
        index = index - 1
    if len(groups) == 0:
        reason = "within_budget"
    elif len(kept_groups) == 0:
        reason = "single_group_overflow"
        kept_groups.append(groups[-1])
        message_cost = message_cost + group_costs[-1]
    elif len(kept_groups) == len(groups):
        reason = "within_budget"
    else:
        reason = "trimmed"

    kept_ids = []
    for group in kept_groups:
        for entry in group.entries:
            kept_ids.append(entry.id)
            result_messages.append(copy.deepcopy(entry.message))
    tokens = ContextTokens(
        max_tokens=max_tokens,
        system=system_cost,
        messages=message_cost,
        reserved_output=reserved_output,
        safety_margin=safety_margin,
        available_for_messages=available,
        total=system_cost + message_cost + reserved_output + safety_margin,
    )
    return BuildContextResult(system_prompt, result_messages, kept_ids, reason, tokens)


def estimate(estimate_tokens, value, name):
    try:
        cost = estimate_tokens(value)
    except Exception as error:
        raise Refused("estimating " + name + " went wrong") from error
    check_number(cost, name)
    return cost


def create_compaction_entry(
    active_path, *, id, timestamp, summary, first_kept_entry_id, tokens_before
):
    if len(active_path) == 0:
        raise Refused("no path for " + id)
    for entry in active_path:
        if entry.id == id:
            raise Refused("there is a " + id + " already")
    found = False
    for group in group_interactions(active_path):
        if group.entries[0].id == first_kept_entry_id:
            found = True
    if not found:
        raise Refused(id + " can not start at " + first_kept_entry_id)
    if not isinstance(summary, dict):
        summary = {
            "goal": summary.goal,
            "constraints": summary.constraints,
            "completed": summary.completed,
            "decisions": summary.decisions,
            "changedFiles": summary.changed_files,
            "unresolved": summary.unresolved,
            "next": summary.next,
        }
    record = {}
    record["type"] = "compaction"
    record["id"] = id
    record["parentId"] = active_path[-1].id
    record["timestamp"] = timestamp
    record["summary"] = summary
    record["firstKeptEntryId"] = first_kept_entry_id
    record["tokensBefore"] = tokens_before
    return parse_session_entry(record)


def restore(active_path):
    compaction = None
    position = -1
    for i in range(len(active_path)):
        if active_path[i].type == "compaction":
            compaction = active_path[i]
            position = i
    start = -1
    for i in range(position):
        if active_path[i].id == compaction.first_kept_entry_id:
            if active_path[i].type == "message":
                if active_path[i].message.role == "user":
                    start = i
    if start == -1:
        raise Refused(
            "compaction " + compaction.id + " can not keep " + compaction.first_kept_entry_id
        )
    text = "The goal was: " + compaction.summary.goal + "\n"
    text = text + "The constraints were:\n"
    for item in compaction.summary.constraints:
        text = text + item + "\n"
    text = text + "This is completed:\n"
    for item in compaction.summary.completed:
        text = text + item + "\n"
    text = text + "These were the decisions:\n"
    for item in compaction.summary.decisions:
        text = text + item + "\n"
    text = text + "These files were changed:\n"
    for item in compaction.summary.changed_files:
        text = text + item + "\n"
    text = text + "This is unresolved:\n"
    for item in compaction.summary.unresolved:
        text = text + item + "\n"
    text = text + "This comes next:\n"
    for item in compaction.summary.next:
        text = text + item + "\n"
    entries = []
    for i in range(start, len(active_path)):
        if active_path[i].type == "message":
            entries.append(copy.deepcopy(active_path[i]))
    summary = UserMessage([TextContent(text)], compaction.timestamp)
    return Restoration(compaction.id, summary, entries)
