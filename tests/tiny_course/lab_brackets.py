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
    look_again = Request(TAMPER, {"in": "pairs", "at": [[]], "with": "more", "show": "again"})
    blocks = [
        [
            _match(_balanced(draw, variant), PAIRS),
            Step(look_again, "change the pairs, then ask for them again", OWN_LIST),
        ],
        [_match("no brackets", PAIRS)],
        [_match(_balanced(draw, variant) * 2, PAIRS)],
        [_match("(", LOOSE, loose=0)],
    ]
    return _mixed(draw, variant, blocks)


def check_2(variant: int) -> list[Step]:
    """A loose bracket is refused."""
    draw = Random(f"brackets/2 {variant}")
    text = _balanced(draw, variant)
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


def _balanced(draw: Random, variant: int) -> str:
    if not variant:
        return "f(x[1], {y})"
    text = draw.choice("abc")
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
