from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import context as given
import session


class Broken(ValueError):
    """An interaction that is not whole."""


@dataclass(frozen=True)
class Interaction:
    """A group that can't be changed; its entries stand in a tuple."""

    entries: tuple[session.MessageSessionEntry, ...] = ()
    open_calls: frozenset[str] = frozenset()
    early_results: frozenset[str] = frozenset()
    settled: frozenset[str] = frozenset()

    def add(self, entry):
        grown = replace(self, entries=(*self.entries, entry))
        message = entry.message
        if message.role == "toolResult":
            return grown.answered(entry.id, message.tool_call_id)
        for part in message.content:
            if part.type == "toolCall":
                if message.stop_reason in ("error", "aborted"):
                    raise Broken(f"{part.id} in {entry.id} was never really called")
                grown = grown.called(entry.id, part.id)
        return grown

    def called(self, entry_id, call):
        if call in self.open_calls | self.settled:
            raise Broken(f"{entry_id} repeats {call}")
        if call in self.early_results:
            return replace(
                self, early_results=self.early_results - {call}, settled=self.settled | {call}
            )
        return replace(self, open_calls=self.open_calls | {call})

    def answered(self, entry_id, call):
        if call in self.early_results | self.settled:
            raise Broken(f"{entry_id} answers {call} once more")
        if call in self.open_calls:
            return replace(self, open_calls=self.open_calls - {call}, settled=self.settled | {call})
        return replace(self, early_results=self.early_results | {call})

    def closed(self):
        for entry in self.entries:
            for part in entry.message.content:
                if part.type == "toolCall" and part.id in self.open_calls:
                    raise Broken(f"{part.id}, called by {entry.id}, was left open")
            if getattr(entry.message, "tool_call_id", None) in self.early_results:
                raise Broken(f"{entry.id} answers {entry.message.tool_call_id}, never called")
        return self


@dataclass(frozen=True)
class Tokens:
    """The token table."""

    max_tokens: float
    system: float
    reserved_output: float
    safety_margin: float
    messages: float = 0

    @property
    def available_for_messages(self):
        return max(0, self.max_tokens - self.system - self.reserved_output - self.safety_margin)

    @property
    def total(self):
        return self.system + self.messages + self.reserved_output + self.safety_margin


@dataclass(frozen=True)
class Context:
    """What goes to the model."""

    system_prompt: str
    tokens: Tokens
    messages: tuple = ()
    kept_entry_ids: list[str] = field(default_factory=list)
    reason: str = "within_budget"

    def with_group(self, group, cost, reason):
        ids = [entry.id for entry in group.entries]
        texts = tuple(entry.message for entry in group.entries)
        return replace(
            self,
            messages=texts + self.messages,
            kept_entry_ids=ids + self.kept_entry_ids,
            tokens=replace(self.tokens, messages=self.tokens.messages + cost),
            reason=reason,
        )


@dataclass(frozen=True)
class Restored:
    """What a compaction leaves."""

    compaction_id: str
    summary: session.UserMessage
    entries: tuple


def group_interactions(entries):
    done: list[Interaction] = []
    current = None
    for entry in entries:
        if entry.type != "message":
            continue
        entry = session.parse_session_entry(entry)
        if entry.message.role == "user":
            done += [current.closed()] if current else []
            current = Interaction()
        if current is None:
            said = [getattr(part, "id", "") for part in entry.message.content]
            raise Broken(
                f"{entry.id} {said} {getattr(entry.message, 'tool_call_id', '')} has no question"
            )
        current = current.add(entry)
    return [*done, current.closed()] if current else done


@dataclass(frozen=True)
class Scale:
    """Weighs messages, and doubts what it reads off."""

    estimate: object

    def __call__(self, value, name):
        try:
            weight = self.estimate(value)
        except Exception as fault:
            raise ValueError(f"{name} could not be weighed") from fault
        return amount(weight, name)


def amount(value, name):
    if type(value) not in (int, float) or not session.is_finite(value) or value < 0:
        raise ValueError(f"{name}: {value!r:.40} tokens?")
    return value


def build_context(
    active_path: Sequence,
    *,
    max_tokens,
    reserved_output,
    safety_margin,
    estimate_tokens,
    system_prompt="",
):
    weigh = Scale(estimate_tokens)
    amount(max_tokens, "max_tokens")
    tokens = Tokens(
        max_tokens,
        weigh(system_prompt, "system prompt") if system_prompt else 0,
        amount(reserved_output, "reserved_output"),
        amount(safety_margin, "safety_margin"),
    )
    result = Context(system_prompt, tokens)
    entries, front = active_path, ()
    if any(entry.type == "compaction" for entry in active_path):
        restored = restore(active_path)
        copy = session.UserMessage(
            [session.TextContent(part.text) for part in restored.summary.content],
            restored.summary.timestamp,
        )
        paid = weigh(copy, restored.compaction_id)
        result = replace(result, tokens=replace(tokens, messages=paid))
        entries, front = restored.entries, (restored.summary,)
    weighed = [
        (group, sum(weigh(session.parse_session_entry(e).message, e.id) for e in group.entries))
        for group in group_interactions(entries)
    ]
    for group, cost in reversed(weighed):
        if result.tokens.messages + cost > tokens.available_for_messages:
            if result.messages:
                result = replace(result, reason="trimmed")
            else:
                result = result.with_group(group, cost, "single_group_overflow")
            break
        result = result.with_group(group, cost, "within_budget")
    return replace(result, messages=front + result.messages)


def create_compaction_entry(
    active_path, *, id, timestamp, summary, first_kept_entry_id, tokens_before
):
    if not active_path or id in {entry.id for entry in active_path}:
        raise ValueError(f"{id} has no place to stand, or one too many")
    for group in group_interactions(active_path):
        if group.entries[0].id == first_kept_entry_id:
            break
    else:
        raise ValueError(f"{id} would cut through {first_kept_entry_id}")
    shape = summary
    if not isinstance(summary, dict):
        shape = session.summary_to_json(summary)
    return session.parse_session_entry(
        dict(
            type="compaction",
            id=id,
            parentId=active_path[-1].id,
            timestamp=timestamp,
            summary=shape,
            firstKeptEntryId=first_kept_entry_id,
            tokensBefore=tokens_before,
        )
    )


def restore(active_path):
    older, newest, newer = [], None, []
    for entry in active_path:
        if entry.type == "compaction":
            older, newest, newer = older + newer, entry, []
        else:
            newer.append(entry)
    kept = []
    for entry in reversed(older):
        kept.insert(0, entry)
        if entry.id == newest.first_kept_entry_id:
            break
    else:
        raise ValueError(f"{newest.id}: {newest.first_kept_entry_id} is not behind us")
    if kept[0].type != "message" or kept[0].message.role != "user":
        raise ValueError(f"{newest.id}: {newest.first_kept_entry_id} begins nothing")
    tagged = [f"<{key}>{value}</{key}>" for key, value in flat(newest.summary)]
    return Restored(
        newest.id,
        session.UserMessage([session.TextContent("".join(tagged))], newest.timestamp),
        tuple(session.parse_session_entry(e) for e in kept + newer if e.type == "message"),
    )


def flat(summary):
    for key, value in session.summary_to_json(summary).items():
        for item in [value] if isinstance(value, str) else value:
            yield key, item


assert given.InteractionGroup is not Interaction
