"""How a built context is put into words: what was kept and why, and the token table."""

import re

from coursekit.check.case import NOTHING, Row, Step, Wording
from coursekit.check.differences import (
    MISSING,
    MOST,
    Difference,
    Found,
    differences,
    is_same,
    lines_of,
    part_of,
    spell,
)
from coursekit.check.protocol import JsonValue, Note, Observation, Request, Returned
from coursekit.course.steps import shared_rows

SUMMARY = ("summary", "summary_is", "older_summaries")
"""What an observation has of the summary in front."""

_CHOSEN = ("reason", "kept_entry_ids")


class _ContextWording(Wording):
    """A context that is built."""

    function = "context.build_context"
    result = "BuildContextResult"
    is_chained = True

    def returned(self, value: JsonValue) -> str:
        """The choice, and the sum."""
        if not isinstance(value, dict) or "kept_entry_ids" not in value:
            return super().returned(value)
        return f"{_choice(value)}, total {spell(part_of(value, 'tokens', 'total'))}"

    def refusal(self, step: Step) -> str:
        """What must be named, and whether the estimator's own error stands behind it."""
        text = super().refusal(step)
        return f"{text}, chained to the estimator's own error" if step.causes else text

    def unchained(self) -> str:
        """An estimator's error must not be lost."""
        return "It is not chained to the estimator's error."

    def wrong_kind(self, step: Step, note: Note) -> str:
        """None where restore should return something: only build_context calls it."""
        nothing = re.match(NOTHING, note.text)
        if note.error not in ("TypeError", "AttributeError") or note.place is None:
            return super().wrong_kind(step, note)
        asked = nothing and (
            nothing[2] in ("compaction_id", "summary", "entries") or "restore(" in note.place.source
        )
        return "restore returned None" if asked and has_compaction(step.request) else ""

    def compared(self, step: Step, expected: JsonValue, observed: JsonValue) -> list[Row]:
        """What was kept and why, then the first part of the context that differs."""
        path = part_of(expected, "path")
        if path is not MISSING and not is_same(path, part_of(observed, "path")):
            return shared_rows("path", _json(path), _json(part_of(observed, "path")))
        rows: list[Row] = []
        if any(not is_same(part_of(expected, key), part_of(observed, key)) for key in _CHOSEN):
            rows += [("expected", _choice(expected)), ("got", _choice(observed))]
        tokens = part_of(expected, "tokens"), part_of(observed, "tokens")
        if not is_same(*tokens):
            rows.append(("tokens", _ladder(*tokens)))
        return rows + _rest(expected, observed, bool(rows))

    def is_alike(self, expected: JsonValue, observed: JsonValue) -> bool:
        """Whether the same messages were kept."""
        keys = ("kept_entry_ids", "messages", "summary", "summary_is")
        return all(is_same(_none(expected, key), _none(observed, key)) for key in keys)

    def first_wrong(self, step: Step, expected: Returned, observed: Observation) -> str:
        """The first part that differs; other groups to choose from count as "restored"."""
        if not isinstance(observed, Returned):
            return super().first_wrong(step, expected, observed)
        wanted, came = expected.value, observed.value
        if not is_same(_none(wanted, "path"), _none(came, "path")):
            return ""
        if not _same_end(part_of(wanted, "kept_entry_ids"), part_of(came, "kept_entry_ids")):
            return "restored" if "restored" in step.other_rules else "kept"
        parts = {
            "available": (("tokens", "available_for_messages"),),
            "kept": (("kept_entry_ids",),),
            "reason": (("reason",),),
            "tokens": (("tokens",),),
            "prompt": (("system_prompt",),),
            "older": (("older_summaries",),),
            "summary": tuple((key,) for key in SUMMARY),
        }
        for part, places in parts.items():
            if any(not is_same(_none(wanted, *at), _none(came, *at)) for at in places):
                return part
        return "messages"


CONTEXT = _ContextWording()


def has_compaction(request: Request) -> bool:
    """Whether the path of a request holds a compaction."""
    path = request.arguments.get("path")
    entries = path if isinstance(path, list) else []
    return any(part_of(entry, "type") == "compaction" for entry in entries)


