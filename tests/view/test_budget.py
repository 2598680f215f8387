"""Where a window goes, worked out for one setting."""

from __future__ import annotations

import pytest

from coursekit.context import build_context
from coursekit.transcripts import opening
from coursekit.view.budget import BudgetSetting, GroupShare, Workings, as_text, headline, neighbours
from coursekit.view.text_width import columns


@pytest.fixture(scope="module")
def workings() -> Workings:
    transcript = opening()
    return Workings(transcript.entries, transcript.options["estimate_tokens"], build_context)


# The opening transcript's groups cost 7, 7 and 15; what is fixed here comes to 9.
def setting(window: float) -> BudgetSetting:
    return BudgetSetting(max_tokens=window, system=3, reserved_output=4, safety_margin=2)


@pytest.mark.parametrize(("window", "numbers"), [(38, (1, 2, 3)), (31, (2, 3)), (30, (3,))])
def test_a_window_keeps_whole_groups_from_the_newest_back(
    workings: Workings, window: float, numbers: tuple[int, ...]
) -> None:
    outcome = workings.outcome(setting(window))
    assert outcome.kept_numbers == numbers
    assert outcome.edges == [(24, 1), (31, 2), (38, 3)]


def test_the_neighbours_say_on_which_side_the_edge_is(workings: Workings) -> None:
    words = neighbours(workings, workings.outcome(setting(31)))
    assert words == "one token less (30): group 3, trimmed; one token more (32): the same"
    assert neighbours(workings, workings.outcome(setting(0))).count("one token") == 1


def test_the_headline_names_what_an_overflow_exceeds(workings: Workings) -> None:
    assert headline(workings.outcome(setting(31))) == (
        "trimmed: groups 2 to 3 kept, 31 of 31 tokens"
    )
    # Group 3 alone needs 24.
    assert headline(workings.outcome(setting(23))) == (
        "OVERFLOW: group 3 alone is too large and kept whole, 1 token beyond the window"
    )


def test_a_group_says_how_much_of_it_is_kept() -> None:
    def status(kept: int, reason: str) -> str:
        return GroupShare(1, ("u1", "a1"), 7, kept).status(reason)

    assert status(0, "trimmed") == "trimmed"
    assert status(1, "trimmed") == "1 of 2 kept"
    assert status(2, "trimmed") == "kept"
    assert status(2, "single_group_overflow") == "overflow"


def test_a_function_that_returns_something_else_keeps_nothing() -> None:
    transcript = opening()
    estimate = transcript.options["estimate_tokens"]
    odd = {"kept_entry_ids": None, "reason": "trimmed", "tokens": {"total": "many"}}
    outcome = Workings(transcript.entries, estimate, lambda *_, **__: odd).outcome(setting(31))
    assert outcome.kept_numbers == ()
    assert outcome.total == 0


def test_the_text_fits_a_terminal(workings: Workings) -> None:
    text = as_text(workings.outcome(setting(31)), "beside; this", "by me")
    assert max(columns(line) for line in text.splitlines()) <= 80
    assert text.splitlines()[-3:] == ["beside", "this", "by me"]
