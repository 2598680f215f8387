from session import SUMMARY_KEYS, CompactionSessionEntry, CompactionSummary


def parse_compaction(record):
    name = record["id"]
    left = dict(record)
    try:
        where = "type id parentId timestamp summary firstKeptEntryId tokensBefore".split()
        _, _, parent, when, summary, kept, tokens = [left.pop(where := key) for key in where]
        summary = dict(summary.items())
        fields = [summary.pop(where := key) for key in SUMMARY_KEYS]
    except (KeyError, AttributeError) as problem:
        inner = f"summary.{where}" if where in SUMMARY_KEYS else where
        if isinstance(problem, AttributeError):
            inner = "summary"
        raise ValueError(f"can't get {name}.{inner}") from problem
    for extra in left:
        raise ValueError(f"what is {name}.{extra}?")
    for extra in summary:
        raise ValueError(f"what is {name}.summary.{extra}?")
    try:
        where = "parentId"
        must(parent.strip())
        where = "firstKeptEntryId"
        must(kept.strip())
        where = "timestamp"
        number(when)
        where = "tokensBefore"
        must(number(tokens) >= 0)
        where = "summary.goal"
        must(fields[0].strip())
        for key, items in zip(SUMMARY_KEYS[1:], fields[1:], strict=True):
            where = f"summary.{key}"
            must(isinstance(items, list))
            "".join(items)
    except (AttributeError, TypeError, ArithmeticError) as problem:
        raise ValueError(f"{name}.{where} is of no use") from problem
    goal, *lists = fields
    return CompactionSessionEntry(
        name, parent, when, CompactionSummary(goal, *map(list.copy, lists)), kept, tokens
    )


def must(holds):
    if not holds:
        raise ArithmeticError


def number(value):
    must(type(value) in (int, float))
    must(abs(float(value)) < float("inf"))
    return value
