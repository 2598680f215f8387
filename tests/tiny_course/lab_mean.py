"""Lab mean: numbers come one by one, and each gets the mean of all so far."""

from collections.abc import Sequence
from itertools import pairwise
from random import Random

from coursekit.check.case import Rule, Step, Wording
from coursekit.check.observing import TAMPER
from coursekit.check.protocol import JsonValue, Request

MEAN = Rule("A mean covers its number and all before it.", "The mean so far")
NUMBER = Rule("What is no finite number is refused, and its place named.", "What is no number")
OWN_LIST = Rule("The numbers that were passed in stay as they were.", "Nothing is shared")


def check_1(variant: int) -> list[Step]:
    """Each mean covers all numbers so far."""
    draw = Random(f"mean/1 {variant}")
    look_again = Request(TAMPER, {"in": "means", "at": [[]], "with": "more", "show": "numbers"})
    blocks = [
        [
            _average(_numbers(draw, variant), MEAN),
            Step(look_again, "change the means, then look at the numbers", OWN_LIST),
        ],
        [_average([], MEAN)],
        [_average([draw.randint(0, 9), "x"], NUMBER, wrong=1)],
    ]
    return _mixed(draw, variant, blocks)


def check_2(variant: int) -> list[Step]:
    """What is no number is refused."""
    draw = Random(f"mean/2 {variant}")
    blocks = [[_average(_numbers(draw, variant), MEAN)]]
    wrong: list[JsonValue] = ["x", None, True, {"python": "nan"}, {"python": "inf"}]
    for bad in wrong:
        numbers = _numbers(draw, variant)
        place = draw.randrange(len(numbers))
        blocks.append([_average([*numbers[:place], bad, *numbers[place:]], NUMBER, wrong=place)])
    return _mixed(draw, variant, blocks)


def _average(numbers: Sequence[JsonValue], rule: Rule, *, wrong: int | None = None) -> Step:
    """Average numbers; `wrong` is the place of the one that must be refused."""
    request = Request("average", {"numbers": [*numbers]})
    names = [] if wrong is None else [[f"numbers[{wrong}]"]]
    return Step(request, f"running_mean({[*numbers]})", rule, names, wording=MEANS)


def _numbers(draw: Random, variant: int) -> list[int]:
    """Numbers whose means are whole, so that no way to compute them differs by rounding."""
    means = [draw.randint(-50, 50) for _ in range(draw.randint(3, 7))] if variant else [2, 4, 3]
    sums = [0, *(mean * count for count, mean in enumerate(means, start=1))]
    return [after - before for before, after in pairwise(sums)]


def _mixed(draw: Random, variant: int, blocks: list[list[Step]]) -> list[Step]:
    if variant:
        draw.shuffle(blocks)
    return [step for block in blocks for step in block]


class _MeansWording(Wording):
    function = "means.running_mean"
    result = "list"


MEANS = _MeansWording()
