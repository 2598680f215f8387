"""The model's context: interactions, the budget, compaction and restoration.

A session keeps everything. What the model sees is a projection of the active
path, made anew for every request: whole interactions, newest first, as far as
the budget reaches, with the newest summary in front.

It is one long file by design: a learner has the whole way to the model in one place,
next to the five functions that are theirs to write: `group_interactions` (lab 11.2),
`build_context` (11.3), `create_compaction_entry` (11.4), `restore` (11.5) and,
beside the labs, `ledger`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from coursekit.session import (
    AssistantMessage,
    CompactionSessionEntry,
    CompactionSummary,
    CourseError,
    Message,
    MessageSessionEntry,
    SessionEntry,
    StopReason,
    TextContent,
    ToolCall,
    ToolResultMessage,
    UserMessage,
    is_finite,
    parse_session_entry,
    summary_to_json,
)

CUT_OFF: tuple[StopReason, ...] = ("error", "aborted")
"""The stop reasons of a message that was cut off: a call in it is an error."""

TokenEstimator: TypeAlias = Callable[[str | Message], float]
"""Returns what the system prompt (a `str`) or one message costs, in tokens."""


class InteractionError(CourseError):
    """Messages that do not form whole interactions.

    `entry_id` and `call_id` name the first fault; `ids` has those of all faults described.
    """

    def __init__(self, message: str, *, ids: Iterable[str | None] = ()) -> None:
        ids = tuple(ids)
        super().__init__(message, ids=ids)
        self.entry_id = ids[0] if ids else None
        self.call_id = ids[1] if len(ids) > 1 else None


class BudgetError(CourseError):
    """An amount of tokens that is not a good number; `source` is the option or the entry id."""

    def __init__(self, message: str, *, source: str) -> None:
        super().__init__(message, ids=[source])
        self.source = source


class CompactionError(CourseError):
    """A compaction that can't be made or restored; `compaction_id` says which."""

    def __init__(self, message: str, *, compaction_id: str, entry_id: str | None = None) -> None:
        super().__init__(message, ids=[compaction_id, entry_id])
        self.compaction_id = compaction_id
        self.entry_id = entry_id


@dataclass
class InteractionGroup:
    """A user message and all that answered it: kept whole, or not at all."""

    entries: list[MessageSessionEntry]


@dataclass
class ContextTokens:
    """Where the window went, in tokens.

    `available_for_messages` is what the fixed costs leave, before a summary's cost
    comes off; `messages` is what the returned messages cost, summary included;
    `total` is `system + messages + reserved_output + safety_margin`.
    """

    max_tokens: float
    system: float
    messages: float
    reserved_output: float
    safety_margin: float
    available_for_messages: float
    total: float


@dataclass
class BuildContextResult:
    """What goes to the model, and how it came about.

    `kept_entry_ids` names the entries behind `messages`; a summary in front has no
    entry of its own, so it adds a message and no id.
    """

    system_prompt: str
    messages: list[Message]
    kept_entry_ids: list[str]
    reason: Literal["within_budget", "trimmed", "single_group_overflow"]
    tokens: ContextTokens


@dataclass
class Restoration:
    """What the newest compaction leaves of a path: its summary, then these entries."""

    compaction_id: str
    summary: UserMessage
    entries: list[MessageSessionEntry]


@dataclass
class LedgerRow:
    """What the budget did with one group."""

    entry_ids: list[str]
    cost: float
    status: Literal["kept", "trimmed", "overflow"]


def check_amount(value: object, source: str) -> float:
    """A number of tokens: finite, zero or more, and no `bool`; else a `BudgetError`."""
    problem = ""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        problem = f"must be an int or a float, not {type(value).__name__}"
    elif not is_finite(value):
        problem = "must be finite"
    elif value < 0:
        problem = f"must not be negative, not {value!r}"
    if problem:
        raise BudgetError(f"{source}: a number of tokens {problem}", source=source)
    return cast(float, value)


