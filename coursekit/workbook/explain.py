"""From case, expected and observed to a message that teaches.

The message shows the call, what was expected, what came, the rule behind it, and
where in the notebook the rule is explained. It is plain text, so that a terminal,
a notebook and a graded report say the same.
"""

import re
import textwrap
from collections.abc import Callable
from typing import Any

from coursekit.workbook import manifest
from coursekit.workbook.cases import Case, Rule, Step
from coursekit.workbook.differences import (
    MISSING,
    MOST,
    attributes,
    differences,
    lines,
    name,
    same,
    spelled,
)
from coursekit.workbook.observer import observe
from coursekit.workbook.outcome import choice, expected_text, observed_text

WIDTH = 64
"""Characters of a row's text; with the names in front and an indent it fits in 80."""

NOT_CALLED = "build_context did not call restore"
"""What to say where a compaction on the path changed nothing."""

_Row = tuple[str, str]


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
        return _not_started(case, observed["note"]["text"])
    missing = _missing_function(observed) or _unreadable(observed)
    if missing:
        return missing
    rows = [("call", step.call)]
    if "returned" not in expected or "returned" not in observed:
        rows.append(("expected", expected_text(step, expected)))
        rows.append(("got", observed_text(step, expected, observed)))
    elif show_expected or step.ask["do"] == "tamper":
        rows += _compared(step, expected["returned"], observed["returned"])
    else:
        rows.append(("got", lines(differences(expected["returned"], observed["returned"]))[1]))
    if not show_expected:
        rows = [row for row in rows if row[0] != "expected"]
    if _passed_over(step, observed):
        rows.append(("note", f"{NOT_CALLED}: see step 3 of its docstring"))
    rule = _rule(step, _first_wrong(expected, observed))
    rows.append(("rule", rule.text))
    notebook = manifest.lab_of(case.check).notebook
    rows.append(("read", f"“{rule.heading}” in {notebook}"))
    return "\n".join(_row(name, text) for name, text in rows)


def _not_started(case: Case, told: str) -> str:
    """A lab that is a stub still; it may be an earlier one than the check's own."""
    lab = manifest.lab_of(case.check).id
    found = re.match(r"Lab (\S+):", told)
    if found and found[1] != lab:
        return f"not started: {told}. Lab {lab} builds on it."
    return f"not started: {told}"


def _missing_function(observed: dict[str, Any]) -> str:
    """What to say when a lab's function, or its file, is not there any more; else nothing."""
    text = observed.get("note", {}).get("text", "")
    for lab in manifest.labs():
        module = lab.module.removesuffix(".py")
        if text == f"No module named '{module}'":
            told = f"{lab.module} is not there: give it its name again."
            stub = f"Or begin anew: coursekit reset {lab.id} puts the starter there."
            return "\n".join([_row("got", told), _row("next", stub)])
        gone = (
            f"module '{module}' has no attribute '{lab.function}'",
            f"name '{lab.function}' is not defined",
        )
        if text.startswith(gone):
            return "\n".join(
                [
                    _row("got", f"{lab.module} has no function {lab.function} any more."),
                    _row("next", f"coursekit reset {lab.id} puts its stub back."),
                ]
            )
    return ""


def _unreadable(observed: dict[str, Any]) -> str:
    """What to say of a file that is no Python; no rule of the course speaks of that."""
    note = observed.get("note", {})
    if note.get("error") not in ("SyntaxError", "IndentationError", "TabError"):
        return ""
    if "line" not in note:
        return ""
    told = f"{note['file']} can't be read: line {note['line']}, {note['text']}"
    return _row("got", f"{told}\n    {note['source']}")


def _first_wrong(expected: dict[str, Any], observed: dict[str, Any]) -> str:
    """What of a call went wrong first, by the names of `Step.other_rules`."""
    if "returned" not in expected:
        return ""
    if "returned" not in observed:
        return "refused" if "refused" in observed else ""
    want, came = expected["returned"], observed["returned"]
    if not (isinstance(want, dict) and "tokens" in want):
        return ""
    if not same(want.get("path"), came.get("path")):
        return ""
    if not _same_end(want["kept_entry_ids"], came["kept_entry_ids"]):
        return "restored"
    parts: dict[str, Callable[[Any], Any]] = {
        "available": lambda told: told["tokens"]["available_for_messages"],
        "kept": lambda told: told["kept_entry_ids"],
        "reason": lambda told: told["reason"],
        "tokens": lambda told: told["tokens"],
        "prompt": lambda told: told["system_prompt"],
        "older": lambda told: told.get("older_summaries"),
        "summary": lambda told: [told.get(key) for key in _SUMMARY],
    }
    for part, read in parts.items():
        if not same(read(want), read(came)):
            return part
    return "messages"


