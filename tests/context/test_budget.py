"""The budget: whole interactions, newest first, as far as the window reaches.

One file over 300 lines: one function is under test, against one rule written out below.
"""

import copy
import math
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coursekit.context import (
    BudgetError,
    BuildContextResult,
    ContextTokens,
    InteractionError,
    build_context,
)
from coursekit.session import Message, SessionEntry, UserMessage, parse_session_entry
from coursekit.transcripts import Json
from tests.builders import (
    assistant,
    compaction,
    little_stack,
    metadata,
    opening,
    parsed,
    tool_turns,
    user,
)
from tests.independence import share_nothing, wreck
from tests.strategies import sessions

OPENING_COSTS = [3, 4, 3, 4, 3, 3, 3, 3, 3]


class Costs:
    """An estimator that returns these costs in the order of asking, and keeps the values."""

    def __init__(self, *costs: Any) -> None:
        self.costs = costs
        self.asked: list[str | Message] = []

    def __call__(self, value: str | Message) -> Any:
        self.asked.append(value)
        return self.costs[len(self.asked) - 1]


def built(
    path: list[SessionEntry],
    estimate: Any,
    window: float,
    *,
    prompt: str = "",
    reserve: float = 0,
    margin: float = 0,
) -> BuildContextResult:
    return build_context(
        path,
        max_tokens=window,
        reserved_output=reserve,
        safety_margin=margin,
        estimate_tokens=estimate,
        system_prompt=prompt,
    )


class TestTheOpeningTranscript:
    """Group costs 7, 7 and 15; the expected values are the lab document's."""

    path = parsed(*opening())

    def test_31_tokens_keep_the_second_and_third_group(self) -> None:
        context = built(self.path, Costs(3, *OPENING_COSTS), 31, prompt="sys", reserve=4, margin=2)
        assert context.system_prompt == "sys"
        assert context.kept_entry_ids == "u2 a2 u3 calls r-test r-read a3".split()
        assert context.reason == "trimmed"
        assert context.tokens == ContextTokens(
            max_tokens=31,
            system=3,
            messages=22,
            reserved_output=4,
            safety_margin=2,
            available_for_messages=22,
            total=31,
        )
        assert context.messages == [e.message for e in self.path[2:] if e.type == "message"]

    @pytest.mark.parametrize(
        ("window", "kept", "reason"),
        [
            (38, 9, "within_budget"),  # 29 for messages: all three, exactly
            (37, 7, "trimmed"),
            (31, 7, "trimmed"),  # 22: two groups, exactly
            (30, 5, "trimmed"),
            (24, 5, "trimmed"),  # 15: the third group, exactly
            (23, 5, "single_group_overflow"),
            (19, 5, "single_group_overflow"),  # 10, the lab document's other case
            (0, 5, "single_group_overflow"),
        ],
    )
    def test_each_boundary(self, window: int, kept: int, reason: str) -> None:
        context = built(
            self.path, Costs(3, *OPENING_COSTS), window, prompt="sys", reserve=4, margin=2
        )
        assert (len(context.kept_entry_ids), context.reason) == (kept, reason)
        assert context.kept_entry_ids == [entry.id for entry in self.path[-kept:]]

    def test_twelve_tokens_keep_the_third_group_whole(self) -> None:
        context = built(self.path, Costs(3, *OPENING_COSTS), 12, prompt="sys")
        assert context.kept_entry_ids == ["u3", "calls", "r-test", "r-read", "a3"]
        assert context.reason == "single_group_overflow"
        tokens = context.tokens
        assert (tokens.available_for_messages, tokens.messages, tokens.total) == (9, 15, 18)


def test_fixed_costs_above_the_window_leave_nothing_and_never_less() -> None:
    path = parsed(user("u1"), assistant("a1"))
    context = built(path, Costs(3, 1, 1), 5, prompt="sys", reserve=4, margin=2)
    assert context.kept_entry_ids == ["u1", "a1"]
    assert context.reason == "single_group_overflow"
    assert context.tokens == ContextTokens(5, 3, 2, 4, 2, 0, 11)


def test_no_budget_at_all_still_holds_messages_that_cost_nothing() -> None:
    context = built(parsed(user("u1"), user("u2")), Costs(0, 0), 0)
    assert (context.kept_entry_ids, context.reason) == (["u1", "u2"], "within_budget")


