"""Means of numbers that come one by one."""

import math
from collections.abc import Sequence


class InputError(ValueError):
    """What was passed in can't be used; the message names the place."""


def running_mean(numbers: Sequence[float]) -> list[float]:
    """The mean of each number and of all numbers before it.

    Raises `InputError` naming the place, such as `numbers[2]`, of the first that is no
    finite number; True and False are none.
    """
    means: list[float] = []
    total = 0.0
    for place, number in enumerate(numbers):
        kind = type(number)
        if kind not in (int, float) or not math.isfinite(number):
            raise InputError(f"numbers[{place}]: {number!r} is no finite number")
        total += number
        means.append(total / (place + 1))
    return means
