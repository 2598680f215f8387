"""A function revealed into an older practice folder finds what it calls there.

`coursekit reveal` and `coursekit reset` put one function into files that stay as an
older release made them, so a function may use only names that every release's files had.
"""

import builtins
import symtable

import pytest

from coursekit.check.course import Lab
from coursekit.check.source_text import function_source
from coursekit.course import COURSE

IN_EVERY_RELEASE = {
    "session.py": {
        "Any", "CompactionSessionEntry", "CompactionSummary", "SUMMARY_KEYS", "_ENVELOPE",
        "read_non_blank", "read_non_negative", "read_number", "read_object", "read_strings",
    },
    "context.py": {
        "AssistantMessage", "BudgetError", "BuildContextResult", "Callable", "CUT_OFF",
        "CompactionError", "CompactionSessionEntry", "CompactionSummary", "ContextTokens",
        "InteractionError", "InteractionGroup", "Iterable", "LedgerRow", "Literal", "Message",
        "MessageSessionEntry", "Restoration", "Sequence", "SessionEntry", "TextContent",
        "TokenEstimator", "ToolCall", "ToolResultMessage", "UserMessage",
        "build_context", "cast", "check_amount", "group_interactions", "parse_session_entry",
        "restore", "summary_to_json",
    },
}  # fmt: skip
"""What the functions use of the starters of release 0.1 and since; nothing may be added."""


def names_used(source: str) -> set[str]:
    """The names that a module of this one function takes from around it."""
    found: set[str] = set()
    tables = [symtable.symtable(source, "function", "exec")]
    while tables:
        table = tables.pop()
        tables += table.get_children()
        top = table.get_type() == "module"
        found |= {
            symbol.get_name()
            for symbol in table.get_symbols()
            if (symbol.is_referenced() if top else symbol.is_global())
        }
    return found - set(dir(builtins))


@pytest.mark.parametrize("lab", COURSE.exercises, ids=lambda lab: lab.id)
def test_a_revealed_function_uses_only_names_of_every_release(lab: Lab) -> None:
    reference = COURSE.reference_source(lab.module).read_bytes()
    source = function_source(reference, lab.function, lab.module).decode()
    assert names_used(source) <= IN_EVERY_RELEASE[lab.module] | {lab.function}


@pytest.mark.parametrize("lab", COURSE.exercises, ids=lambda lab: lab.id)
def test_an_emptied_function_uses_only_names_of_every_release(lab: Lab) -> None:
    starter = (COURSE.starters / lab.module).read_bytes()
    source = function_source(starter, lab.function, lab.module).decode()
    assert names_used(source) <= IN_EVERY_RELEASE[lab.module] | {lab.function, "LabNotDone"}


def test_a_name_from_around_a_function_is_found() -> None:
    source = "def f(x: Outer) -> None:\n    y = helper(x)\n    def g():\n        return deep(y)\n"
    assert names_used(source) == {"Outer", "helper", "deep"}
