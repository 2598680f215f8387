from context import (
    CompactionError,
    InteractionError,
    InteractionGroup,
    Restoration,
)
from session import (
    AssistantMessage,
    CompactionSessionEntry,
    MessageSessionEntry,
    TextContent,
    ToolCall,
    ToolResultMessage,
    UserMessage,
    parse_session_entry,
    summary_to_json,
)


def group_interactions(entries):
    groups = []
    ledgers = []
    for entry in entries:
        match entry:
            case MessageSessionEntry(message=UserMessage()):
                groups.append(InteractionGroup([]))
                ledgers.append({})
            case MessageSessionEntry(message=ToolResultMessage(tool_call_id=call)) if not groups:
                raise InteractionError(f"{entry.id} answers {call} out of the blue")
            case MessageSessionEntry(message=AssistantMessage(content=content)) if not groups:
                raise InteractionError(f"{entry.id} speaks first: {content}")
        match entry:
            case MessageSessionEntry(message=ToolResultMessage(tool_call_id=call)):
                ledgers[-1].setdefault(call, ([], []))[1].append(entry.id)
            case MessageSessionEntry(message=AssistantMessage(content=content, stop_reason=stop)):
                for part in content:
                    match part, stop:
                        case ToolCall(id=call), "error" | "aborted":
                            raise InteractionError(f"{entry.id}: {call} was cut off")
                        case ToolCall(id=call), _:
                            ledgers[-1].setdefault(call, ([], []))[0].append(entry.id)
        if isinstance(entry, MessageSessionEntry):
            groups[-1].entries.append(parse_session_entry(entry))
    for ledger in ledgers:
        for call, sides in ledger.items():
            match sides:
                case [_], [_]:
                    continue
                case asked, answered:
                    raise InteractionError(f"{call}: asked by {asked}, answered by {answered}")
    return groups


def restore(active_path):
    match [i for i, e in enumerate(active_path) if isinstance(e, CompactionSessionEntry)]:
        case [*_, at]:
            newest = active_path[at]
    for i, entry in enumerate(active_path[:at]):
        match entry:
            case MessageSessionEntry(id=newest.first_kept_entry_id, message=UserMessage()):
                break
    else:
        raise CompactionError(
            f"{newest.first_kept_entry_id} is no start for {newest.id}", compaction_id=newest.id
        )
    lines = []
    for key, value in summary_to_json(newest.summary).items():
        match value:
            case str(goal):
                lines.append(f"# {goal}")
            case [*items]:
                lines += [f"## {key}", *items]
    kept = []
    for entry in active_path[i:]:
        match entry:
            case MessageSessionEntry():
                kept.append(parse_session_entry(entry))
    shortened = UserMessage([TextContent(line + "\n") for line in lines], newest.timestamp)
    return Restoration(newest.id, shortened, kept)
