"""See a session: its tree, its tables, and the explorers that move under the mouse."""

from __future__ import annotations

from coursekit.view.node import ViewError
from coursekit.view.render import RenderError
from coursekit.view.scene import Leaf
from coursekit.view.tables import (
    budget_table,
    groups_table,
    ledger_table,
    projection_table,
    transcript_table,
)
from coursekit.view.tree import Picture, draw

__all__ = [
    "Leaf",
    "Picture",
    "RenderError",
    "ViewError",
    "budget_table",
    "draw",
    "groups_table",
    "ledger_table",
    "projection_table",
    "transcript_table",
]