@pytest.mark.parametrize("path", [[], parsed(metadata("m1"), metadata("m2"))])
def test_a_path_without_messages(path: list[SessionEntry]) -> None:
    context = built(path, Costs(7), 5, prompt="sys", reserve=1)
    assert context == BuildContextResult(
        "sys", [], [], "within_budget", ContextTokens(5, 7, 0, 1, 0, 0, 8)
    )


def test_selection_stops_at_the_first_group_that_does_not_fit() -> None:
    """A small old group is not fetched from behind a large one."""
    context = built(parsed(user("small"), user("large"), user("new")), Costs(1, 9, 1), 5)
    assert (context.kept_entry_ids, context.reason) == (["new"], "trimmed")


def test_a_chinese_message_costs_what_the_estimator_says_and_that_decides() -> None:
    path = parsed(user("u1", "早"), user("u2", "会" * 400))

    def a_quarter(value: str | Message) -> float:
        assert isinstance(value, UserMessage)
        return len(value.content[0].text) / 4

    def one_each(value: str | Message) -> float:
        return a_quarter(value) * 4

    assert built(path, a_quarter, 101).kept_entry_ids == ["u1", "u2"]
    assert built(path, one_each, 101).kept_entry_ids == ["u2"]
    assert built(path, one_each, 101).reason == "single_group_overflow"


# --- against an oracle ------------------------------------------------------------

# Quarters add up exactly in floats, so two orders of adding can't disagree.
amounts = st.one_of(st.integers(0, 20), st.integers(0, 80).map(lambda n: n / 4))


def oracle(groups: list[list[float]], room: float) -> int:
    """How many groups are dropped: the longest suffix that fits, by trying every one."""
    for dropped in range(len(groups)):
        if sum(map(sum, groups[dropped:])) <= room:
            return dropped
    return max(0, len(groups) - 1)


@st.composite
def budgets(draw: st.DrawFn) -> tuple[list[Json], list[list[str]], dict[str, float]]:
    """A session, its interactions as ids (by the role alone), and a cost for each message."""
    session = draw(sessions(max_interactions=6, compactions=False))
    groups: list[list[str]] = []
    for entry in session:
        if entry["type"] == "message":
            if entry["message"]["role"] == "user":
                groups.append([])
            groups[-1].append(entry["id"])
    costs = {each: draw(amounts) for group in groups for each in group}
    return session, groups, costs


@given(budgets(), st.integers(0, 120), amounts, amounts, amounts)
def test_the_kept_suffix_is_the_longest_that_fits(
    drawn: tuple[list[Json], list[list[str]], dict[str, float]],
    window: float,
    system: float,
    reserve: float,
    margin: float,
) -> None:
    session, groups, costs = drawn
    path = [parse_session_entry(entry) for entry in session]
    in_order = [costs[each] for group in groups for each in group]
    context = built(
        path, Costs(system, *in_order), window, prompt="p", reserve=reserve, margin=margin
    )
    available = max(0, window - system - reserve - margin)
    dropped = oracle([[costs[each] for each in group] for group in groups], available)
    kept = [each for group in groups[dropped:] for each in group]
    spent = sum(costs[each] for each in kept)
    assert context.kept_entry_ids == kept
    by_id = {entry.id: entry for entry in path if entry.type == "message"}
    assert context.messages == [by_id[each].message for each in kept]
    if groups and spent > available:
        assert context.reason == "single_group_overflow"
        assert dropped == len(groups) - 1
    else:
        assert context.reason == ("trimmed" if dropped else "within_budget")
    assert context.tokens == ContextTokens(
        window, system, spent, reserve, margin, available, system + spent + reserve + margin
    )


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=12), st.floats(0, 1e6))
def test_with_any_floats_what_is_said_to_fit_does_fit(costs: list[float], window: float) -> None:
    context = built(parsed(*(user(f"u{i}") for i in range(len(costs)))), Costs(*costs), window)
    fits = context.tokens.messages <= context.tokens.available_for_messages
    assert fits == (context.reason != "single_group_overflow")


@given(budgets(), st.integers(0, 120))
def test_a_larger_window_never_keeps_less(
    drawn: tuple[list[Json], list[list[str]], dict[str, float]], window: float
) -> None:
    session, _, costs = drawn
    path = [parse_session_entry(entry) for entry in session]
    small = built(path, Costs(*costs.values()), window)
    large = built(path, Costs(*costs.values()), window + 5)
    assert large.kept_entry_ids[-len(small.kept_entry_ids) :] == small.kept_entry_ids


