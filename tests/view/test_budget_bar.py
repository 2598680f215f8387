"""The budget as a bar: an overflow can be seen in it."""

from __future__ import annotations

from xml.etree import ElementTree

from coursekit.view import BudgetExplorer


def test_overflow_is_unmistakable() -> None:
    explorer = BudgetExplorer(max_tokens=12, reserved_output=0, safety_margin=0)
    assert explorer.outcome.total == 18
    assert explorer.text.startswith("OVERFLOW: group 3 alone is too large and kept whole, 6")
    assert "OVERFLOW" in explorer.canvas.svg
    ElementTree.fromstring(explorer.canvas.svg)
