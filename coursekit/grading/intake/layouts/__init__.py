"""Layouts: how each platform lays out a class, and which of them lies before us."""

from collections.abc import Sequence

from coursekit.check.coursekit_error import CoursekitError
from coursekit.grading.intake.layouts.blackboard import BLACKBOARD
from coursekit.grading.intake.layouts.canvas_lms import CANVAS
from coursekit.grading.intake.layouts.classroom import CLASSROOM
from coursekit.grading.intake.layouts.folders import FOLDERS
from coursekit.grading.intake.layouts.ilias import ILIAS
from coursekit.grading.intake.layouts.moodle import MOODLE
from coursekit.grading.intake.layouts.nbgrader import NBGRADER
from coursekit.grading.intake.layouts.placement import Layout, Placement
from coursekit.grading.intake.member import Member
from coursekit.grading.intake.source import Source

LAYOUTS = (MOODLE, BLACKBOARD, CANVAS, NBGRADER, ILIAS, CLASSROOM, FOLDERS)
"""All layouts, those with the most telling names first; any source is one of folders."""


def find_layout(
    name: str, source: Source, members: Sequence[Member]
) -> tuple[Layout, list[Placement | None]]:
    """The layout of this name, or the first that knows most of the source, and the places.

    Raises `CoursekitError` listing the names that would do.
    """
    for layout in LAYOUTS:
        if name in ("auto", layout.name):
            places = layout.places(source, members)
            if name == layout.name or layout is FOLDERS or _fits(members, places):
                return layout, places
    known = ", ".join(["auto", *sorted(layout.name for layout in LAYOUTS)])
    raise CoursekitError(f"There is no layout {name!r}. Choose from {known}.")


def _fits(members: Sequence[Member], places: Sequence[Placement | None]) -> bool:
    """Whether a layout knows more than half of what lies there."""
    known = {(place.student, place.attempt) for place in places if place is not None}
    unknown = {
        member.path[:2]
        for member, place in zip(members, places, strict=True)
        if place is None and not member.is_folder and not member.aside
    }
    return bool(known) and len(known) > len(unknown)
