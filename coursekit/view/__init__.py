"""See a session: its tree, its tables, and the explorers that move under the mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coursekit.view.curve import TokenCurve, token_curve, token_table
from coursekit.view.facts import ViewError
from coursekit.view.render import RenderError
from coursekit.view.scene import Leaf
from coursekit.view.tables import (
    budget_table,
    groups_table,
    ledger_table,
    projection_table,
    transcript_table,
)
from coursekit.view.picture import Picture, draw

if TYPE_CHECKING:
    from coursekit.view.budget_explorer import BudgetExplorer
    from coursekit.view.leaf_explorer import LeafExplorer

__all__ = [
    "BudgetExplorer",
    "Leaf",
    "LeafExplorer",
    "Picture",
    "RenderError",
    "TokenCurve",
    "ViewError",
    "budget_table",
    "draw",
    "groups_table",
    "ledger_table",
    "projection_table",
    "token_curve",
    "token_table",
    "transcript_table",
]


def __getattr__(name: str) -> object:
    """The explorers bring ipywidgets along, so they are imported when they are first named."""
    if name == "BudgetExplorer":
        from coursekit.view.budget_explorer import BudgetExplorer

        return BudgetExplorer
    if name == "LeafExplorer":
        from coursekit.view.leaf_explorer import LeafExplorer

        return LeafExplorer
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
