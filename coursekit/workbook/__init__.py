"""The workbook: a learner's folder, and the verbs of the shell and of notebooks.

In a notebook: `from coursekit.workbook import check, hint, observe, predict, status`.
Nothing is imported before it is used, so that a check pays only for what it runs.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
