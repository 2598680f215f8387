from session import CompactionSessionEntry, CompactionSummary


class Refused(ValueError):
    pass


def parse_compaction(record):
    entry_id = record["id"]

    wanted_keys = []
    wanted_keys.append("type")
    wanted_keys.append("id")
    wanted_keys.append("parentId")
    wanted_keys.append("timestamp")
    wanted_keys.append("summary")
    wanted_keys.append("firstKeptEntryId")
    wanted_keys.append("tokensBefore")
    for key in wanted_keys:
        found = False
        for other in record:
            if other == key:
                found = True
        if found == False:  # noqa: E712 - this is how beginners write
            raise Refused("I miss the key " + entry_id + "." + key)
    for key in record:
        if key not in wanted_keys:
            raise Refused("I do not know the key " + entry_id + "." + str(key))

    summary = record["summary"]
    if type(summary) != dict:  # noqa: E721
        raise Refused(entry_id + ".summary has to be a dict")
    for key in ["goal", "constraints", "completed", "decisions", "changedFiles", "unresolved"]:
        if key not in summary:
            raise Refused("I miss the key " + entry_id + ".summary." + key)
    if "next" not in summary:
        raise Refused("I miss the key " + entry_id + ".summary.next")
    for key in summary:
        if key == "goal":
            if type(summary[key]) != str:  # noqa: E721
                raise Refused(entry_id + ".summary.goal has to be a str")
            empty = True
            for letter in summary[key]:
                if not letter.isspace():
                    empty = False
            if empty:
                raise Refused(entry_id + ".summary.goal has to have letters")
        elif key in ["constraints", "completed", "decisions", "changedFiles", "unresolved", "next"]:
            if type(summary[key]) != list:  # noqa: E721
                raise Refused(entry_id + ".summary." + key + " has to be a list")
            for item in summary[key]:
                if type(item) != str:  # noqa: E721
                    raise Refused(entry_id + ".summary." + key + " has to have str only")
        else:
            raise Refused("I do not know the key " + entry_id + ".summary." + str(key))

    for key in ["parentId", "firstKeptEntryId"]:
        value = record[key]
        if value is None:
            raise Refused(entry_id + "." + key + " can not be None")
        if type(value) != str:  # noqa: E721
            raise Refused(entry_id + "." + key + " has to be a str")
        if value.strip() == "":
            raise Refused(entry_id + "." + key + " can not be empty")
    for key in ["timestamp", "tokensBefore"]:
        value = record[key]
        if type(value) != int and type(value) != float:  # noqa: E721
            raise Refused(entry_id + "." + key + " has to be an int or a float")
        try:
            as_float = float(value)
        except OverflowError:
            raise Refused(entry_id + "." + key + " is far too big") from None
        if as_float != as_float:
            raise Refused(entry_id + "." + key + " can not be nan")
        if as_float == float("inf") or as_float == float("-inf"):
            raise Refused(entry_id + "." + key + " can not be inf")
    if record["tokensBefore"] < 0:
        raise Refused(entry_id + ".tokensBefore can not be below 0")

    constraints = []
    for item in summary["constraints"]:
        constraints.append(item)
    completed = []
    for item in summary["completed"]:
        completed.append(item)
    decisions = []
    for item in summary["decisions"]:
        decisions.append(item)
    changed_files = []
    for item in summary["changedFiles"]:
        changed_files.append(item)
    unresolved = []
    for item in summary["unresolved"]:
        unresolved.append(item)
    following = []
    for item in summary["next"]:
        following.append(item)
    new_summary = CompactionSummary(
        summary["goal"], constraints, completed, decisions, changed_files, unresolved, following
    )
    return CompactionSessionEntry(
        entry_id,
        record["parentId"],
        record["timestamp"],
        new_summary,
        record["firstKeptEntryId"],
        record["tokensBefore"],
    )
