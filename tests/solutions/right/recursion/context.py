from context import (
    BudgetError,
    BuildContextResult,
    ContextTokens,
    InteractionError,
    InteractionGroup,
    check_amount,
    restore,
)
from session import parse_session_entry


def group_interactions(entries):
    messages = [parse_session_entry(entry) for entry in entries if entry.type == "message"]
    return split(messages)


def split(messages):
    if not messages:
        return []
    head, rest = messages[0], messages[1:]
    if head.message.role != "user":
        raise InteractionError(f"{head.id} hangs in the air {names(head)}")
    end = length(rest)
    group = [head, *rest[:end]]
    pair(group, {}, {})
    return [InteractionGroup(group), *split(rest[end:])]


def length(messages):
    if not messages or messages[0].message.role == "user":
        return 0
    return 1 + length(messages[1:])


def names(entry):
    own = [part.id for part in entry.message.content if part.type == "toolCall"]
    return [entry.message.tool_call_id] if entry.message.role == "toolResult" else own


def pair(group, asked, answered):
    if not group:
        if odd := asked.keys() ^ answered.keys():
            raise InteractionError(
                f"lonely: {[(name, (asked | answered)[name]) for name in sorted(odd)]}"
            )
        return
    entry, *rest = group
    book = answered if entry.message.role == "toolResult" else asked
    for name in names(entry):
        if name in book:
            raise InteractionError(f"{name} once more in {entry.id}")
        if book is asked and entry.message.stop_reason in ("error", "aborted"):
            raise InteractionError(f"{name} in {entry.id}, which {entry.message.stop_reason}")
        book[name] = entry.id
    pair(rest, asked, answered)


def build_context(
    active_path,
    *,
    max_tokens,
    reserved_output,
    safety_margin,
    estimate_tokens,
    system_prompt="",
):
    for value, name in (
        (max_tokens, "max_tokens"),
        (reserved_output, "reserved_output"),
        (safety_margin, "safety_margin"),
    ):
        check_amount(value, name)

    def price(value, name):
        try:
            answer = estimate_tokens(value)
        except Exception as problem:
            raise BudgetError(f"{name} broke the estimator", source=name) from problem
        return check_amount(answer, name)

    def price_all(entries):
        if not entries:
            return 0
        first = price(parse_session_entry(entries[0]).message, entries[0].id)
        return first + price_all(entries[1:])

    def choose(groups, left):
        if not groups or groups[-1][1] > left:
            return []
        return [*choose(groups[:-1], left - groups[-1][1]), groups[-1]]

    system = price(system_prompt, "system_prompt") if system_prompt else 0
    room = max(0, max_tokens - system - reserved_output - safety_margin)
    front, front_cost, entries = [], 0, active_path
    if [entry for entry in active_path if entry.type == "compaction"]:
        restored, lent = restore(active_path), restore(active_path)
        front, entries = [restored.summary], restored.entries
        front_cost = price(lent.summary, lent.compaction_id)
    groups = [(group, price_all(group.entries)) for group in group_interactions(entries)]
    chosen = choose(groups, room - front_cost)
    kept = chosen or groups[-1:]
    reason = "trimmed" if len(kept) < len(groups) else "within_budget"
    if kept and not chosen:
        reason = "single_group_overflow"
    spent = front_cost + sum(cost for _, cost in kept)
    shown = [entry for group, _ in kept for entry in group.entries]
    return BuildContextResult(
        system_prompt,
        front + [entry.message for entry in shown],
        [entry.id for entry in shown],
        reason,
        ContextTokens(
            max_tokens, system, spent, reserved_output, safety_margin, room,
            system + spent + reserved_output + safety_margin,
        ),
    )  # fmt: skip
