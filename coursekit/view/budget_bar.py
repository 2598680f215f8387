"""A budget as a bar in SVG: what is fixed, what is kept, what is left, and where it would tip."""

from __future__ import annotations

import html

from coursekit.view.budget import BudgetOutcome, headline
from coursekit.view.text_width import clip, ems

WIDTH, LEFT, BAR, TOP = 680, 10, 44, 40
_FILL = {
    "system": "#cfcfcf",
    "summary": "#fcdcc9",
    "kept": "#d4e8f7",
    "overflow": "#f2b38f",
    "margin": "url(#budget-dots)",
    "reserve": "url(#budget-lines)",
}
_PATTERNS = (
    '<defs><pattern id="budget-lines" width="7" height="7" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)"><rect width="7" height="7" fill="#eeeeee"/>'
    '<line x1="0" y1="0" x2="0" y2="7" stroke="#8c8c8c" stroke-width="2"/></pattern>'
    '<pattern id="budget-dots" width="6" height="6" patternUnits="userSpaceOnUse">'
    '<rect width="6" height="6" fill="#eeeeee"/>'
    '<circle cx="3" cy="3" r="1.3" fill="#8c8c8c"/></pattern></defs>'
)


def as_svg(outcome: BudgetOutcome, text: str) -> str:
    """The window as a bar: what is fixed, what is kept, what is left, and the edges."""
    setting = outcome.setting
    edges = outcome.edges
    span = max(setting.max_tokens, outcome.total, *(edge for edge, _ in edges), 1) * 1.04
    scale = (WIDTH - 2 * LEFT) / span
    parts: list[str] = []
    at: float = 0
    for kind, words, cost in _pieces(outcome):
        if cost > 0:
            parts.append(_piece(LEFT + at * scale, cost * scale, _FILL[kind], f"{words} {cost:g}"))
        at += cost
    free = setting.max_tokens - at
    if free > 0 and not outcome.error:
        parts.append(_piece(LEFT + at * scale, free * scale, "none", f"free {free:g}", dashed=True))
    window = LEFT + setting.max_tokens * scale
    over = outcome.total > setting.max_tokens
    parts.append(
        f'<line x1="{window:.1f}" y1="{TOP - 14}" x2="{window:.1f}" y2="{TOP + BAR + 10}" '
        f'stroke="{"#d55e00" if over else "#0072b2"}" stroke-width="3"/>'
    )
    parts.append(_word(window, TOP - 19, f"window {setting.max_tokens:g}", window / WIDTH))
    parts += _edge_marks(edges, setting.max_tokens, scale)
    left_out = [group for group in outcome.groups if not group.kept]
    words = ", ".join(f"group {group.number} ({group.cost:g})" for group in left_out)
    fixed = f"prompt {setting.system:g}, margin {setting.safety_margin:g}, "
    fixed += f"reserve {setting.reserved_output:g}; left out: {clip(words, 64) or 'nothing'}"
    parts.append(_word(LEFT, TOP + BAR + 60, fixed, 0))
    title = headline(outcome)
    parts.append(_word(LEFT, TOP + BAR + 80, title, 0, bold=over))
    height = TOP + BAR + 92
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" role="img" font-family="Helvetica,Arial,sans-serif">'
        f"<title>{html.escape(title)}</title><desc>{html.escape(text)}</desc>{_PATTERNS}"
        f"{''.join(parts)}</svg>"
    )


def _edge_marks(edges: list[tuple[float, int]], window: float, scale: float) -> list[str]:
    """A mark at each edge; words only where they have room."""
    parts: list[str] = []
    taken: float = 0
    for edge, count in edges:
        x, y = LEFT + edge * scale, TOP + BAR + 12
        here = edge == window
        colour = "#d55e00" if here else "#7d7d7d"
        parts.append(f'<path d="M{x:.1f} {y} l-5 9 h10 z" fill="{colour}"/>')
        title = f"{edge:g}: {count} group{'s' if count > 1 else ''}"
        half = ems(title) * 6 + 4
        if x - half > taken:
            parts.append(_word(x, y + 23, title, x / WIDTH, bold=here))
            taken = x + half
    return parts


def _pieces(outcome: BudgetOutcome) -> list[tuple[str, str, float]]:
    setting = outcome.setting
    look = "overflow" if outcome.reason == "single_group_overflow" else "kept"
    pieces: list[tuple[str, str, float]] = [("system", "prompt", setting.system)]
    if not outcome.error:
        pieces.append(("summary", "summary", outcome.summary_cost))
        pieces += [
            (look, f"group {group.number}:", group.cost) for group in outcome.groups if group.kept
        ]
    pieces.append(("margin", "margin", setting.safety_margin))
    pieces.append(("reserve", "reserve", setting.reserved_output))
    return pieces


def _piece(x: float, width: float, fill: str, words: str, *, dashed: bool = False) -> str:
    dash = ' stroke-dasharray="4 3"' if dashed else ""
    rect = (
        f'<rect x="{x:.1f}" y="{TOP}" width="{width:.1f}" height="{BAR}" fill="{fill}" '
        f'stroke="#7d7d7d"{dash}><title>{html.escape(words)}</title></rect>'
    )
    ink = "#7d7d7d" if dashed else "#1a1a1a"
    for label in (words, words.rsplit(" ", 1)[-1]):
        wide = ems(label) * 12
        if wide + 6 <= width:
            middle, y = x + width / 2, TOP + BAR / 2 + 4
            back = ""
            if fill.startswith("url"):
                back = (
                    f'<rect x="{middle - wide / 2 - 2:.1f}" y="{y - 12:.1f}" '
                    f'width="{wide + 4:.1f}" height="16" rx="3" fill="#eeeeee"/>'
                )
            return (
                f'{rect}{back}<text x="{middle:.1f}" y="{y:.1f}" font-size="12" fill="{ink}" '
                f'text-anchor="middle">{html.escape(label)}</text>'
            )
    return rect


def _word(x: float, y: float, words: str, across: float, *, bold: bool = False) -> str:
    """Free text; `across` (0 to 1) says which way it may grow without leaving the picture."""
    anchor = "start" if across < 0.1 else "end" if across > 0.9 else "middle"
    weight = ' font-weight="bold"' if bold else ""
    colour = "#d55e00" if bold else "#7d7d7d"
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="12" fill="{colour}" '
        f'text-anchor="{anchor}"{weight}>{html.escape(words)}</text>'
    )
