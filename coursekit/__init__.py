"""How a coding agent's session works: a workbook, and the library behind it.

Nothing is imported here: each part is imported by its own name, so that the
paths a learner waits on pay only for what they use.
"""

__version__ = "0.1.0"
