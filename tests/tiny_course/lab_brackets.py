"""Lab brackets: each bracket of a text is paired with the one that closes it."""

from random import Random

from coursekit.check.case import Rule, Step, Wording
from coursekit.check.observing import TAMPER
from coursekit.check.protocol import Request

PAIRS = Rule("The newest open bracket is closed first.", "The newest is closed first")
LOOSE = Rule("A bracket without its other half is refused, and its place named.", "Loose brackets")
OWN_LIST = Rule("Every call returns a list of its own.", "Nothing is shared")


def check_1(variant: int) -> list[Step]:
    """Each bracket is paired with the one that closes it."""
    draw = Random(f"brackets/1 {variant}")
    text = _balanced(draw, "abc") if variant else "f(a[1], {b})"
    look_again = Request(TAMPER, {"in": "pairs", "at": [[]], "with": "more", "show": "again"})
    blocks = [
        [
            _match(text, PAIRS),
            Step(look_again, "change the pairs, then ask for them again", OWN_LIST),
        ],
        [_match("no brackets", PAIRS)],
        [_match(text * 2, PAIRS)],
        [_match("(", LOOSE, loose=0)],
    ]
    return _mixed(draw, variant, blocks)


def check_2(variant: int) -> list[Step]:
    """A loose bracket is refused."""
    draw = Random(f"brackets/2 {variant}")
    text = _balanced(draw, "xyz") if variant else "{x}[0]"
    blocks = [
        [_match(text, PAIRS)],
        [_match(f"{text})", LOOSE, loose=len(text))],
        [_match(f"({text}]", LOOSE, loose=1 + len(text))],
        [_match(f"{text}[{text}", LOOSE, loose=len(text))],
    ]
    return _mixed(draw, variant, blocks)


def _match(text: str, rule: Rule, *, loose: int | None = None) -> Step:
    """Match a text's brackets; `loose` is the place of the one that must be refused."""
    names = [] if loose is None else [[f"text[{loose}]"]]
    request = Request("match", {"text": text})
    return Step(request, f"match_brackets({text!r})", rule, names, wording=MATCHING)


def _balanced(draw: Random, letters: str) -> str:
    """Nested brackets around a letter; each check has letters, and so texts, of its own."""
    text = draw.choice(letters)
    for _ in range(draw.randint(2, 5)):
        pair = draw.choice(["()", "[]", "{}"])
        text = draw.choice([pair[0] + text + pair[1], text + pair])
    return text


def _mixed(draw: Random, variant: int, blocks: list[list[Step]]) -> list[Step]:
    if variant:
        draw.shuffle(blocks)
    return [step for block in blocks for step in block]


class _MatchingWording(Wording):
    function = "brackets.match_brackets"
    result = "list"


MATCHING = _MatchingWording()
