"""Interactions: where they begin, and that every call has its one result in the same one.

One file over 300 lines: one function is under test, against one rule written out below.
"""

import copy
import itertools
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coursekit.context import InteractionError, group_interactions
from coursekit.session import (
    MessageSessionEntry,
    SessionEntry,
    SessionEntryError,
    TextContent,
    UserMessage,
    parse_session_entry,
)
from coursekit.transcripts import Json
from tests.builders import (
    assistant,
    compaction,
    little_stack,
    metadata,
    opening,
    parsed,
    result,
    tool_turns,
    user,
)
from tests.independence import share_nothing, wreck
from tests.strategies import sessions


def ids(path: list[SessionEntry]) -> list[list[str]]:
    return [[entry.id for entry in group.entries] for group in group_interactions(path)]


def refused(*entries: Json) -> InteractionError:
    with pytest.raises(InteractionError) as caught:
        group_interactions(parsed(*entries))
    for each in caught.value.ids:
        assert each in str(caught.value)
    return caught.value


def test_the_opening_transcript_has_three_interactions() -> None:
    assert ids(parsed(*opening())) == [
        ["u1", "a1"],
        ["u2", "a2"],
        ["u3", "calls", "r-test", "r-read", "a3"],
    ]


def test_no_entries_no_groups() -> None:
    assert group_interactions([]) == []
    assert ids(parsed(metadata("m1"))) == []


@pytest.mark.parametrize("order", list(itertools.permutations(["calls", "r-test", "r-read", "a3"])))
def test_results_may_stand_in_any_order_and_anywhere(order: tuple[str, ...]) -> None:
    """Even before their call: only the ids pair them."""
    by_id = {entry["id"]: entry for entry in opening()}
    path = parsed(user("u3"), *(by_id[each] for each in order))
    assert ids(path) == [["u3", *order]]


def test_metadata_and_compactions_are_passed_over_wherever_they_stand() -> None:
    path = parsed(
        metadata("m0"),
        user("u1"),
        assistant("c1", "k"),
        metadata("m1"),
        compaction("x1", "u1"),
        result("r1", "k"),
        compaction("x2", "u1"),
    )
    assert ids(path) == [["u1", "c1", "r1"]]


def test_two_user_messages_in_a_row_are_two_interactions() -> None:
    assert ids(parsed(user("u1"), user("u2"))) == [["u1"], ["u2"]]


def test_a_call_id_may_be_used_again_in_a_later_interaction() -> None:
    path = parsed(
        user("u1"),
        assistant("c1", "call_0"),
        result("r1", "call_0"),
        assistant("a1"),
        user("u2"),
        assistant("c2", "call_0"),
        result("r2", "call_0"),
        assistant("a2"),
    )
    assert ids(path) == [["u1", "c1", "r1", "a1"], ["u2", "c2", "r2", "a2"]]


class TestRefused:
    def test_a_result_of_an_unknown_call(self) -> None:
        broken = opening()
        broken[6]["message"]["toolCallId"] = "unknown-1"
        error = refused(*broken)
        # test-1 has lost its result, and the result has no call: both ends are named.
        assert error.ids == ("calls", "test-1", "r-test", "unknown-1")
        assert (error.entry_id, error.call_id) == ("calls", "test-1")

    def test_a_call_without_a_result(self) -> None:
        error = refused(user("u1"), assistant("c1", "k1", "k2"), result("r1", "k1"))
        assert (error.entry_id, error.call_id) == ("c1", "k2")

    def test_a_call_made_twice_in_one_message(self) -> None:
        error = refused(user("u1"), assistant("c1", "k", "k"), result("r1", "k"))
        assert (error.entry_id, error.call_id) == ("c1", "k")

    def test_a_call_made_twice_in_one_interaction(self) -> None:
        error = refused(
            user("u1"),
            assistant("c1", "k"),
            result("r1", "k"),
            assistant("c2", "k"),
            result("r2", "k"),
        )
        assert {"c2", "r2", "k"} == set(error.ids)

    def test_a_second_result(self) -> None:
        error = refused(user("u1"), assistant("c1", "k"), result("r1", "k"), result("r2", "k"))
        assert (error.entry_id, error.call_id) == ("r2", "k")

    def test_a_user_message_between_a_call_and_its_result(self) -> None:
        error = refused(
            user("u1"), assistant("c1", "k"), user("u2"), result("r1", "k"), assistant("a1")
        )
        assert error.ids == ("c1", "k", "r1", "k")

    @pytest.mark.parametrize("stop", ["aborted", "error"])
    def test_a_call_of_a_message_that_was_cut_off_though_its_result_is_there(
        self, stop: str
    ) -> None:
        error = refused(
            user("u1"),
            assistant("c1", "k", stop=stop),
            result("r1", "k"),
            user("u2"),
            assistant("a2"),
        )
        assert (error.entry_id, error.call_id) == ("c1", "k")
        assert "r1" in error.ids
        assert stop in str(error)

    @pytest.mark.parametrize("stop", ["aborted", "error"])
    def test_a_call_of_a_message_that_was_cut_off(self, stop: str) -> None:
        error = refused(user("u1"), assistant("c1", "k", stop=stop))
        assert error.ids == ("c1", "k")

    @pytest.mark.parametrize(
        ("first", "named"),
        [
            (assistant("a1"), ("a1",)),
            (assistant("c1", "k1", "k2"), ("c1", "k1", "k2")),
            (result("r1", "k1"), ("r1", "k1")),
        ],
    )
    def test_a_message_before_the_first_user_message(
        self, first: Json, named: tuple[str, ...]
    ) -> None:
        error = refused(metadata("m1"), first, user("u1"))
        assert error.ids == named

    def test_an_open_call_at_the_end_of_the_path(self) -> None:
        error = refused(*opening(), user("u4"), assistant("c4", "k4"))
        assert (error.entry_id, error.call_id) == ("c4", "k4")

    def test_a_fault_in_an_early_interaction_is_found_though_later_ones_are_right(self) -> None:
        error = refused(user("u1"), assistant("c1", "k"), *opening())
        assert error.ids == ("c1", "k")

    def test_a_thousand_faults_are_counted_and_the_first_ones_described(self) -> None:
        entries = [
            each for i in range(1000) for each in (user(f"u{i}"), assistant(f"c{i}", f"k{i}"))
        ]
        error = refused(*entries)
        assert (error.entry_id, error.call_id) == ("c0", "k0")
        assert "990 more" in str(error)
        assert len(str(error)) < 500

    def test_an_entry_that_somebody_built_wrongly(self) -> None:
        content: Any = [TextContent("hi"), "bare"]
        with pytest.raises(SessionEntryError, match=r"u1\.message\.content\[1\]"):
            group_interactions([MessageSessionEntry("u1", None, 0, UserMessage(content, 0))])


