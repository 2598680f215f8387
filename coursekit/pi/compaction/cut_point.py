"""Where a compaction cuts: from the newest entry backwards, at a place where a cut is allowed.

Pi 1.6.0 findProjectedCutPoint: the cut is found on projected entries, so what counts is what the
model sees, edits applied, and not what the file holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from coursekit.pi.model_messages import Message
from coursekit.pi.projection import ProjectedEntry, project_context_entry
from coursekit.pi.tokens import estimate_tokens

CutReason = Literal["target", "last_allowed", "short", "nowhere", "failed_attempt"]

_TURN_START_ROLES = ("user", "bashExecution", "custom", "branchSummary", "compactionSummary")
_CUT_ROLES = (*_TURN_START_ROLES, "assistant")


@dataclass(frozen=True, slots=True)
class CutPoint:
    """A cut in a list of projected entries: everything from `index` on is kept."""

    index: int
    turn_start: int | None
    """Where the turn that the cut goes through begins; None where the cut is between turns."""
    reason: CutReason
    """`target`: the entry where the target was reached, or the next one that may be cut at.
    `last_allowed`: tool results at the end reach the target alone; the call before them stays too.
    `short`: the target is never reached, so the cut is before the first entry that may be cut at.
    `nowhere`: no entry may be cut at.
    `failed_attempt`: only an omitted answer follows the entry, so the cut is after the entry."""
    recent_tokens: int
    """What was counted, newest first, until the cut was decided."""

    @property
    def is_split_turn(self) -> bool:
        """Whether the cut goes through a turn, so that its beginning needs a summary of its own."""
        return self.turn_start is not None


def may_cut_before(entry: ProjectedEntry) -> bool:
    """Whether the kept part may begin here: never at a tool result, never at a compaction.

    Without the call that it answers, a tool result is nothing that a provider takes. Before an
    assistant message with calls a cut is good, because the results follow it.
    """
    return entry.source_entry.type != "compaction" and _has_role(entry.messages, _CUT_ROLES)


def starts_turn(entry: ProjectedEntry) -> bool:
    """Whether a turn begins here: a user message, or what stands for one."""
    return entry.source_entry.type != "compaction" and _has_role(entry.messages, _TURN_START_ROLES)


def find_cut_point(
    entries: Sequence[ProjectedEntry], start: int, keep_recent_tokens: int
) -> CutPoint:
    """The cut in `entries[start:]` that keeps about `keep_recent_tokens` (tokens, a target).

    Looks at no more of the older entries than it must. As in Pi, entries that the model doesn't
    see are kept with what follows them, and then the first of them is asked whether a turn begins
    there: a label before a user message makes a cut between two turns pass for a split turn.
    """
    index, reason, tokens = _choose(entries, start, keep_recent_tokens)
    if reason == "nowhere":
        return CutPoint(start, None, reason, tokens)
    if reason != "short" and _only_failed_attempts_follow(entries[index + 1 :]):
        index, reason = index + 1, "failed_attempt"
    while index > start and _is_invisible(entries[index - 1]):
        index -= 1  # Labels, settings and omitted entries before the cut stay with what follows.
    turn_start = None
    if not starts_turn(entries[index]):
        turn_start = next((i for i in range(index, start - 1, -1) if starts_turn(entries[i])), None)
    return CutPoint(index, turn_start, reason, tokens)


def _choose(
    entries: Sequence[ProjectedEntry], start: int, target: int
) -> tuple[int, CutReason, int]:
    tokens = 0
    nearest: int | None = None
    for index in range(len(entries) - 1, start - 1, -1):
        entry = entries[index]
        if may_cut_before(entry):
            nearest = index
        cost = sum(map(estimate_tokens, entry.messages))
        tokens += cost
        if cost and tokens >= target:
            if nearest is not None:
                return nearest, "target", tokens
            for earlier in range(index - 1, start - 1, -1):
                if may_cut_before(entries[earlier]):
                    return earlier, "last_allowed", tokens
            return start, "nowhere", tokens
    if nearest is None:
        return start, "nowhere", tokens
    return nearest, "short", tokens


def _only_failed_attempts_follow(suffix: Sequence[ProjectedEntry]) -> bool:
    """Whether the model sees nothing of this suffix, because a failed answer in it was omitted.

    After an overflow the failed answer and its results are hidden by context edits, and the newest
    visible entry is the input that is sent again. An edit in the suffix that rewrites something
    visible before it, or metadata without a failed answer, is no such recovery: the cut stays
    before the input, which no model has answered yet.
    """
    omitted = [entry for entry in suffix if _is_omitted(entry)]
    if not any(entry.source_entry.role == "assistant" for entry in omitted):
        return False
    omitted_ids = {entry.source_entry.id for entry in omitted}
    for entry in suffix:
        source = entry.source_entry
        if source.type == "compaction" or entry.messages:
            return False
        if source.type == "context_edit":
            edit = source.to_json()
            if edit.get("replacement", ...) is not None and edit.get("targetId") not in omitted_ids:
                return False
    return True


def _is_omitted(entry: ProjectedEntry) -> bool:
    return not entry.messages and bool(project_context_entry(entry.source_entry))


def _is_invisible(entry: ProjectedEntry) -> bool:
    return entry.source_entry.type != "compaction" and not entry.messages


def _has_role(messages: Sequence[Message], roles: Sequence[str]) -> bool:
    return any(message.get("role") in roles for message in messages)
