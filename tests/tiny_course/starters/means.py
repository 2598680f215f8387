"""Means of numbers that come one by one."""

import math
from collections.abc import Sequence


class InputError(ValueError):
    """What was passed in can't be used; the message names the place."""


class LabNotDone(NotImplementedError):
    """Raised where a lab is still to be written; the message names the lab."""


def running_mean(numbers: Sequence[float]) -> list[float]:
    """The mean of each number and of all numbers before it.

    Raises `InputError` naming the place, such as `numbers[2]`, of the first that is no
    finite number; True and False are none.
    """
    raise LabNotDone("Lab mean: running_mean is not written yet")