def group_interactions(entries: Iterable[SessionEntry]) -> list[InteractionGroup]:
    """Lab 11.2: put the messages of a path into interactions.

    Takes entries in path order and returns groups in path order, with copies of the
    message entries. Metadata and compaction entries are passed over.

    Steps:

    1. A user message closes the group before it and starts a new one. Nothing else
       starts one: a message before the first user message is an error that names
       the entry and, if the message makes a call or answers one, the call id.
    2. Collect the ids of the tool calls that the group's assistant messages make.
       One id may be called once in a group; another group may use it again. A
       message that ended with "error" or "aborted" was cut off: a call in it is an
       error, whether or not a result is there.
    3. Pair each tool result with its call by `tool_call_id`, wherever it stands in
       the group: before its call, after it, or in another order.
    4. When the group ends, every call has exactly one result.
    5. Copy what you return (`parse_session_entry` copies an entry).

    Raises `InteractionError` naming the entry id and the call id.
    Source: 11_2_interactions.ipynb, "Calls and results pair by id".
    """
    groups: list[InteractionGroup] = []
    problems: list[tuple[str, str, str]] = []
    calls: dict[str, str] = {}
    results: dict[str, str] = {}

    def close() -> None:
        for call_id, entry_id in calls.items():
            if call_id not in results:
                problems.append((entry_id, call_id, f"call {call_id!r} has no result"))
        for call_id, entry_id in results.items():
            if call_id not in calls:
                fault = f"result {call_id!r} has no call in its interaction"
                problems.append((entry_id, call_id, fault))
        calls.clear()
        results.clear()

    for entry in entries:
        if entry.type != "message":
            continue
        copy = parse_session_entry(entry)
        message = copy.message
        if isinstance(message, UserMessage):
            close()
            groups.append(InteractionGroup([]))
        made = [part.id for part in message.content if isinstance(part, ToolCall)]
        answered = [message.tool_call_id] if isinstance(message, ToolResultMessage) else []
        if not groups:
            fault = "comes before the first user message"
            if made or answered:
                fault += f", with call {', '.join(map(repr, made + answered))}"
            raise InteractionError(f"{copy.id}: {fault}", ids=[copy.id, *made, *answered])
        groups[-1].entries.append(copy)
        for call_id in made:
            if isinstance(message, AssistantMessage) and message.stop_reason in CUT_OFF:
                fault = f"call {call_id!r} is in a message that ended with {message.stop_reason!r}"
                problems.append((copy.id, call_id, fault))
            elif call_id in calls:
                problems.append((copy.id, call_id, f"call {call_id!r} is made twice"))
            else:
                calls[call_id] = copy.id
        for call_id in answered:
            if call_id in results:
                problems.append((copy.id, call_id, f"call {call_id!r} has a second result"))
            results.setdefault(call_id, copy.id)
    close()
    if problems:
        shown = problems[:10]  # enough to mend the first; a long session may have thousands
        lines = [f"{entry_id}: {fault}" for entry_id, _, fault in shown]
        if problems[10:]:
            lines.append(f"and {len(problems) - 10} more")
        raise InteractionError(
            "; ".join(lines),
            ids=[each for entry_id, call_id, _ in shown for each in (entry_id, call_id)],
        )
    return groups


