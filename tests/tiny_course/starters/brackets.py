"""Brackets and what closes them."""

from means import InputError, LabNotDone

OPENED_BY = {")": "(", "]": "[", "}": "{"}
"""Each closing bracket with the one that it closes."""


def match_brackets(text: str) -> list[tuple[int, int]]:
    """The places of each bracket and of the one that closes it, in the order they open.

    Raises `InputError` naming the place, such as `text[2]`, of a bracket that does not
    close the newest open one, or of the newest that is open at the end.
    """
    raise LabNotDone("Lab brackets: match_brackets is not written yet")