def _choice(result: JsonValue) -> str:
    """A built context in short: why it was cut, and the ids of the entries kept."""
    kept = part_of(result, "kept_entry_ids")
    text = f"[{' '.join(map(str, kept))}]" if isinstance(kept, list) else spell(kept)
    return f"{spell(part_of(result, 'reason')).strip(chr(39))}, keeping {text}"


def _rest(expected: JsonValue, observed: JsonValue, has_rows: bool) -> list[Row]:
    """The parts beside choice and tokens; of those, what stands in front comes first."""
    keys = list(expected) if isinstance(expected, dict) else []
    rest = [key for key in keys if key not in (*_CHOSEN, "tokens", "path")]
    in_front = [key for key in SUMMARY if not is_same(_none(expected, key), _none(observed, key))]
    if in_front:
        rest = in_front
    rows: list[Row] = []
    if "summary" in in_front:
        rows += _in_front(part_of(expected, "summary"), part_of(observed, "summary"))
        rest.remove("summary")
    # Other messages follow from the choice: where that is wrong they say nothing new.
    if in_front or not has_rows:
        found = [
            (_in_words(path), wanted, came)
            for key in rest
            for path, wanted, came in _differences(key, expected, observed)
        ]
        if found:
            wanted_lines, came_lines = lines_of(found)
            rows += [("expected", wanted_lines), ("got", came_lines)]
    return rows


def _differences(key: str, expected: JsonValue, observed: JsonValue) -> list[Difference]:
    found = differences(part_of(expected, key), part_of(observed, key))
    return [
        (f"{key}.{path}" if path and path[0] != "[" else key + path, wanted, came)
        for path, wanted, came in found
    ]


def _in_front(values: Found, found: Found) -> list[Row]:
    """Which values of a summary the first message has in order, and which it lacks."""
    wanted = values if isinstance(values, list) else []
    left = found if isinstance(found, list) else []
    lacking = []
    for value in wanted:
        if left[:1] == [value]:
            left = left[1:]
        else:
            lacking.append(value)
    shown = "".join(f"\n  {value!r}" for value in lacking[:MOST])
    more = f"\n  and {len(lacking) - MOST} more" if len(lacking) > MOST else ""
    got = f"{len(wanted) - len(lacking)} of them in order. Missing, or in another place:"
    text = f"all {len(wanted)} values of the summary in the first message, in order"
    return [("expected", text), ("got", f"{got}{shown}{more}")]


_PARTS = {
    "summary_is": "role and timestamp of the first message",
    "older_summaries": "values of an older summary in any message",
}


def _in_words(path: str) -> str:
    """A place in a built context, in words where it has a name of its own."""
    return next((text for part, text in _PARTS.items() if re.match(rf"{part}\b(?!_)", path)), path)


def _ladder(expected: Found, observed: Found) -> str:
    """The token table, both sides, its first wrong row marked."""
    signs = {"max_tokens": " ", "available_for_messages": "=", "messages": " ", "total": " "}
    lines = [f"{'':<24}{'expected':>10}{'got':>12}"]
    marked = False
    for key in expected if isinstance(expected, dict) else ():
        wanted, came = part_of(expected, key), part_of(observed, key)
        line = f"{signs.get(key, '-')} {key:<22}{spell(wanted):>10}{spell(came):>12}"
        if not marked and not is_same(wanted, came):
            line += "  <- here"
            marked = True
        lines.append(line)
    return "\n".join(lines)


def _same_end(expected: Found, observed: Found) -> bool:
    """Whether one list of ids ends the other: then the same groups were there to choose from."""
    if not isinstance(observed, list) or not isinstance(expected, list):
        return True
    fewer = min(len(expected), len(observed))
    return is_same(expected[len(expected) - fewer :], observed[len(observed) - fewer :])


def _none(value: JsonValue, *keys: str) -> Found:
    """What stands at keys, None where there is nothing."""
    found = part_of(value, *keys)
    return None if found is MISSING else found


def _json(value: Found) -> JsonValue:
    return None if value is MISSING or not isinstance(value, list) else value