@pytest.mark.parametrize("stop", ["aborted", "error", "length"])
def test_a_message_that_was_cut_off_without_a_call_is_like_any_other(stop: str) -> None:
    assert ids(parsed(user("u1"), assistant("a1", stop=stop), user("u2"))) == [["u1", "a1"], ["u2"]]


def test_a_call_in_a_message_at_its_length_limit_counts() -> None:
    path = parsed(user("u1"), assistant("c1", "k", stop="length"), result("r1", "k"))
    assert ids(path) == [["u1", "c1", "r1"]]


# --- against an oracle ------------------------------------------------------------

LETTERS = {
    "u": lambda i: user(f"{i}"),
    "a": lambda i: assistant(f"{i}"),
    "j": lambda i: assistant(f"{i}", "j"),
    "k": lambda i: assistant(f"{i}", "k"),
    "b": lambda i: assistant(f"{i}", "j", "k"),
    "J": lambda i: result(f"{i}", "j"),
    "K": lambda i: result(f"{i}", "k"),
    "x": lambda i: assistant(f"{i}", "k", stop="aborted"),
    "m": lambda i: metadata(f"{i}"),
}
CALLS = {"j": "j", "k": "k", "b": "jk"}


def oracle(letters: str) -> list[list[str]] | None:
    """Split the word at each u, then count calls and results in each piece."""
    said = [(letter, str(i)) for i, letter in enumerate(letters) if letter != "m"]
    starts = [at for at, (letter, _) in enumerate(said) if letter == "u"]
    if said and starts[:1] != [0]:
        return None
    groups = []
    for start, end in zip(starts, [*starts[1:], len(said)], strict=False):
        piece = said[start:end]
        calls = Counter("".join(CALLS.get(letter, "") for letter, _ in piece))
        results = Counter(letter.lower() for letter, _ in piece if letter in "JK")
        if "x" in [letter for letter, _ in piece]:
            return None
        if calls != results or any(count > 1 for count in calls.values()):
            return None
        groups.append([entry_id for _, entry_id in piece])
    return groups


def agree(letters: str) -> bool:
    path = parsed(*(LETTERS[letter](i) for i, letter in enumerate(letters)))
    expected = oracle(letters)
    if expected is None:
        with pytest.raises(InteractionError):
            group_interactions(path)
        return False
    assert ids(path) == expected, letters
    return True


def test_every_word_of_four_letters_agrees_with_counting() -> None:
    words = ["".join(word) for n in range(5) for word in itertools.product("uakbJK", repeat=n)]
    good = sum(agree(word) for word in words)
    assert 20 < good < len(words) / 2  # both sides were asked


@given(st.text(st.sampled_from("uuaajkbJJKKxm"), max_size=12).map(lambda word: "u" + word))
def test_longer_words_agree_with_counting(letters: str) -> None:
    agree(letters)


@given(sessions())
def test_a_right_session_is_grouped_and_nothing_is_lost(session: list[Json]) -> None:
    path = [parse_session_entry(entry) for entry in session]
    kept = copy.deepcopy(path)
    groups = group_interactions(path)
    together = [entry for group in groups for entry in group.entries]
    assert together == [entry for entry in path if entry.type == "message"]
    for group in groups:
        roles = [entry.message.role for entry in group.entries]
        assert roles[0] == "user"
        assert "user" not in roles[1:]
    assert group_interactions(path) == groups
    assert share_nothing(groups, path)
    wreck(groups)
    assert path == kept


@given(sessions().filter(bool), st.data())
def test_a_session_that_lost_a_call_or_a_result_is_refused(
    session: list[Json], data: st.DataObject
) -> None:
    results = [i for i, each in enumerate(session) if "toolCallId" in each.get("message", {})]
    if results:
        at = data.draw(st.sampled_from(results))
        call_id = session[at]["message"]["toolCallId"]
        with pytest.raises(InteractionError) as caught:
            group_interactions(
                [parse_session_entry(each) for each in session[:at] + session[at + 1 :]]
            )
        assert caught.value.call_id == call_id


def test_twenty_thousand_entries_without_recursion() -> None:
    path = [parse_session_entry(entry) for entry in tool_turns(5000)]
    with little_stack():
        groups = group_interactions(entry for entry in path)  # one pass is enough
    assert len(groups) == 5000
    assert [len(group.entries) for group in groups] == [4] * 5000


def test_one_interaction_of_twenty_thousand_entries() -> None:
    calls = [assistant(f"c{i}", f"k{i}") for i in range(10_000)]
    results = [result(f"r{i}", f"k{i}") for i in reversed(range(10_000))]
    with little_stack():
        [group] = group_interactions(parsed(user("u"), *calls, *results))
    assert len(group.entries) == 20_001
