"""How notebooks are compared: by answers, not by what was printed or drawn.

`from coursekit.workbook.nbval_rule import pytest_collectstart` in a conftest.py
makes `pytest --nbval` follow it.
"""

from typing import Any

NOT_COMPARED = (
    "stdout",
    "stderr",
    "image/svg+xml",
    "text/html",
    "application/vnd.jupyter.widget-view+json",
)
"""Outputs that may differ from the stored ones, on either side."""


def pytest_collectstart(collector: Any) -> None:
    """Tell nbval, for each notebook it collects, which outputs not to compare."""
    if hasattr(collector, "skip_compare"):
        collector.skip_compare += NOT_COMPARED
