"""The workbook's own error: a request that can't be met."""


class WorkbookError(Exception):
    """What was wrong, where, and what to do next, in a sentence for the learner."""