def _rule(step: Step, wrong: str) -> Rule:
    """The rule behind what went wrong; a choice from other groups counts as one of "kept"."""
    if wrong == "restored" and wrong not in step.other_rules:
        wrong = "kept"
    return step.other_rules.get(wrong, step.rule)


def _same_end(expected: Any, observed: Any) -> bool:
    """Whether one list of ids ends the other: then the same groups were there to choose from."""
    if not isinstance(observed, list):
        return True
    fewer = min(len(expected), len(observed))
    return same(expected[len(expected) - fewer :], observed[len(observed) - fewer :])


def _passed_over(step: Step, observed: dict[str, Any]) -> bool:
    """Whether a context looks as if there was no compaction on the path.

    The reference says what that is like: messages only, from the whole path.
    """
    from importlib import import_module

    path = step.ask.get("path", ())
    if "returned" not in observed or not any(entry["type"] == "compaction" for entry in path):
        return False
    if step.ask["do"] != "build":
        return False
    messages = [entry for entry in path if entry["type"] != "compaction"]
    alike = observe(
        {**step.ask, "path": messages}, {}, lambda name: import_module(f"coursekit.{name}")
    )
    if "returned" not in alike:
        return False
    told = ("kept_entry_ids", "messages", "summary", "summary_is")
    return all(same(alike["returned"].get(key), observed["returned"].get(key)) for key in told)


_SUMMARY = ("summary", "summary_is", "older_summaries")


# --- both returned something ------------------------------------------------------


def _compared(step: Step, expected: Any, observed: Any) -> list[_Row]:
    if step.ask["do"] == "tamper":
        return _reached(step.ask["show"], expected, observed)
    if step.ask["do"] == "group" and _ids(expected) != _ids(observed):
        return [("groups", _side_by_side(_ids(expected), _ids(observed)))]
    if step.ask["do"] == "build":
        if "path" in expected and not same(expected["path"], observed["path"]):
            return _reached("path", expected["path"], observed["path"])
        return _context(expected, observed)
    wanted, came = lines(differences(expected, observed))
    return [("expected", wanted), ("got", came)]


def _reached(shown: str, expected: Any, observed: Any) -> list[_Row]:
    """A change in one thing that another, called `shown`, shows too."""
    found = [
        (f"{shown}.{path}" if path and path[0] != "[" else shown + path, want, came)
        for path, want, came in differences(expected, observed)
    ]
    if found[0][0] == shown:  # not a place in it: the whole is another
        wanted, came = lines(found)
        return [("expected", wanted), ("got", came)]
    places = [path if shown == "input" else _as_held(path) for path, _, _ in found]
    more = f" and {len(places) - 3} more places" if len(places) > 3 else ""
    told = f"it shows at {', '.join(places[:3])}{more}"
    return [("expected", "no trace of the change there"), ("got", told)]


def _as_held(path: str) -> str:
    """A place in a shown path or group, as the call's own words name places: by attributes."""
    path = re.sub(r"^groups(\[\d+\])(\[\d+\])", r"groups\1.entries\2", path)
    if path.startswith(("path[", "groups[")):
        path = path.replace(".content", ".message.content", 1).replace(".call.", ".", 1)
    return attributes(path)


