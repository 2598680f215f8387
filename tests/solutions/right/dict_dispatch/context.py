from collections import defaultdict

from context import CUT_OFF, InteractionError, InteractionGroup
from session import parse_session_entry


def group_interactions(entries):
    groups = []
    facts = [defaultdict(lambda: {"call": [], "result": []})]

    def on_user(entry):
        groups.append(InteractionGroup([]))
        facts.append(defaultdict(lambda: {"call": [], "result": []}))

    def on_assistant(entry):
        for part in entry.message.content:
            {"text": lambda part: None, "toolCall": lambda part: on_call(entry, part)}[part.type](
                part
            )

    def on_call(entry, part):
        # A call that was cut off counts twice, and so never comes out even.
        times = 2 if entry.message.stop_reason in CUT_OFF else 1
        facts[-1][part.id]["call"] += [entry.id] * times

    def on_result(entry):
        facts[-1][entry.message.tool_call_id]["result"].append(entry.id)

    roles = {"user": on_user, "assistant": on_assistant, "toolResult": on_result}

    def on_message(entry):
        roles[entry.message.role](entry)
        if not groups:
            raise InteractionError(f"{entry.id}, {[*facts[0]]}: before any user")
        groups[-1].entries.append(parse_session_entry(entry))

    types = {"message": on_message}
    for entry in entries:
        types.get(entry.type, lambda entry: None)(entry)
    wrong = {
        name: sides
        for fact in facts
        for name, sides in fact.items()
        if [len(side) for side in sides.values()] != [1, 1]
    }
    if wrong:
        raise InteractionError(str(wrong))
    return groups
