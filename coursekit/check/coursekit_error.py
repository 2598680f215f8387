"""The error of the shell's verbs and the notebook's helpers: a request that can't be met."""


class CoursekitError(Exception):
    """What was wrong, where, and what to do next, in a sentence for whoever asked."""
