"""What a notebook shows of the shell: the next hint, and where the learner stands."""

from coursekit.workbook import hints, manifest, overview, practice
from coursekit.workbook.card import wrapped


class Told:
    """Text that a notebook cell shows as it is."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def hint(lab_id: str) -> Told:
    """The next hint of a lab, as `coursekit hint` gives it; it is counted the same."""
    return Told(wrapped(hints.next_hint(practice.find(), manifest.find(lab_id))))


def status() -> Told:
    """Where you stand, as `coursekit status` tells it."""
    return Told(overview.status_text(practice.find()))
