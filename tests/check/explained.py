"""Messages about groups, and about answers with one fault, for tests of wording."""

from coursekit.check.case import PLAIN, Case, Rule, Step, Wording
from coursekit.check.explanation import explain
from coursekit.check.outcome import Failed
from coursekit.check.protocol import Request, Returned
from coursekit.course import COURSE
from coursekit.course.groups_wording import GROUPS
from tests.solutions.answers import Answers, right

RULE = Rule("A rule.", "A heading")


def case(wording: Wording = PLAIN, check: str = "11.2/1") -> Case:
    return Case(check, 0, [Step(Request("group", {}), "a call", RULE, wording=wording)])


def message_of(expected: Returned, observed: Returned) -> str:
    """The message about groups that differ."""
    return explain(COURSE, case(GROUPS), Failed(0, expected, observed))


def replaced(module: str, old: str, new: str) -> Answers:
    """The right answers, one text in them another."""
    assert right().text(module).count(old) == 1
    return right().changed(module, lambda text: text.replace(old, new))


def groups(*ids: str) -> Returned:
    return Returned([[{"id": each} for each in group.split()] for group in ids])
