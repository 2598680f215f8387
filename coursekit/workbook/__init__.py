"""The workbook: labs, checks, practice folders and progress.

In a notebook: `from coursekit.workbook import hint, status`. Nothing is imported
before it is used, so that a check pays only for what it runs.
"""

from typing import Any

_HOMES = {
    "hint": "coursekit.workbook.notebook",
    "status": "coursekit.workbook.notebook",
}
"""Where each name that notebooks use is defined."""

__all__ = ["hint", "status"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
