from functools import cache

from context import (
    BudgetError,
    BuildContextResult,
    ContextTokens,
    check_amount,
    group_interactions,
    restore,
)
from session import parse_session_entry


class Budget:
    """Asks for each price once and keeps it for as long as one call lasts."""

    def __init__(self, estimate_tokens, system_prompt, max_tokens, reserve, margin):
        self.estimate_tokens = estimate_tokens
        self.max_tokens = check_amount(max_tokens, "max_tokens")
        self.reserve = check_amount(reserve, "reserved_output")
        self.margin = check_amount(margin, "safety_margin")
        self.lent = {}
        self.price = cache(self.ask)
        self.system = self.lend("system_prompt", system_prompt) if system_prompt else 0

    def lend(self, name, value):
        self.lent[name] = value
        return self.price(name)

    def ask(self, name):
        try:
            answer = self.estimate_tokens(self.lent[name])
        except Exception as problem:
            raise BudgetError(f"{name}: {problem!r}", source=name) from problem
        return check_amount(answer, name)

    @property
    def room(self):
        return max(self.max_tokens - self.system - self.reserve - self.margin, 0)

    def table(self, spent):
        return ContextTokens(
            self.max_tokens, self.system, spent, self.reserve, self.margin, self.room,
            self.system + spent + self.reserve + self.margin,
        )  # fmt: skip


def build_context(
    active_path,
    *,
    max_tokens,
    reserved_output,
    safety_margin,
    estimate_tokens,
    system_prompt="",
):
    budget = Budget(estimate_tokens, system_prompt, max_tokens, reserved_output, safety_margin)
    messages, ids, spent = [], [], 0
    entries = active_path
    if any(entry.type == "compaction" for entry in active_path):
        restored = restore(active_path)
        entries = restored.entries
        spent = budget.lend(restored.compaction_id, restore(active_path).summary)
        messages.append(restored.summary)
    groups = group_interactions(entries)
    for group in groups:
        for entry in group.entries:
            budget.lend(entry.id, parse_session_entry(entry).message)
    at = len(messages)
    reason = "within_budget"
    for group in groups[::-1]:
        cost = sum(budget.price(entry.id) for entry in group.entries)
        if spent + cost > budget.room:
            reason = "trimmed" if ids else "single_group_overflow"
            if ids:
                break
        spent += cost
        ids[:0] = [entry.id for entry in group.entries]
        messages[at:at] = [entry.message for entry in group.entries]
        if reason == "single_group_overflow":
            break
    return BuildContextResult(system_prompt, messages, ids, reason, budget.table(spent))
