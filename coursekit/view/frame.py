"""A DataFrame that shows itself well: 80 columns as text, plain HTML in both themes.

Importing this module imports pandas; `tables` does so when a table is made.
"""

from __future__ import annotations

import html
import math

import pandas as pd

from coursekit.view.text_width import clip, columns, pad

WIDTH = 80
GAP = "  "
NARROWEST = 12
"""Columns below which a text column is not squeezed."""
WIDEST = 60
"""Columns of a cell in HTML, so that a row is one line where there is room."""
WHOLE = 24
"""Columns up to which a cell is never broken: an id has hyphens, and a browser takes them."""

_STATES = {
    "kept": "font-weight:bold",
    "trimmed": "opacity:0.65;font-style:italic",
    "overflow": "font-weight:bold;outline:2px solid #d55e00",
}


class Table(pd.DataFrame):
    """A DataFrame whose display is the same everywhere; everything else is pandas.

    Columns keep honest dtypes: `string`, `Int64`, or `Float64` where a fraction occurs.
    Slices and results of operations are plain DataFrames.
    """

    def __repr__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        return as_html(self)


def make(rows: list[dict[str, object]], kinds: dict[str, str], *, state: str = "") -> Table:
    """A table with the columns of `kinds` (text, count or number), in that order.

    `state` names the column whose value sets how a row looks.
    """
    data: dict[str, object] = {}
    for name, kind in kinds.items():
        values = [row[name] for row in rows]
        data[name] = pd.array(values, dtype=_dtype(kind, values))  # type: ignore[call-overload]
    table = Table(data)
    table.attrs["state"] = state
    return table


def _dtype(kind: str, values: list[object]) -> str:
    if kind == "text":
        return "string"
    whole = all(not isinstance(value, float) or value.is_integer() for value in values)
    return "Int64" if whole else "Float64"


def as_text(frame: pd.DataFrame, width: int = WIDTH) -> str:
    """The table in at most `width` columns where that can be; the widest text is cut first."""
    names = [str(name) for name in frame.columns]
    numeric = [pd.api.types.is_numeric_dtype(dtype) for dtype in frame.dtypes]
    cells = [names, *([_cell(value) for value in row] for row in frame.itertuples(index=False))]
    widths = [max(columns(row[at]) for row in cells) for at in range(len(names))]
    while sum(widths) + len(GAP) * (len(widths) - 1) > width:
        texts = [at for at in range(len(names)) if not numeric[at] and widths[at] > NARROWEST]
        if not texts:
            break
        widest = max(texts, key=lambda at: widths[at])
        widths[widest] -= 1
    lines = [
        GAP.join(
            pad(clip(cell, widths[at]), widths[at], right=numeric[at])
            for at, cell in enumerate(row)
        ).rstrip()
        for row in cells
    ]
    rule = GAP.join("-" * each for each in widths)
    return "\n".join([lines[0], rule, *lines[1:]])


def as_html(frame: pd.DataFrame) -> str:
    """The table as HTML: text escaped, rows styled by their state, no colours of its own."""
    numeric = [pd.api.types.is_numeric_dtype(dtype) for dtype in frame.dtypes]
    sides = ["right" if number else "left" for number in numeric]
    head = "".join(
        _in_cell("th", str(name), side) for name, side in zip(frame.columns, sides, strict=True)
    )
    state = frame.attrs.get("state", "")
    place = list(frame.columns).index(state) if state in frame.columns else None
    body: list[str] = []
    for row in frame.itertuples(index=False):
        look = "" if place is None else _STATES.get(str(row[place]), "")
        cells = "".join(
            _in_cell("td", _cell(value), side) for value, side in zip(row, sides, strict=True)
        )
        body.append(f'<tr style="{look}">{cells}</tr>' if look else f"<tr>{cells}</tr>")
    return (
        # A widget's lines are as high as its buttons, and would pull the rows apart.
        '<table class="coursekit-table" style="line-height:1.3"><thead><tr>'
        f"{head}</tr></thead><tbody>{''.join(body)}</tbody></table>"
    )


def _in_cell(tag: str, text: str, side: str) -> str:
    """One cell of HTML; what is cut off is in its tooltip."""
    shown = clip(text, WIDEST)
    whole = f' title="{html.escape(text)}"' if shown != text else ""
    look = f"text-align:{side};padding:2px 8px"
    look += ";white-space:nowrap" if columns(shown) <= WHOLE else ""
    return f'<{tag} style="{look}"{whole}>{html.escape(shown)}</{tag}>'


def _cell(value: object) -> str:
    if value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value)):
        return "-"
    if isinstance(value, float):
        return f"{value:g}"
    return str(value)
