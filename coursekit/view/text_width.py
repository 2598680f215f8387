"""How wide text is, in terminal columns and in a proportional font.

Chinese, Japanese and Korean characters take two columns, combining marks none.
Boxes are sized from these figures and not from the drawing program's own font
tables, so a picture has the same layout whichever program draws it.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

ELLIPSIS = "…"

OWN_MARKS = frozenset("…●○◀┃░│├─█→")
"""What trees and curves are drawn with: one column each."""

_NARROW = frozenset("iIjlftr.,:;'`|!()[]{}/\\ ")
_WIDE = frozenset("mwMW@%")
_AFTER_LATIN = "\u0300"
_EMOJI_STYLE = "\ufe0f"


def one_line(text: str) -> str:
    """`text` on one line: runs of white space and control characters become one space."""
    kept = "".join(" " if unicodedata.category(char) in _UNPRINTABLE else char for char in text)
    return " ".join(kept.split())


_UNPRINTABLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def shown_id(entry_id: str, width: int) -> str:
    """An id as it is shown: one line, at most `width` columns, never empty."""
    return clip(one_line(entry_id) or ascii(entry_id), width)


def columns(text: str) -> int:
    """Width of `text` in terminal columns; a control character counts as one."""
    return len(text) if text.isascii() else sum(map(_char_columns, text))


@lru_cache(maxsize=8192)
def _char_columns(char: str) -> int:
    """One by one and not `wcswidth`, so that a text may be cut between any two characters.

    wcwidth is imported where a text asks for it: it costs half as much as all of this
    package's drawing, and an English tree needs nothing of it.
    """
    if char < _AFTER_LATIN or char in OWN_MARKS:
        return 1
    if char == _EMOJI_STYLE:
        return 1  # Some terminals widen the character before it by one, some do not.
    from wcwidth import wcwidth

    width = wcwidth(char)
    return width if width >= 0 else 1


def has_wide(text: str) -> bool:
    """Whether a character of `text` takes two columns."""
    return not text.isascii() and any(_char_columns(char) == 2 for char in set(text))


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
    return sum(map(_char_ems, text))


def _char_ems(char: str) -> float:
    if not char.isascii():
        return 1.04 if _char_columns(char) == 2 else 0.8 * _char_columns(char)
    if char in _NARROW:
        return 0.34
    if char in _WIDE:
        return 0.95
    return 0.72 if char.isupper() else 0.57
