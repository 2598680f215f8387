"""How wide text is, in terminal columns and in a proportional font.

Chinese, Japanese and Korean characters take two columns, combining marks none.
Boxes are sized from these figures and not from the drawing program's own font
tables, so a picture has the same layout whichever program draws it.
"""

from __future__ import annotations

import unicodedata

ELLIPSIS = "…"

_NARROW = frozenset("iIjlftr.,:;'`|!()[]{}/\\ ")
_WIDE = frozenset("mwMW@%")


def clean(text: str) -> str:
    """`text` on one line: runs of white space and control characters become one space."""
    kept = "".join(" " if unicodedata.category(char) in _UNPRINTABLE else char for char in text)
    return " ".join(kept.split())


_UNPRINTABLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def name(entry_id: str, width: int) -> str:
    """An id as it is shown: one line, at most `width` columns, never empty."""
    return clip(clean(entry_id) or ascii(entry_id), width)


def columns(text: str) -> int:
    """Width of `text` in terminal columns."""
    return sum(_char_columns(char) for char in text)


def _char_columns(char: str) -> int:
    if char.isascii():
        return 1
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def clip(text: str, width: int) -> str:
    """`text` cut to at most `width` columns, ending in `…` when something was cut."""
    if len(text) * 2 <= width or columns(text) <= width:
        return text
    room = width - 1
    kept: list[str] = []
    for char in text:
        room -= _char_columns(char)
        if room < 0:
            break
        kept.append(char)
    return "".join(kept).rstrip() + ELLIPSIS


def pad(text: str, width: int, *, right: bool = False) -> str:
    """`text` filled with spaces to `width` columns; `right` puts the spaces in front."""
    fill = " " * (width - columns(text))
    return fill + text if right else text + fill


def ems(text: str) -> float:
    """A safe estimate of the width of `text` in a sans-serif font, in ems."""
    return sum(_char_ems(char) for char in text)


def _char_ems(char: str) -> float:
    if not char.isascii():
        return 1.04 if _char_columns(char) == 2 else 0.8 * _char_columns(char)
    if char in _NARROW:
        return 0.34
    if char in _WIDE:
        return 0.95
    return 0.72 if char.isupper() else 0.57