def _context(expected: dict[str, Any], observed: dict[str, Any]) -> list[_Row]:
    """A built context: what was kept and why, then the first part of it that differs."""
    rows: list[_Row] = []
    chosen = ("reason", "kept_entry_ids")
    if any(not same(expected[key], observed[key]) for key in chosen):
        rows += [("expected", choice(expected)), ("got", choice(observed))]
    if not same(expected["tokens"], observed["tokens"]):
        rows.append(("tokens", _ladder(expected["tokens"], observed["tokens"])))
    rest = [key for key in expected if key not in (*chosen, "tokens", "path")]
    in_front = [key for key in _SUMMARY if not same(expected.get(key), observed.get(key))]
    if in_front:
        rest = in_front
    if "summary" in in_front:
        rows += _told_in_front(expected["summary"], observed.get("summary"))
        rest.remove("summary")
    # Other messages follow from the choice: where that is wrong they say nothing new.
    if in_front or not rows:
        found = differences(
            {key: expected[key] for key in rest}, {key: observed.get(key, MISSING) for key in rest}
        )
        if found:
            wanted, came = lines([(_called(path), *pair) for path, *pair in found])
            rows += [("expected", wanted), ("got", came)]
    return rows


def _told_in_front(values: list[str], found: Any) -> list[_Row]:
    """Which values of a summary the first message has in order, and which it lacks."""
    told = found if isinstance(found, list) else []
    lacking = []
    for value in values:
        if told[:1] == [value]:
            told = told[1:]
        else:
            lacking.append(value)
    shown = "".join(f"\n  {value!r}" for value in lacking[:MOST])
    more = f"\n  and {len(lacking) - MOST} more" if len(lacking) > MOST else ""
    got = f"{len(values) - len(lacking)} of them in order. Missing, or in another place:"
    wanted = f"all {len(values)} values of the summary in the first message, in order"
    return [("expected", wanted), ("got", f"{got}{shown}{more}")]


_PARTS = {
    "summary_is": "role and timestamp of the first message",
    "older_summaries": "values of an older summary in any message",
}


def _called(path: str) -> str:
    """A place in a built context, in words where it has a name of its own."""
    return next((told for part, told in _PARTS.items() if re.match(rf"{part}\b(?!_)", path)), path)


def _ladder(expected: dict[str, Any], observed: dict[str, Any]) -> str:
    """The token table, both sides, its first wrong row marked."""
    signs = {"max_tokens": " ", "available_for_messages": "=", "messages": " ", "total": " "}
    told = [f"{'':<24}{'expected':>10}{'got':>12}"]
    marked = False
    for key, want in expected.items():
        line = f"{signs.get(key, '-')} {key:<22}{spelled(want):>10}{spelled(observed[key]):>12}"
        if not marked and not same(want, observed[key]):
            line += "  <- here"
            marked = True
        told.append(line)
    return "\n".join(told)


def _ids(groups: Any) -> list[str]:
    if not isinstance(groups, list):
        return [spelled(groups)]
    return [" ".join(map(name, group)) or "(empty)" for group in groups]


_ROWS = 40  # groups of either side that are told; no case has as many


def _side_by_side(expected: list[str], observed: list[str]) -> str:
    """Groups as two columns, or in pairs of lines where the columns would be too wide."""
    count = max(len(expected), len(observed))
    left = (expected + ["none"] * (count - len(expected)) or ["none"])[:_ROWS]
    right = (observed + ["none"] * (count - len(observed)) or ["none"])[:_ROWS]
    more = [f"   and {count - _ROWS} more"] if count > _ROWS else []
    wide = max(map(len, [*left, "expected"]))
    told = []
    if wide + max(map(len, [*right, "got"])) + 5 <= WIDTH:
        told.append(f"   {'expected':<{wide}}  got")
        for want, came in zip(left, right, strict=True):
            told.append(f"{'  ' if want == came else '->'} {want:<{wide}}  {came}")
        return "\n".join(told + more)
    for i, (want, came) in enumerate(zip(left, right, strict=True), start=1):
        if want == came:
            told.append(f"{i}. {want}: as expected")
        else:
            told += [f"{i}. expected  {want}", f"   got       {came}"]
    return "\n".join(told + more)


def _row(title: str, text: str) -> str:
    """A name in a narrow column, its text wrapped beside it."""
    parts = [
        part
        for line in text.splitlines() or [""]
        for part in textwrap.wrap(
            line,
            WIDTH,
            break_on_hyphens=False,
            subsequent_indent=" " * (len(line) - len(line.lstrip())),
        )
        or [""]
    ]
    return "\n".join(
        f"  {title if i == 0 else '':<9} {part}".rstrip() for i, part in enumerate(parts)
    )