class Scalar:
    """Like numpy's integers: it can become an int or a float, and is none."""

    def __index__(self) -> int:
        return 3

    def __float__(self) -> float:
        return 3.0

    def __ge__(self, other: object) -> bool:
        return True


class Float(float):
    """Like numpy's float64, which is a float."""


BAD_AMOUNTS: dict[str, Any] = {
    "negative": -1,
    "negative float": -0.25,
    "NaN": math.nan,
    "infinite": math.inf,
    "negative infinite": -math.inf,
    "True": True,
    "False": False,
    "None": None,
    "a string": "3",
    "an empty string": "",
    "a list": [],
    "larger than any float": 10**400,
    "smaller than any float": -(10**400),
    "too long to be printed": 10**5000,
    "complex": 3 + 0j,
    "a Decimal": Decimal(3),
    "a Fraction": Fraction(3),
    "an object": object(),
    "a number of another library": Scalar(),
}


# --- the estimator ----------------------------------------------------------------


class TestTheEstimator:
    def test_it_gets_the_prompt_as_a_str_and_then_every_message_even_a_trimmed_one(self) -> None:
        path = parsed(*opening())
        costs = Costs(3, *OPENING_COSTS)
        built(path, costs, 0, prompt="sys")
        assert costs.asked[0] == "sys"
        assert costs.asked[1:] == [entry.message for entry in path if entry.type == "message"]

    def test_it_is_not_asked_for_an_empty_prompt(self) -> None:
        costs = Costs(1)
        context = built(parsed(user("u1")), costs, 5)
        assert len(costs.asked) == 1
        assert (context.system_prompt, context.tokens.system) == ("", 0)

    def test_what_it_is_given_is_nobody_elses(self) -> None:
        path = parsed(*opening())
        kept = copy.deepcopy(path)
        costs = Costs(*OPENING_COSTS)
        context = built(path, costs, 99)
        messages = copy.deepcopy(context.messages)
        assert share_nothing(costs.asked, path)
        assert share_nothing(costs.asked, context)
        wreck(costs.asked)
        assert (path, context.messages) == (kept, messages)

    def test_one_that_wrecks_what_it_is_given_changes_nothing(self) -> None:
        path = parsed(*opening(), compaction("x1", "u2"), user("u4"))
        expected = built(path, lambda value: 1, 99, prompt="sys")

        def wrecking(value: str | Message) -> float:
            wreck(value)
            return 1

        assert built(path, wrecking, 99, prompt="sys") == expected
        assert path == parsed(*opening(), compaction("x1", "u2"), user("u4"))

    @pytest.mark.parametrize("answer", BAD_AMOUNTS.values(), ids=BAD_AMOUNTS)
    @pytest.mark.parametrize(("at", "source"), [(0, "system_prompt"), (1, "u1"), (9, "a3")])
    def test_a_bad_answer_is_refused_wherever_it_comes(
        self, answer: Any, at: int, source: str
    ) -> None:
        """For u1, too, which the window would have trimmed away."""
        costs: list[Any] = [3, *OPENING_COSTS]
        costs[at] = answer
        with pytest.raises(BudgetError, match=source) as caught:
            built(parsed(*opening()), Costs(*costs), 12, prompt="sys")
        assert (caught.value.source, caught.value.ids) == (source, (source,))
        assert len(str(caught.value)) < 300

    @pytest.mark.parametrize("value", BAD_AMOUNTS.values(), ids=BAD_AMOUNTS)
    @pytest.mark.parametrize("option", ["max_tokens", "reserved_output", "safety_margin"])
    def test_a_bad_option_is_refused_by_its_name(self, option: str, value: Any) -> None:
        options: dict[str, Any] = {"max_tokens": 9, "reserved_output": 0, "safety_margin": 0}
        options[option] = value
        with pytest.raises(BudgetError, match=option) as caught:
            build_context(parsed(user("u1")), estimate_tokens=lambda value: 1, **options)
        assert caught.value.source == option

    def test_bad_options_are_refused_for_an_empty_path_too(self) -> None:
        with pytest.raises(BudgetError, match="safety_margin"):
            built([], Costs(), 1, margin=-1)

    @pytest.mark.parametrize("answer", [0, -0.0, 0.5, 10**308, 5e-324, 1e308, Float(2)])
    def test_any_other_int_or_float_is_taken_as_it_is(self, answer: float) -> None:
        context = built(parsed(user("u1")), Costs(answer), answer)
        assert context.tokens.messages == answer
        assert context.reason == "within_budget"

    @pytest.mark.parametrize(("at", "source"), [(0, "system_prompt"), (1, "u1"), (9, "a3")])
    def test_its_own_error_is_chained(self, at: int, source: str) -> None:
        problem = KeyError("no such text")

        def failing(value: str | Message) -> float:
            failing.asked += 1  # type: ignore[attr-defined]
            if failing.asked > at:  # type: ignore[attr-defined]
                raise problem
            return 1

        failing.asked = 0  # type: ignore[attr-defined]
        with pytest.raises(BudgetError, match=rf"{source}.*KeyError.*no such text") as caught:
            built(parsed(*opening()), failing, 99, prompt="sys")
        assert caught.value.__cause__ is problem
        assert caught.value.source == source

    def test_what_is_wrong_with_it_is_said(self) -> None:
        with pytest.raises(BudgetError, match=r"u1: .* an int or a float, not Scalar"):
            built(parsed(user("u1")), Costs(Scalar()), 9)
        with pytest.raises(BudgetError, match=r"u1: .* not be negative, not -3"):
            built(parsed(user("u1")), Costs(-3), 9)
        with pytest.raises(BudgetError, match=r"u1: .* finite"):
            built(parsed(user("u1")), Costs(math.nan), 9)

    def test_what_stops_the_program_is_not_caught(self) -> None:
        def stopped(value: str | Message) -> float:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            built(parsed(user("u1")), stopped, 9)

    def test_no_estimator_at_all_is_an_error_with_a_name(self) -> None:
        with pytest.raises(BudgetError, match=r"u1.*TypeError"):
            built(parsed(user("u1")), None, 9)


