"""Brackets and what closes them."""

from tiny_course.reference.means import InputError

OPENED_BY = {")": "(", "]": "[", "}": "{"}
"""Each closing bracket with the one that it closes."""


def match_brackets(text: str) -> list[tuple[int, int]]:
    """The places of each bracket and of the one that closes it, in the order they open.

    Raises `InputError` naming the place, such as `text[2]`, of a bracket that does not
    close the newest open one, or of the newest that is open at the end.
    """
    pairs: list[tuple[int, int]] = []
    opened: list[int] = []
    for place, sign in enumerate(text):
        if sign in OPENED_BY.values():
            opened.append(place)
        elif sign in OPENED_BY:
            if not opened or text[opened[-1]] != OPENED_BY[sign]:
                raise InputError(f"text[{place}]: {sign} closes nothing here")
            pairs.append((opened.pop(), place))
    if opened:
        raise InputError(f"text[{opened[-1]}]: {text[opened[-1]]} is never closed")
    return sorted(pairs)
