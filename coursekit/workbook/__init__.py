"""The workbook: a learner's folder, and the verbs of the shell and of notebooks.

In a notebook: `from coursekit.workbook import check, hint, observe, predict, status`.
Nothing is imported before it is used, so that a check pays only for what it runs; and
nothing but the standard library, for the doctor looks where there is nothing else.
"""

_MODULES = dict.fromkeys(
    ("check", "hint", "observe", "status"), "coursekit.workbook.notebook_helpers"
) | {"predict": "coursekit.workbook.predictions"}
"""Where each name that notebooks use is defined."""

__all__ = ["check", "hint", "observe", "predict", "status"]


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found: object = getattr(import_module(_MODULES[name]), name)
    return found