def build_context(
    active_path: Sequence[SessionEntry],
    *,
    max_tokens: float,
    reserved_output: float,
    safety_margin: float,
    estimate_tokens: TokenEstimator,
    system_prompt: str = "",
) -> BuildContextResult:
    """Lab 11.3: choose the newest whole interactions that the budget holds.

    All amounts are tokens. The path is only read.

    Steps:

    1. Check `max_tokens`, `reserved_output` and `safety_margin`. Ask
       `estimate_tokens` for the system prompt (an empty one costs 0 and is not
       asked for), for the summary of step 3, and for every message that step 3
       groups, even those that will not fit. Give it a copy of each message
       (`copy.deepcopy` makes one). Every answer must be a good amount:
       `check_amount`. If the estimator raises, raise a `BudgetError` chained to
       its error. Errors name the entry; for the system prompt "system_prompt",
       and for the summary its compaction.
    2. What the system prompt, the reserve and the margin leave is available for
       messages, and never less than 0.
    3. Group the path. If it holds a compaction entry, call `restore(active_path)`
       first: group the entries that it returns, put its summary in front of the
       messages, and take the summary's cost off what is available for the groups.
    4. From the newest group backwards, keep whole groups while their sum fits.
       Exactly full still fits. Stop at the first that does not.
    5. If the newest group alone does not fit, keep it whole all the same.
    6. Return the prompt, copies of the messages, the ids of their entries, the
       reason (all groups kept, none there included: "within_budget"; only the
       newer ones: "trimmed"; step 5: "single_group_overflow") and the tokens.

    Raises `BudgetError` naming the option or the entry, and what grouping and
    restoring raise.
    Source: 11_3_budget.ipynb, "Fixed costs come off first" and "Whole groups, newest first".
    """
    check_amount(max_tokens, "max_tokens")
    check_amount(reserved_output, "reserved_output")
    check_amount(safety_margin, "safety_margin")

    def ask(value: str | Message, source: str) -> float:
        try:
            answer = estimate_tokens(value)
        except Exception as problem:
            raise BudgetError(
                f"{source}: estimate_tokens raised {type(problem).__name__}: {problem}",
                source=source,
            ) from problem
        return check_amount(answer, source)

    def cost_of(entry: MessageSessionEntry) -> float:
        return ask(parse_session_entry(entry).message, entry.id)

    system = ask(system_prompt, "system_prompt") if system_prompt else 0
    available = max(0, max_tokens - system - reserved_output - safety_margin)
    messages: list[Message] = []
    spent: float = 0
    # An iterator can't be sliced. It must not get past here: one look would use it up.
    entries: Sequence[SessionEntry] = active_path[:]
    if any(entry.type == "compaction" for entry in active_path):
        restored = restore(active_path)
        entries = restored.entries
        stamp = restored.summary.timestamp
        spent = cost_of(MessageSessionEntry(restored.compaction_id, None, stamp, restored.summary))
        messages.append(restored.summary)

    groups = group_interactions(entries)
    costs = [sum(cost_of(entry) for entry in group.entries) for group in groups]
    first = len(groups)
    while first > 0 and spent + costs[first - 1] <= available:
        first -= 1
        spent += costs[first]
    reason: Literal["within_budget", "trimmed", "single_group_overflow"]
    reason = "within_budget" if first == 0 else "trimmed"
    if groups and first == len(groups):
        first -= 1
        spent += costs[first]
        reason = "single_group_overflow"
    kept = [entry for group in groups[first:] for entry in group.entries]
    return BuildContextResult(
        system_prompt=system_prompt,
        messages=messages + [entry.message for entry in kept],
        kept_entry_ids=[entry.id for entry in kept],
        reason=reason,
        tokens=ContextTokens(
            max_tokens=max_tokens,
            system=system,
            messages=spent,
            reserved_output=reserved_output,
            safety_margin=safety_margin,
            available_for_messages=available,
            total=system + spent + reserved_output + safety_margin,
        ),
    )


def create_compaction_entry(
    active_path: Sequence[SessionEntry],
    *,
    id: str,
    timestamp: float,
    summary: CompactionSummary | dict[str, object],
    first_kept_entry_id: str,
    tokens_before: float,
) -> CompactionSessionEntry:
    """Lab 11.4: make the compaction entry that would follow this path.

    It makes the record and writes nothing: appending it to a store stays the
    caller's act. `summary` is a `CompactionSummary` or its JSON object
    (`summary_to_json` makes the one of the other); `tokens_before` is in tokens.

    Steps:

    1. Refuse an empty path, and an `id` that an entry of the path already has.
    2. The parent is the last entry of the path.
    3. Only the first message of an interaction may be the first kept entry: group
       the path and look at where its groups begin. Grouping also refuses a path
       that ends inside a tool call.
    4. Let `parse_session_entry` check and copy the whole record.

    Raises a `ValueError`, the course's is `CompactionError`, that names the
    compaction and the id that is wrong, and what grouping and parsing raise.
    Source: 11_4_compaction.ipynb, "A cut falls between interactions".
    """
    if not active_path:
        raise CompactionError(f"{id}: an empty path has nothing to compact", compaction_id=id)
    if any(entry.id == id for entry in active_path):
        raise CompactionError(f"{id}: an entry of the path has this id", compaction_id=id)
    starts = [group.entries[0].id for group in group_interactions(active_path)]
    if first_kept_entry_id not in starts:
        raise CompactionError(
            f"{id}: the first kept entry {first_kept_entry_id!r} does not begin an "
            "interaction of the path",
            compaction_id=id,
            entry_id=first_kept_entry_id,
        )
    fields = summary_to_json(summary) if isinstance(summary, CompactionSummary) else summary
    entry = parse_session_entry(
        {
            "type": "compaction",
            "id": id,
            "parentId": active_path[-1].id,
            "timestamp": timestamp,
            "summary": fields,
            "firstKeptEntryId": first_kept_entry_id,
            "tokensBefore": tokens_before,
        }
    )
    return cast(CompactionSessionEntry, entry)