# --- independence, and large sessions -----------------------------------------------


@given(sessions(), st.integers(0, 30))
def test_the_result_is_nobody_elses_and_always_the_same(session: list[Json], window: int) -> None:
    path = [parse_session_entry(entry) for entry in session]
    kept = copy.deepcopy(path)
    first = built(path, lambda value: 2, window, prompt="p")
    assert path == kept
    second = built(path, lambda value: 2, window, prompt="p")
    assert first == second
    assert share_nothing(first, path)
    assert share_nothing(first, second)
    unchanged = copy.deepcopy(first)
    wreck(first)
    assert (path, second) == (kept, unchanged)
    wreck(path)
    assert second == unchanged


@pytest.mark.parametrize("kind", [iter, lambda path: (entry for entry in path)])
def test_a_path_that_can_be_read_once_only_is_refused(kind: Any) -> None:
    """It would be used up before the groups are made, and give an empty context."""
    path = parsed(*opening())
    with pytest.raises(TypeError, match="not subscriptable"):
        built(kind(path), Costs(*OPENING_COSTS), 31)
    assert build_context(
        tuple(path),
        max_tokens=29,
        reserved_output=0,
        safety_margin=0,
        estimate_tokens=Costs(*OPENING_COSTS),
    ).kept_entry_ids == [entry.id for entry in path]


def test_a_broken_interaction_never_reaches_the_budget() -> None:
    with pytest.raises(InteractionError, match="c1"):
        built(parsed(user("u1"), assistant("c1", "k"), *opening()), lambda value: 1, 5)


class CountingList(list[SessionEntry]):
    """A path that counts how often one of its items is taken."""

    taken = 0

    def __iter__(self) -> Iterator[SessionEntry]:
        for item in super().__iter__():
            self.taken += 1
            yield item

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        self.taken += len(found) if isinstance(key, slice) else 1
        return found


@pytest.mark.parametrize("window", [10, 15_000, 99_999])
def test_twenty_thousand_entries_each_looked_at_a_few_times(window: int) -> None:
    path = CountingList(parse_session_entry(entry) for entry in tool_turns(5000))
    asked = 0

    def count(value: str | Message) -> float:
        nonlocal asked
        asked += 1
        return 1

    with little_stack():
        context = built(path, count, window)
    assert asked == 20_000
    assert len(context.messages) == min(window, 20_000) // 4 * 4
    assert path.taken <= 5 * len(path)
