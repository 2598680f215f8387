from functools import partial, reduce
from itertools import accumulate, chain, groupby, takewhile
from operator import attrgetter

from context import (
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
    path = list(map(parse_session_entry, filter(is_message, entries)))
    turns = accumulate(entry.message.role == "user" for entry in path)
    parts = [[e for _, e in each] for _, each in groupby(zip(turns, path, strict=True), first)]
    return list(map(InteractionGroup, map(checked, parts)))


def first(pair):
    return pair[0]


def is_message(entry):
    return entry.type == "message"


def checked(entries):
    if entries[0].message.role != "user":
        raise InteractionError(f"{entries[0].id} leads no group; {list(facts(entries[0]))}")
    balance = reduce(book, chain.from_iterable(map(facts, entries)), {})
    odd = {name: sides for name, sides in balance.items() if list(map(len, sides)) != [1, 1]}
    if odd:
        raise InteractionError(f"calls and results: {odd}")
    return entries


def facts(entry):
    if entry.message.role == "toolResult":
        return [(entry.message.tool_call_id, 1, entry.id)]
    names = [part.id for part in entry.message.content if part.type == "toolCall"]
    if names and entry.message.stop_reason in {"error", "aborted"}:
        raise InteractionError(f"{entry.id} lost {names}")
    return [(name, 0, entry.id) for name in names]


def book(balance, fact):
    name, side, entry_id = fact
    sides = balance.get(name, ((), ()))
    grown = tuple((*each, entry_id) if i == side else each for i, each in enumerate(sides))
    return {**balance, name: grown}


def asked(estimate_tokens, name, value):
    try:
        answer = estimate_tokens(value)
    except Exception as problem:
        raise BudgetError(f"no number for {name}", source=name) from problem
    return check_amount(answer, name)


def build_context(active_path, *, estimate_tokens, system_prompt="", **options):
    list(map(check_amount, options.values(), options.keys()))
    ask = partial(asked, estimate_tokens)
    system = ask("system_prompt", system_prompt) if system_prompt else 0
    fixed = system + options["reserved_output"] + options["safety_margin"]
    room = max(0, options["max_tokens"] - fixed)
    compacted = any(entry.type == "compaction" for entry in active_path)
    restored = restore(active_path) if compacted else None
    front = [restored.summary] if restored else []
    paid = ask(restored.compaction_id, restore(active_path).summary) if restored else 0
    groups = group_interactions(restored.entries if restored else active_path)[::-1]
    costs = [
        sum(ask(entry.id, parse_session_entry(entry).message) for entry in group.entries)
        for group in groups
    ]
    sums = list(takewhile(lambda cost: paid + cost <= room, accumulate(costs)))
    fits = len(sums) if groups else 0
    shown = fits or min(1, len(groups))
    reasons = {fits == shown < len(groups): "trimmed", fits == len(groups): "within_budget"}
    kept = list(chain.from_iterable(map(attrgetter("entries"), groups[:shown][::-1])))
    spent = paid + sum(costs[:shown])
    return BuildContextResult(
        system_prompt=system_prompt,
        messages=front + list(map(attrgetter("message"), kept)),
        kept_entry_ids=list(map(attrgetter("id"), kept)),
        reason=reasons.get(True, "single_group_overflow"),
        tokens=ContextTokens(
            system=system,
            messages=spent,
            available_for_messages=room,
            total=fixed + spent,
            **options,
        ),
    )


def restore(active_path):
    back = list(takewhile(lambda entry: entry.type != "compaction", reversed(active_path)))
    at = len(active_path) - len(back) - 1
    newest, older = active_path[at], active_path[:at]
    starts = [entry.id for entry in filter(is_message, older) if entry.message.role == "user"]
    if newest.first_kept_entry_id not in starts:
        raise CompactionError(
            f"{newest.id} -> {newest.first_kept_entry_id}: not in {starts}",
            compaction_id=newest.id,
        )
    skipped = len(list(takewhile(lambda e: e.id != newest.first_kept_entry_id, older)))
    fields = summary_to_json(newest.summary)
    text = "\n".join(chain([fields["goal"]], *map(fields.get, SUMMARY_KEYS[1:])))
    return Restoration(
        newest.id,
        UserMessage([TextContent(text)], newest.timestamp),
        list(map(parse_session_entry, filter(is_message, active_path[skipped:]))),
    )