def restore(active_path: Sequence[SessionEntry]) -> Restoration:
    """Lab 11.5: what the newest compaction on the path leaves for the model.

    `build_context` calls this when the path holds a compaction, and only then.

    Steps:

    1. Find the newest compaction: the last one on the path. Older ones are silent.
    2. Its first kept entry must stand before it on the path, and must be a user
       message, for only that begins an interaction.
    3. Make one user message of the summary: its seven fields in the order of
       `SUMMARY_KEYS`, with the compaction's timestamp.
    4. Collect copies of the message entries from the first kept entry to the end
       of the path. Skip metadata and every compaction.
    5. Then look at step 3 of `build_context` once more: it puts the summary in
       front and takes its cost off before the groups are chosen.

    Raises a `ValueError`, the course's is `CompactionError`, that names the
    compaction and its first kept id.
    Source: 11_5_restoration.ipynb, "From the first kept entry on".
    """
    at = max(i for i, entry in enumerate(active_path) if entry.type == "compaction")
    compaction = cast(CompactionSessionEntry, parse_session_entry(active_path[at]))
    first_kept = compaction.first_kept_entry_id
    starts = [
        i
        for i, entry in enumerate(active_path[:at])
        if entry.id == first_kept and entry.type == "message" and entry.message.role == "user"
    ]
    if not starts:
        raise CompactionError(
            f"{compaction.id}: the first kept entry {first_kept!r} must be a user message "
            "before it on the path",
            compaction_id=compaction.id,
            entry_id=first_kept,
        )
    lines = ["Summary of the conversation so far."]
    for key, value in summary_to_json(compaction.summary).items():
        items = value if isinstance(value, list) else [value]
        lines.append(f"{key}:")
        lines += [f"- {item}" for item in items]
    entries = [
        parse_session_entry(entry) for entry in active_path[starts[0] :] if entry.type == "message"
    ]
    return Restoration(
        compaction_id=compaction.id,
        summary=UserMessage([TextContent("\n".join(lines))], compaction.timestamp),
        entries=entries,
    )


def ledger(
    groups: Sequence[InteractionGroup],
    *,
    available_for_messages: float,
    estimate_tokens: TokenEstimator,
) -> list[LedgerRow]:
    """The transfer exercise, beside the labs: what the budget did with each group.

    One row a group, in path order: its entry ids, its cost in tokens, and whether
    `build_context` would keep it, trim it, or keep it though it overflows. It reads
    the groups and changes nothing, hands the estimator copies, and follows the
    same rule as `build_context`; it does not make a new one.

    Raises `BudgetError` as `build_context` does; `available_for_messages` is
    checked too, with `check_amount`.
    Source: transfer_ledger.ipynb, "Three words".
    """
    check_amount(available_for_messages, "available_for_messages")
    rows: list[LedgerRow] = []
    spent: float = 0
    status: Literal["kept", "trimmed", "overflow"] = "kept"
    for group in reversed(groups):
        cost: float = 0
        for entry in group.entries:
            try:
                answer = estimate_tokens(parse_session_entry(entry).message)
            except Exception as problem:
                raise BudgetError(
                    f"{entry.id}: estimate_tokens raised {type(problem).__name__}: {problem}",
                    source=entry.id,
                ) from problem
            cost += check_amount(answer, entry.id)
        if status == "kept" and spent + cost > available_for_messages:
            status = "trimmed" if rows else "overflow"
        ids = [entry.id for entry in group.entries]
        rows.append(LedgerRow(ids, cost, status))
        spent += cost
        # Behind the first group that does not fit, nothing older is kept.
        status = "trimmed" if status == "overflow" else status
    return rows[::-1]
