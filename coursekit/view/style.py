"""Shapes and colours: what a role or an entry type looks like.

Pale fills with dark text stand on a light page and on a dark one; lines and free
text are mid-tones that show on both, and so are branches that were left. The hues
are Okabe and Ito's, which people with the common colour blindnesses tell apart.
Shape and wording say everything that colour says.
"""

from __future__ import annotations

from typing import NamedTuple


class BoxStyle(NamedTuple):
    """Graphviz shape and style of a box, its fill and its outline."""

    shape: str
    style: str
    fill: str
    line: str


_PLAIN = BoxStyle("box", "filled,diagonals", "#eeeeee", "#6b6b6b")

BOX_STYLES: dict[str, BoxStyle] = {
    "user": BoxStyle("box", "filled", "#d4e8f7", "#0072b2"),
    "assistant": BoxStyle("box", "filled,rounded", "#fdebc4", "#b57b00"),
    "toolResult": BoxStyle("note", "filled", "#d2efe4", "#008a63"),
    "bashExecution": BoxStyle("component", "filled", "#d2efe4", "#008a63"),
    "system": BoxStyle("octagon", "filled", "#eeeeee", "#555555"),
    "custom": _PLAIN,
    "custom_message": BoxStyle("tab", "filled", "#f5dfeb", "#a8507f"),
    "compaction": BoxStyle("folder", "filled", "#fcdcc9", "#c25100"),
    "branch_summary": BoxStyle("folder", "filled", "#fcdcc9", "#c25100"),
    "missing": BoxStyle("box", "filled,dotted", "#ffffff", "#c25100"),
}

INK = "#1a1a1a"
FADED_INK = "#767676"
FADED_FILL = "transparent"
FOLD_INK, FOLD_FILL = "#555555", "#f3f3f3"
FADED_LINE = "#8c8c8c"
CAPTION = "#7d7d7d"
ACTIVE_EDGE = "#3b88c3"
FIRST_KEPT = "#d55e00"
CONTEXT = "#00936b"
SHADE = "#8c8c8c40"
LEAF_FILL = "#005f99"
LEAF_INK = "#ffffff"


def box_style(kind: str) -> BoxStyle:
    """The look of a message role or entry type; unknown ones look like metadata."""
    return BOX_STYLES.get(kind, _PLAIN)
