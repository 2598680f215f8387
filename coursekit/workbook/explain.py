"""From case, expected and observed to a message that teaches.

The message shows the call, what was expected, what came, the rule behind it, and
where in the notebook the rule is explained. It is plain text, so that a terminal,
a notebook and a graded report say the same.
"""

from typing import Any

from coursekit.workbook.cases import Case, Step

_WIDTH = 68


def explain(
    case: Case,
    at: int,
    expected: dict[str, Any],
    observed: dict[str, Any],
    *,
    show_expected: bool = True,
) -> str:
    """The message for step `at` of a case, whose observation is not the expected one.

    Without `show_expected` it leaves out what was expected, and keeps call, result and rule.
    """
    step = case.steps[at]
    if "unfinished" in observed:
        return f"not started: {observed['note']['text']}"
    rows = [("call", step.call)]
    if "returned" in expected and "returned" in observed:
        wrong = differences(expected["returned"], observed["returned"])
        shown = [f"{path or 'the result'}: {_short(value)}" for path, value, _ in wrong[:_MOST]]
        came = [f"{path or 'the result'}: {_short(value)}" for path, _, value in wrong[:_MOST]]
        if len(wrong) > _MOST:
            came.append(f"and {len(wrong) - _MOST} more differences")
        rows += [("expected", "\n".join(shown)), ("got", "\n".join(came))]
    else:
        rows += [("expected", _told(step, expected)), ("got", _got(step, expected, observed))]
    if not show_expected:
        rows = [row for row in rows if row[0] != "expected"]
    rows.append(("rule", step.rule.text))
    rows.append(("read", f"the section “{step.rule.heading}” of this lab's notebook"))
    return "\n".join(_row(name, text) for name, text in rows)


_MOST = 4


def differences(expected: Any, observed: Any) -> list[tuple[str, Any, Any]]:
    """Where two JSON values differ: path, expected and observed value of each place.

    Lists of plain values are compared whole: an id missing in front would otherwise
    make every place behind it look wrong. A missing place is `MISSING`.
    """
    found = []
    todo = [("", expected, observed)]
    while todo:
        path, want, came = todo.pop()
        if type(want) is type(came) and want == came:
            continue
        if isinstance(want, dict) and isinstance(came, dict):
            keys = [*want, *(key for key in came if key not in want)]
            pairs = [
                (f"{path}.{key}" if path else key, want.get(key, MISSING), came.get(key, MISSING))
                for key in keys
            ]
            todo += reversed(pairs)
        elif _nested(want) and _nested(came) and len(want) == len(came):
            pairs = [(f"{path}[{i}]", *pair) for i, pair in enumerate(zip(want, came, strict=True))]
            todo += reversed(pairs)
        else:
            found.append((path, want, came))
    return found


class _Missing:
    def __repr__(self) -> str:
        return "nothing"


MISSING = _Missing()


def _nested(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(item, list | dict) for item in value)


def _told(step: Step, observation: dict[str, Any]) -> str:
    """An expected observation in words."""
    if "returned" in observation:
        return f"it returns {_short(observation['returned'])}"
    names = " and ".join(forms[0] for forms in step.ask["names"])
    told = f"a ValueError whose message names {names}"
    if step.ask.get("causes"):
        told += ", raised from the estimator's own error"
    return told


def _got(step: Step, expected: dict[str, Any], observed: dict[str, Any]) -> str:
    if "ended" in observed:
        return ENDED[observed["ended"]]
    if "returned" in observed:
        return f"it returned {_short(observed['returned'])}"
    note = observed["note"]
    told = f"{note['error']}: {note['text']}"
    if "line" in note:
        told += f"\nin {note['file']}, line {note['line']}"
    if "refused" in expected and "refused" in observed:
        missing = [name for name in expected["refused"] if name not in observed["refused"]]
        if missing:
            told += f"\nwhich does not name {' and '.join(missing)}"
        elif expected.get("cause") != observed.get("cause"):
            told += "\nwhich was not raised from the estimator's error"
    return told


ENDED = {
    "time": "it did not come to an end: look for a loop that never stops",
    "output": "it was stopped because it printed without end",
    "exit": "it ended the whole Python process: look for an exit",
    "memory": "it was stopped because it took too much memory",
}


def _short(value: Any) -> str:
    """A JSON value on few lines, as a reader of ids and roles would write it."""
    if isinstance(value, list) and value and all(_is_message(item) for item in value):
        told = " ".join(_name(item) for item in value)
    elif isinstance(value, list) and value and all(isinstance(item, list) for item in value):
        told = " ".join(f"[{' '.join(_name(item) for item in each)}]" for each in value)
    elif isinstance(value, dict) and "kept_entry_ids" in value:
        kept = " ".join(map(str, value["kept_entry_ids"]))
        told = f"{value['reason']}, keeping [{kept}], total {value['tokens']['total']}"
    else:
        told = repr(value)
    return told if len(told) <= 4 * _WIDTH else f"{told[: 4 * _WIDTH]} …"


def _is_message(item: Any) -> bool:
    return isinstance(item, dict) and ("id" in item or "role" in item)


def _name(item: Any) -> str:
    if isinstance(item, dict):
        return str(item.get("id") or item.get("role") or item)
    return repr(item)


def _row(name: str, text: str) -> str:
    """A name in a narrow column, its text wrapped beside it."""
    import textwrap

    lines = [
        part
        for line in text.splitlines() or [""]
        for part in textwrap.wrap(line, _WIDTH, break_long_words=False) or [""]
    ]
    return "\n".join(
        f"  {name if i == 0 else '':<9} {line}".rstrip() for i, line in enumerate(lines)
    )
