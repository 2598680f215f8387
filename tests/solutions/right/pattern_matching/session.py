from session import CompactionSessionEntry, CompactionSummary, is_finite

TOP = ("type", "id", "parentId", "timestamp", "summary", "firstKeptEntryId", "tokensBefore")
INNER = ("goal", "constraints", "completed", "decisions", "changedFiles", "unresolved", "next")


def parse_compaction(record):
    return read("compaction", record, record["id"])


def read(kind, value, where):
    match kind, value:
        case "compaction", dict():
            parent, when, summary, first_kept, tokens = (
                read(each, value[key], f"{where}.{key}")
                for key, each in zip(
                    fields(value, where, TOP)[2:],
                    ("said", "number", "summary", "said", "amount"),
                    strict=True,
                )
            )
            return CompactionSessionEntry(value["id"], parent, when, summary, first_kept, tokens)
        case "summary", dict():
            goal, *lists = fields(value, where, INNER)
            return CompactionSummary(
                read("said", value[goal], f"{where}.{goal}"),
                *(read("strings", value[key], f"{where}.{key}") for key in lists),
            )
        case "said", str(text) if text.strip():
            return text
        case "strings", [*items] if isinstance(value, list):
            return [read("string", item, where) for item in items]
        case "string", str(text):
            return text
        case "number" | "amount", bool():
            raise ValueError(f"{where} can't be true or false")
        case "number", int() | float() if is_finite(value):
            return value
        case "amount", int() | float() if is_finite(value) and value >= 0:
            return value
    raise ValueError(f"{where} is no {kind}")


def fields(value, where, wanted):
    match [*wanted], [*value]:
        case expected, given if set(expected) == set(given):
            return wanted
        case expected, given:
            odd = sorted(set(expected) ^ set(given))
            raise ValueError(f"Keys that differ: {[f'{where}.{key}' for key in odd]}; see {where}")
