"""Attempts: of what a student handed in more than once, the newest counts."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from coursekit.grading.intake.layouts.placement import Placement
from coursekit.grading.intake.near_names import is_near, plain


@dataclass(frozen=True)
class Attempts:
    """All attempts of one student, the oldest first, and which of the places are older."""

    names: tuple[str, ...]
    older: dict[int, str]


def find_attempts(places: Sequence[Placement], wanted: Sequence[str]) -> Attempts:
    """The attempts of one student, by the times that the platform wrote, or its file numbers."""
    times = sorted({place.attempt for place in places if place.attempt})
    older = {
        number: f"attempt {times.index(place.attempt) + 1} of {len(times)}, of {place.attempt}"
        for number, place in enumerate(places)
        if place.attempt and place.attempt != times[-1]
    }
    versions: dict[str, set[int]] = defaultdict(set)
    for place in places:
        if place.version and place.path:
            versions[_file(place, wanted)].add(place.version)
    for number, place in enumerate(places):
        if place.version and place.path and number not in older:
            of_file = sorted(versions[_file(place, wanted)])
            if place.version != of_file[-1]:
                turn = of_file.index(place.version) + 1
                older[number] = f"upload {turn} of {len(of_file)} of this file"
    most = max((len(each) for each in versions.values()), default=0)
    names = times or [f"upload {turn + 1}" for turn in range(most)] if most > 1 or times else []
    return Attempts(tuple(names), older)


def _file(place: Placement, wanted: Sequence[str]) -> str:
    """What file a place is an upload of: a wanted one, or one by its plain name."""
    name = place.path[0]
    if name in wanted:
        return name
    return next((each for each in wanted if is_near(name, each)), plain(name))
