"""A case: the steps of one check at one variant, made on the trusted side.

Of a step only its `request` crosses to the answer. The rest says what a refusal must name,
and explains a failed check: the call in words, the rules behind it, and the `Wording` for
the kind of thing that it returns.
"""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from coursekit.check.differences import differences, is_same, lines_of, spell
from coursekit.check.protocol import JsonValue, Note, Observation, Refused, Request, Returned

Row = tuple[str, str]
"""A line of a message: its name, such as "expected", and its text."""


class Rule(NamedTuple):
    """A rule in one sentence, and the heading of the notebook that explains it."""

    text: str
    heading: str


NO_OTHERS: Mapping[str, Rule] = MappingProxyType({})


class Mistake(NamedTuple):
    """A mistake with a name: what the reference would return for `request` betrays it.

    `remark` is what to say of it. Someone whose lab's function is a stub has not begun.
    """

    request: Request
    remark: str


class Wording:
    """How the calls of one kind are put into words; a course has a subclass a kind."""

    function = ""
    """The answer's function that is called, as `module.function`; may be empty."""

    result = ""
    """The class of what that function returns, where it is one object."""

    is_chained = False
    """Whether a refusal of such a call may be chained to another error."""

    shows_expected = False
    """Whether what was expected is shown even to those who are to see none of it."""

    def returned(self, value: JsonValue) -> str:
        """What a call returned, in short."""
        return spell(value)

    def refusal(self, step: "Step") -> str:
        """The refusal that is expected of a step."""
        names = " and ".join(repr(forms[0]) for forms in step.names)
        return f"a ValueError whose message names {names}"

    def unchained(self) -> str:
        """What to say of a refusal that lacks its cause."""
        return "It is not chained to the error that caused it."

    def wrong_kind(self, step: "Step", note: Note) -> str:
        """What to say where another kind of thing was returned than should be; else nothing."""
        if note.error not in ("TypeError", "AttributeError") or note.place is not None:
            return ""
        if re.match(NOTHING, note.text):
            return f"None: {self.function.rpartition('.')[2]} has no return on this way"
        found = re.match(r"'(\w+)' object has no attribute", note.text)
        if found and self.result and found[1] in _BUILTIN:
            return f"{found[1]}, not a {self.result}"
        return ""

    def compared(self, step: "Step", expected: JsonValue, observed: JsonValue) -> list[Row]:
        """Rows that set two returned values against each other; they differ."""
        wanted, found = lines_of(differences(expected, observed))
        return [("expected", wanted), ("got", found)]

    def is_alike(self, expected: JsonValue, observed: JsonValue) -> bool:
        """Whether a returned value is the one that a known mistake leads to."""
        return is_same(expected, observed)

    def first_wrong(self, step: "Step", expected: Returned, observed: Observation) -> str:
        """What of a call to accept went wrong first, by the names of `Step.other_rules`."""
        return "refused" if isinstance(observed, Refused) else ""


PLAIN: Wording = Wording()


class Step(NamedTuple):
    """One call, or one look.

    `names` are what a refusal must hold, each in any of its forms, and `causes` what the
    error that it is chained to must hold. A step without names is one to accept.
    `other_rules` are the rules to show in place of `rule`, by what went wrong first:
    "refused" for a call to accept that was refused, or a part that the wording knows.
    """

    request: Request
    call: str
    rule: Rule
    names: Sequence[Sequence[str]] = ()
    causes: Sequence[str] = ()
    other_rules: Mapping[str, Rule] = NO_OTHERS
    wording: Wording = PLAIN
    mistake: Mistake | None = None

    def named(self, refusal: Refused) -> list[str]:
        """The required names that a refusal holds, each by its first form."""
        return [forms[0] for forms in self.names if any(form in refusal.text for form in forms)]

    def caused(self, refusal: Refused) -> list[str]:
        """The required causes that the error behind a refusal holds."""
        return [text for text in self.causes if text in refusal.cause]


class Case(NamedTuple):
    """The steps of one check (`"11.3/2"`) at one variant, in order."""

    check: str
    variant: int
    steps: Sequence[Step]


NOTHING = r"'NoneType' object (has no attribute '(\w+)'|is not )|cannot unpack non-\w+ None"
"""How Python complains of None where another thing should be; a pattern for `re.match`."""

_BUILTIN = ("dict", "list", "tuple", "str", "generator", "bool", "int")
