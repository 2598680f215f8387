"""What the entries of a context cost, one after the other, and where a compaction would cut.

Tokens are estimates, as `pi.estimate_tokens` makes them. A long path is gathered into
few columns, so that ten thousand entries are a readable picture too.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, cast

from coursekit.view.facts import entries_of, facts_of, field, message_text
from coursekit.view.text_width import ems, pad, shown_id

if TYPE_CHECKING:
    from coursekit.view.frame import Table

PARTS = (("summarized", "summarised"), ("turn_prefix", "turn prefix"), ("kept", "kept"))
"""The runs of a plan: their attributes, and their names in the picture."""

MOST_COLUMNS, MOST_ROWS = 96, 32


@dataclass(frozen=True)
class Cost:
    """What an entry adds to the context, in tokens; `part` is its run in the plan, if any."""

    entry_id: str
    role: str
    text: str
    tokens: int
    part: str = ""


@dataclass(frozen=True)
class Column:
    """One entry, or a few neighbours of the same part; `running` is the sum to its end."""

    costs: tuple[Cost, ...]
    running: int

    @property
    def tokens(self) -> int:
        """What its entries add together."""
        return sum(cost.tokens for cost in self.costs)

    @property
    def part(self) -> str:
        """The run of the plan that all its entries are in; empty without a plan."""
        return self.costs[0].part

    @property
    def title(self) -> str:
        """The first entry, and how many more."""
        first = self.costs[0]
        if len(self.costs) == 1:
            return f"{shown_id(first.entry_id, 10)} {first.role}"
        return f"{shown_id(first.entry_id, 10)} and {len(self.costs) - 1:,} more"


class TokenCurve:
    """The running sum as a picture; as text, bars of each entry's own cost."""

    def __init__(self, costs: Sequence[Cost], limit: int | None) -> None:
        self.costs = tuple(costs)
        self.limit = limit
        """A number of tokens to draw a line at, such as the threshold."""

    @property
    def total(self) -> int:
        """The estimate of the whole context, in tokens."""
        return sum(cost.tokens for cost in self.costs)

    @property
    def title(self) -> str:
        """One line: how many entries, how many tokens, the limit."""
        words = f"{len(self.costs):,} entries in the context, about {self.total:,} tokens"
        return words if self.limit is None else f"{words}; the limit is {self.limit:,}"

    @property
    def text(self) -> str:
        """The curve as text: at most about 32 lines, each with a bar."""
        columns = gathered(self.costs, MOST_ROWS)
        most = max((column.tokens for column in columns), default=0)
        lines = [self.title]
        for column in columns:
            bar = "█" * -(-column.tokens * 20 // most) if most else ""
            words = f"{pad(column.part, 11)}  {pad(column.title, 23)}"
            lines.append(f"{words} {column.tokens:>7,} {column.running:>9,}  {bar}".rstrip())
        return "\n".join(lines)

    def svg(self) -> str:
        """The drawing, with a title and a description."""
        return _svg(self)

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": self.text, "image/svg+xml": self.svg()}


def token_curve(session: object, plan: object = None, *, limit: int | None = None) -> TokenCurve:
    """Draw what each entry of a Pi session's context costs, in the order that the model reads.

    `session` is a manager or a projection. `plan` is what `prepare_compaction` returned;
    its three runs are then drawn apart. `limit` draws a line, in tokens.
    """
    return TokenCurve(costs_of(session, plan), limit)


def token_table(session: object, plan: object = None) -> Table:
    """The same as rows: entry, role, text, tokens, the sum so far, and the part of the plan."""
    from coursekit.view.frame import make

    rows: list[dict[str, object]] = []
    running = 0
    for cost in costs_of(session, plan):
        running += cost.tokens
        row: dict[str, object] = {"entry": cost.entry_id, "role": cost.role, "text": cost.text}
        row |= {"tokens": cost.tokens, "running": running}
        rows.append(row if plan is None else row | {"part": cost.part})
    kinds = {"entry": "text", "role": "text", "text": "text", "tokens": "count", "running": "count"}
    return make(rows, kinds if plan is None else kinds | {"part": "text"})


def costs_of(session: object, plan: object = None) -> list[Cost]:
    """The entries that hold a message for the model, oldest first, with what they cost."""
    from coursekit.pi.tokens import estimate_tokens

    build = getattr(session, "build_session_projection", None)
    projection = build() if callable(build) else session
    parts = {} if plan is None else _parts(plan)
    costs: list[Cost] = []
    for projected in entries_of(field(projection, "entries", projection)):
        messages = entries_of(field(projected, "messages", ()))
        if messages:
            facts = facts_of(field(projected, "source_entry"))
            tokens = sum(estimate_tokens(cast(dict[str, object], message)) for message in messages)
            text = " ".join(message_text(message) for message in messages)
            costs.append(Cost(facts.id, facts.kind, text, tokens, parts.get(facts.id, "")))
    return costs


def gathered(costs: Sequence[Cost], most: int) -> list[Column]:
    """At most about `most` columns; entries of different parts never share one."""
    size = -(-len(costs) // most) if costs else 1
    columns: list[Column] = []
    running = 0
    for _, run in groupby(costs, key=lambda cost: cost.part):
        for chunk in _chunks(tuple(run), size):
            running += sum(cost.tokens for cost in chunk)
            columns.append(Column(chunk, running))
    return columns


def _chunks(costs: tuple[Cost, ...], size: int) -> Iterator[tuple[Cost, ...]]:
    for start in range(0, len(costs), size):
        yield costs[start : start + size]


def _parts(plan: object) -> dict[str, str]:
    found: dict[str, str] = {}
    previous = field(plan, "previous_compaction")
    if previous is not None:
        found[facts_of(previous).id] = "carried on"
    for attribute, words in PARTS:
        for projected in entries_of(field(plan, attribute, ())):
            found[facts_of(field(projected, "source_entry")).id] = words
    return found


# --- the drawing -----------------------------------------------------------------

WIDTH, LEFT, RIGHT, TOP, HEIGHT = 720, 62, 14, 46, 220
_FILLS = {
    "": "#56a0d3",
    "carried on": "#a8507f",
    "summarised": "#c25100",
    "turn prefix": "#b57b00",
    "kept": "#0072b2",
}
_GREY = "#7d7d7d"


def _svg(curve: TokenCurve) -> str:
    columns = gathered(curve.costs, MOST_COLUMNS)
    top = max(curve.total, curve.limit or 0, 1) * 1.06
    step = (WIDTH - LEFT - RIGHT) / max(len(columns), 1)
    base = TOP + HEIGHT

    def height(tokens: float) -> float:
        return tokens / top * HEIGHT

    parts: list[str] = []
    for tokens in _marks(top):
        y = base - height(tokens)
        parts.append(_line(LEFT, y, WIDTH - RIGHT, y, 'stroke-opacity="0.35"'))
        parts.append(_word(LEFT - 6, y + 4, f"{tokens:,}", "end"))
    for at, column in enumerate(columns):
        x, wide = LEFT + at * step, max(step - min(2.0, step / 4), 0.5)
        below, own = height(column.running - column.tokens), height(column.tokens)
        fill = _FILLS[column.part]
        title = f"{column.title}: {column.tokens:,}, sum {column.running:,}"
        parts.append(
            f"<g><title>{html.escape(title)}</title>"
            f'<rect x="{x:.1f}" y="{base - below:.1f}" width="{wide:.1f}" height="{below:.1f}" '
            f'fill="{fill}" fill-opacity="0.22"/>'
            f'<rect x="{x:.1f}" y="{base - below - own:.1f}" width="{wide:.1f}" '
            f'height="{own:.1f}" fill="{fill}"/></g>'
        )
    parts += _braces(columns, step)
    parts.append(_line(LEFT, base, WIDTH - RIGHT, base))
    if curve.limit is not None:
        y = base - height(curve.limit)
        dash = 'stroke-dasharray="6 4" stroke-width="2"'
        parts.append(_line(LEFT, y, WIDTH - RIGHT, y, dash, "#d55e00"))
        parts.append(_word(LEFT + 4, y - 5, f"limit {curve.limit:,}", "start", "#d55e00"))
    words = "strong: what an entry costs; faint: what stands before it"
    parts.append(_word(LEFT, base + 20, words, "start"))
    parts.append(_word(LEFT, 16, curve.title, "start"))
    high = base + 30
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{high}" '
        f'viewBox="0 0 {WIDTH} {high}" role="img" font-family="Helvetica,Arial,sans-serif">'
        f"<title>{html.escape(curve.title)}</title><desc>{html.escape(curve.text)}</desc>"
        f"{''.join(parts)}</svg>"
    )


def _braces(columns: Sequence[Column], step: float) -> list[str]:
    """A line over each part with its name, so that nothing depends on colour."""
    drawn: list[str] = []
    at = 0
    for part, run in groupby(columns, key=lambda column: column.part):
        count = len(list(run))
        left, right = LEFT + at * step, LEFT + (at + count) * step - 2
        at += count
        if part:
            fill, y = _FILLS[part], TOP - 8
            shape = f"M{left:.1f} {y + 5} v-5 H{right:.1f} v5"
            drawn.append(f'<path d="{shape}" fill="none" stroke="{fill}" stroke-width="2"/>')
            if ems(part) * 12 <= right - left + 8:
                drawn.append(_word((left + right) / 2, y - 5, part, "middle"))
    return drawn


def _marks(top: float) -> Iterable[int]:
    """Round numbers below `top`, at most seven: steps of 1, 2, 5, 10, 20, 50 …"""
    size = 1
    while True:
        for first in (1, 2, 5):
            if top / (first * size) <= 7:
                return range(first * size, int(top) + 1, first * size)
        size *= 10


def _line(x: float, y: float, to_x: float, to_y: float, more: str = "", ink: str = _GREY) -> str:
    return (
        f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" stroke="{ink}" {more}/>'
    )


def _word(x: float, y: float, words: str, anchor: str, ink: str = _GREY) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="12" fill="{ink}" '
        f'text-anchor="{anchor}">{html.escape(words)}</text>'
    )
