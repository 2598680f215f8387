"""The workbook: labs, checks, practice folders and progress.

In a notebook: `from coursekit.workbook import check, hint, observe, predict, status`.
Nothing is imported before it is used, so that a check pays only for what it runs.
"""

from typing import Any

_HOMES = dict.fromkeys(("check", "hint", "observe", "status"), "coursekit.workbook.notebook") | {
    "predict": "coursekit.workbook.predictions"
}
"""Where each name that notebooks use is defined."""

__all__ = ["check", "hint", "observe", "predict", "status"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
