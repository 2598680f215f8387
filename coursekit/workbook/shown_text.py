"""Text for 80 columns, in a terminal or under a notebook's cell."""

import textwrap

WIDTH = 80


class ShownText:
    """Text that a notebook cell shows as it is."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def wrapped(text: str) -> str:
    """Paragraphs broken into lines of at most 80 characters."""
    return "\n\n".join(textwrap.fill(part, WIDTH) for part in text.split("\n\n"))


_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def number_in_words(number: int) -> str:
    """A number up to ten in words, a greater one in digits."""
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)
