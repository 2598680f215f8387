"""The next hint of a lab; the progress file counts them."""

from pathlib import Path

from coursekit.check.course import Lab
from coursekit.workbook.progress import Progress


def next_hint(folder: Path, lab: Lab) -> str:
    """The next hint, with its number; the last one again when there is no other."""
    progress = Progress(folder)
    number = min(progress.hints(lab.id) + 1, len(lab.hints))
    progress.mark_hints(lab.id, number)
    progress.save()
    head = f"Hint {number} of {len(lab.hints)}, {_name_of(lab)}"
    text = f"{head}\n\n{lab.hints[number - 1]}"
    if number == len(lab.hints):
        text += (
            f"\n\nThat was the last hint. `coursekit checkpoint {lab.id}` shows the steps."
            f"\n\n`coursekit reveal {lab.id}` fills it in."
        )
    return text


def _name_of(lab: Lab) -> str:
    return f"lab {lab.id}" if lab.checks else lab.id
