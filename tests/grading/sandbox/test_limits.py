"""Limits of one submission that follow from others."""

from coursekit.grading.sandbox.limits import MEBIBYTE, Limits


def test_a_check_gets_a_part_of_the_time_within_bounds() -> None:
    assert [Limits(seconds=each).check_seconds for each in (1, 16, 60, 1_000)] == [0.5, 1, 3.75, 5]
    assert Limits(seconds=60).later_check_seconds == 1.5
    assert Limits(seconds=1).later_check_seconds == 0.5


def test_one_process_may_address_its_memory_and_libraries() -> None:
    assert Limits(memory=64 * MEBIBYTE).address_space == 1088 * MEBIBYTE
    assert Limits(seconds=60).cpu == 65
