"""Which of a student's attempts counts."""

from coursekit.grading.intake.attempts import find_attempts
from coursekit.grading.intake.layouts.placement import Placement, Student

ANA = Student("Ana")
WANTED = ("session.py", "context.py")


def timed(name: str, time: str) -> Placement:
    return Placement(ANA, (name,), attempt=time)


def numbered(name: str, version: int) -> Placement:
    return Placement(ANA, (name,), version=version)


def test_of_attempts_with_times_only_the_newest_counts() -> None:
    # In no order, and the newest has one file alone: the older ones' are older all the same.
    found = find_attempts(
        [
            timed("session.py", "2026-11-30"),
            timed("session.py", "2026-12-01"),
            timed("context.py", "2026-11-29"),
        ],
        WANTED,
    )
    assert found.names == ("2026-11-29", "2026-11-30", "2026-12-01")
    assert found.older == {
        0: "attempt 2 of 3, of 2026-11-30",
        2: "attempt 1 of 3, of 2026-11-29",
    }


def test_where_files_are_numbered_each_file_has_a_newest() -> None:
    found = find_attempts(
        [numbered("session-1.py", 9), numbered("session.py", 2), numbered("context.py", 3)], WANTED
    )
    assert found.names == ("upload 1", "upload 2")
    assert found.older == {1: "upload 1 of 2 of this file"}


def test_other_files_are_known_by_their_plain_names() -> None:
    found = find_attempts(
        [numbered("notes.txt", 1), numbered("notes-1.txt", 2), numbered("more.txt", 3)], WANTED
    )
    assert set(found.older) == {0}


def test_a_single_attempt_has_none_older() -> None:
    assert find_attempts([timed("session.py", "2026-11-30")], WANTED).names == ("2026-11-30",)
    for places in ([numbered("session.py", 1)], [Placement(ANA, ("session.py",))], []):
        found = find_attempts(places, WANTED)
        assert (found.names, found.older) == ((), {})
