from context import InteractionGroup, LedgerRow, Restoration
from session import TextContent, UserMessage, parse_session_entry


class Pairing:
    """One call id in one interaction: open, early, settled."""

    MOVES = {
        ("new", "call"): "open",
        ("new", "result"): "early",
        ("open", "result"): "settled",
        ("early", "call"): "settled",
    }

    def __init__(self, name):
        self.name = name
        self.state = "new"
        self.entry = ""

    def move(self, event, entry):
        try:
            self.state = self.MOVES[self.state, event]
        except KeyError:
            raise ValueError(
                f"{entry.id}: no {event} for {self.name} when it is {self.state}"
            ) from None
        self.entry = entry.id


class Machine:
    def __init__(self):
        self.groups = []
        self.pairings = {}
        self.take = self.before_first

    def before_first(self, entry):
        if entry.message.role != "user":
            names = [getattr(part, "id", "-") for part in entry.message.content]
            result = getattr(entry.message, "tool_call_id", "-")
            raise ValueError(f"{entry.id} ({names}, {result}) came before anyone had asked")
        self.take = self.within
        self.within(entry)

    def within(self, entry):
        if entry.message.role == "user":
            self.close()
            self.groups.append(InteractionGroup([]))
        self.groups[-1].entries.append(entry)
        for name, event in self.events(entry):
            self.pairings.setdefault(name, Pairing(name)).move(event, entry)

    def events(self, entry):
        if entry.message.role == "toolResult":
            return [(entry.message.tool_call_id, "result")]
        calls = [part.id for part in entry.message.content if part.type == "toolCall"]
        cut = getattr(entry.message, "stop_reason", "") in ("error", "aborted")
        return [(name, "call that was cut off" if cut else "call") for name in calls]

    def close(self):
        for pairing in self.pairings.values():
            if pairing.state != "settled":
                raise ValueError(f"{pairing.name} of {pairing.entry} is still {pairing.state}")
        self.pairings = {}


def group_interactions(entries):
    machine = Machine()
    for entry in entries:
        if entry.type == "message":
            machine.take(parse_session_entry(entry))
    machine.close()
    return machine.groups


def restore(active_path):
    state = "newer"
    kept = []
    newest = None
    for entry in reversed(active_path):
        if entry.type == "compaction" and state == "newer":
            newest, state = entry, "older"
        elif entry.type == "message":
            kept.append(parse_session_entry(entry))
        if state == "older" and entry.id == newest.first_kept_entry_id:
            state = "there" if entry.type == "message" and entry.message.role == "user" else "lost"
            break
    if state != "there":
        raise ValueError(f"{newest.id} does not find {newest.first_kept_entry_id} ({state})")
    summary = newest.summary
    pieces = [summary.goal]
    for items in (
        summary.constraints, summary.completed, summary.decisions, summary.changed_files, summary.unresolved,
        summary.next,
    ):  # fmt: skip
        pieces.extend(items or ["nothing"])
    return Restoration(
        newest.id, UserMessage([TextContent(" / ".join(pieces))], newest.timestamp), kept[::-1]
    )


assert LedgerRow
