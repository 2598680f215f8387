"""The newest compaction: its summary in front, then the path from its first kept entry.

One file over 300 lines: one function is under test, on paths that its tests share.
"""

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coursekit.context import (
    BudgetError,
    BuildContextResult,
    CompactionError,
    InteractionError,
    build_context,
    create_compaction_entry,
    restore,
)
from coursekit.session import (
    SUMMARY_KEYS,
    CompactionSessionEntry,
    JsonlSessionStore,
    Message,
    SessionEntry,
    SessionEntryError,
    TextContent,
    UserMessage,
    parse_session_entry,
    path_to,
)
from coursekit.transcripts import Json
from tests.builders import (
    assistant,
    chain,
    compaction,
    little_stack,
    metadata,
    opening,
    parsed,
    result,
    summary,
    tool_turns,
    user,
)
from tests.independence import share_nothing, wreck
from tests.strategies import sessions, summaries

RESTORED = [*opening(), compaction("compact-1", "u2"), user("u4"), assistant("a4")]


def built(path: list[SessionEntry], window: float = 99, estimate: Any = None) -> BuildContextResult:
    return build_context(
        path,
        max_tokens=window,
        reserved_output=0,
        safety_margin=0,
        estimate_tokens=estimate or (lambda value: 1),
    )


def summary_text(context: BuildContextResult) -> str:
    front = context.messages[0]
    assert isinstance(front, UserMessage)
    [part] = front.content
    return part.text


def refused(path: list[SessionEntry]) -> CompactionError:
    with pytest.raises(CompactionError) as caught:
        built(path)
    assert caught.value.ids == (caught.value.compaction_id, caught.value.entry_id)
    for each in caught.value.ids:
        assert each in str(caught.value)
    return caught.value


class TestTheLabDocument:
    def test_a_summary_then_the_second_group_and_what_came_after(self) -> None:
        path = parsed(*RESTORED)
        context = built(path)
        assert context.kept_entry_ids == [
            *["u2", "a2", "u3", "calls", "r-test", "r-read", "a3"],
            *["u4", "a4"],
        ]
        assert len(context.messages) == 10  # nine entries and the summary, which is none
        messages = [entry.message for entry in path if entry.type == "message"]
        assert context.messages[1:] == messages[2:]
        assert context.reason == "within_budget"

    def test_the_summary_is_a_user_message_at_the_compactions_time(self) -> None:
        front = built(parsed(*RESTORED)).messages[0]
        assert (front.role, front.timestamp) == ("user", 100)

    def test_a_second_compaction_speaks_alone(self) -> None:
        first = [*opening(), compaction("compact-1", "u2", "old goal"), user("u4"), assistant("a4")]
        second = create_compaction_entry(
            parsed(*first),
            id="compact-2",
            timestamp=200,
            summary=summary("new goal"),
            first_kept_entry_id="u3",
            tokens_before=40,
        )
        path = [*parsed(*first), second]
        context = built(path)
        assert context.kept_entry_ids == ["u3", "calls", "r-test", "r-read", "a3", "u4", "a4"]
        assert "new goal" in summary_text(context)
        assert "old goal" not in summary_text(context)
        assert context.messages[0].timestamp == 200
        assert [entry.id for entry in path[:9]] == [entry["id"] for entry in opening()]

    def test_a_second_compaction_may_keep_from_before_the_first(self) -> None:
        path = parsed(*RESTORED, compaction("compact-2", "u1"))
        assert built(path).kept_entry_ids == [
            *[entry["id"] for entry in opening()],
            "u4",
            "a4",
        ]


def test_the_seven_values_stand_in_the_documents_order() -> None:
    values = {
        "goal": "value 1",
        "constraints": ["value 2", "value 3"],
        "completed": ["value 4"],
        "decisions": ["value 5"],
        "changedFiles": ["value 6", "value 7"],
        "unresolved": ["value 8"],
        "next": ["value 9"],
    }
    # The order of the keys that came in does not matter.
    backwards = dict(reversed(values.items()))
    compact = compaction("x", "u2") | {"summary": backwards}
    text = summary_text(built(parsed(*opening(), compact)))
    places = [text.index(f"value {n}") for n in range(1, 10)]
    assert places == sorted(places)


def test_metadata_and_compactions_never_reach_the_model() -> None:
    path = parsed(
        metadata("m0"),
        user("u1"),
        assistant("c1", "k"),
        metadata("m1"),
        compaction("x1", "u1"),
        result("r1", "k"),
        metadata("m2"),
        compaction("x2", "u1"),
        metadata("m3"),
        user("u2"),
    )
    context = built(path)
    assert context.kept_entry_ids == ["u1", "c1", "r1", "u2"]
    assert len(context.messages) == 5


class TestTheBudget:
    """Costs: the summary 5, then u2 a2 (7), u3 … a3 (15), u4 a4 (6): 33 in all."""

    costs: tuple[float, ...] = (5, 3, 4, 3, 3, 3, 3, 3, 3, 3)

    def estimate(self) -> Any:
        left = list(self.costs)
        return lambda value: left.pop(0)

    @pytest.mark.parametrize(
        ("window", "kept", "messages", "reason"),
        [
            (33, 9, 33, "within_budget"),
            (32, 7, 26, "trimmed"),
            (26, 7, 26, "trimmed"),
            (25, 2, 11, "trimmed"),
            (11, 2, 11, "trimmed"),
            (10, 2, 11, "single_group_overflow"),
            (4, 2, 11, "single_group_overflow"),
            (0, 2, 11, "single_group_overflow"),
        ],
    )
    def test_its_summary_comes_off_first(
        self, window: int, kept: int, messages: int, reason: str
    ) -> None:
        context = built(parsed(*RESTORED), window, self.estimate())
        assert (len(context.kept_entry_ids), context.reason) == (kept, reason)
        assert len(context.messages) == kept + 1
        tokens = context.tokens
        assert (tokens.messages, tokens.total) == (messages, messages)
        assert tokens.available_for_messages == window  # before the summary's cost comes off

    def test_a_summary_of_12_and_a_group_of_15_in_20(self) -> None:
        left = [12, 15]
        context = built(parsed(user("u1"), compaction("x", "u1")), 20, lambda value: left.pop(0))
        assert (context.kept_entry_ids, context.reason) == (["u1"], "single_group_overflow")
        tokens = context.tokens
        assert (tokens.messages, tokens.available_for_messages, tokens.total) == (27, 20, 27)

    def test_a_summary_larger_than_everything_leaves_no_room_for_free_messages(self) -> None:
        left = [9, 0, 0]
        path = parsed(user("u1"), user("u2"), compaction("x", "u1"))
        context = built(path, 5, lambda value: left.pop(0))
        assert (context.kept_entry_ids, context.reason) == (["u2"], "single_group_overflow")

    def test_only_the_summary_and_what_may_be_kept_is_asked_for(self) -> None:
        asked: list[str | Message] = []
        path = parsed(*RESTORED)

        def estimate_tokens(value: str | Message) -> float:
            asked.append(value)
            return 1

        context = built(path, 0, estimate_tokens)
        assert asked[0] == context.messages[0]
        assert asked[1:] == [e.message for e in path[2:] if e.type == "message"]

    def test_a_bad_cost_of_the_summary_names_the_compaction(self) -> None:
        def bad(value: str | Message) -> float:
            assert isinstance(value, UserMessage)
            return -1 if "goal" in value.content[0].text else 1

        with pytest.raises(BudgetError, match="compact-1") as caught:
            built(parsed(*RESTORED), 9, bad)
        assert caught.value.source == "compact-1"


class TestRefused:
    def test_a_first_kept_entry_on_a_side_branch(self) -> None:
        entries = parsed(user("u1"), assistant("a1"), compaction("x1", "side"), user("u2"))
        entries.append(parse_session_entry(user("side") | {"parentId": "u1"}))
        error = refused(path_to(entries, "u2"))
        assert (error.compaction_id, error.entry_id) == ("x1", "side")

    @pytest.mark.parametrize("first", ["a2", "calls", "r-test", "m1", "x1", "unknown", "u4", "x2"])
    def test_one_that_begins_no_interaction_before_it(self, first: str) -> None:
        path = parsed(
            *opening(), metadata("m1"), compaction("x1", "u1"), compaction("x2", first), user("u4")
        )
        error = refused(path)
        assert (error.compaction_id, error.entry_id) == ("x2", first)

    def test_one_that_stands_after_it(self) -> None:
        path = parsed(metadata("m1"), compaction("x1", "u1"), user("u1"))
        assert refused(path).entry_id == "u1"

    def test_a_second_compaction_that_keeps_from_the_first(self) -> None:
        """Public logs have it: x1 came between c1 and r1, and x2 points at x1."""
        path = parsed(
            user("u1"),
            assistant("c1", "k1"),
            compaction("x1", "u1"),
            result("r1", "k1"),
            assistant("a1"),
            compaction("x2", "x1"),
            user("u2"),
        )
        error = refused(path)
        assert (error.compaction_id, error.entry_id) == ("x2", "x1")

    def test_a_result_whose_call_is_before_the_first_kept_entry(self) -> None:
        path = parsed(
            user("u1"), assistant("c1", "k"), user("u2"), result("r2", "k"), compaction("x", "u2")
        )
        with pytest.raises(InteractionError) as caught:
            built(path)
        assert caught.value.ids == ("r2", "k")

    def test_a_compaction_that_somebody_built_wrongly(self) -> None:
        path = parsed(*RESTORED)
        bad = path[9]
        assert isinstance(bad, CompactionSessionEntry)
        bad.summary.completed = None  # type: ignore[assignment]
        with pytest.raises(SessionEntryError, match=r"compact-1\.summary\.completed"):
            built(path)


def test_an_older_compaction_is_silent_even_when_it_is_wrong() -> None:
    path = parsed(*opening(), compaction("x1", "gone"), compaction("x2", "u3"))
    assert built(path).kept_entry_ids[0] == "u3"


def test_what_is_before_the_first_kept_entry_is_no_longer_looked_at() -> None:
    path = parsed(user("u1"), assistant("c1", "open"), user("u2"), compaction("x", "u2"))
    assert built(path).kept_entry_ids == ["u2"]


# --- against an oracle ------------------------------------------------------------


@given(sessions(max_interactions=6), st.integers(0, 40), st.integers(0, 9))
def test_any_session_as_the_rules_say_it(session: list[Json], window: int, front: int) -> None:
    """The expected ids, read off the JSON: cut at the newest compaction's first kept entry."""
    compactions = [entry for entry in session if entry["type"] == "compaction"]
    newest = compactions[-1] if compactions else None
    ids = [entry["id"] for entry in session]
    start = ids.index(newest["firstKeptEntryId"]) if newest else 0
    messages = [entry for entry in session[start:] if entry["type"] == "message"]
    starts = [i for i, entry in enumerate(messages) if entry["message"]["role"] == "user"]
    cost = 2 * len(messages)
    room = window - (front if newest else 0)
    fitting = [at for at in starts if cost - 2 * at <= room]
    first = min(fitting, default=starts[-1] if starts else 0)
    reason = "within_budget" if first == 0 else "trimmed"
    if starts and not fitting:
        reason = "single_group_overflow"

    path = [parse_session_entry(entry) for entry in session]
    answers = iter([front] if newest else [])
    context = built(path, window, lambda value: next(answers, 2))
    assert context.kept_entry_ids == [entry["id"] for entry in messages[first:]]
    assert context.reason == reason
    by_id = {entry.id: entry.message for entry in path if entry.type == "message"}
    kept = [by_id[each] for each in context.kept_entry_ids]
    if newest:
        assert context.messages[1:] == kept
        assert context.messages[0].timestamp == newest["timestamp"]
    else:
        assert context.messages == kept
    assert context.tokens.messages == 2 * len(kept) + (front if newest else 0)


@given(summaries)
def test_any_summary_says_all_its_values_in_order(fields: Json) -> None:
    path = parsed(*opening(), compaction("x", "u2") | {"summary": fields})
    text = summary_text(built(path))
    at = 0
    for key in SUMMARY_KEYS:
        value = fields[key]
        for item in value if isinstance(value, list) else [value]:
            at = text.index(item, at) + len(item)


def test_repeated_building_and_reopening_give_equal_and_separate_results(tmp_path: Any) -> None:
    store = JsonlSessionStore.open(tmp_path / "session.jsonl")
    for entry in parsed(*RESTORED):
        store.append(entry)
    path = path_to(store.entries(), "a4")
    kept = copy.deepcopy(path)
    first = built(path, 30)
    expected = copy.deepcopy(first)
    front = first.messages[0]
    assert isinstance(front, UserMessage)
    assert isinstance(front.content[0], TextContent)
    wreck(first)
    assert path == kept
    assert built(path, 30) == expected
    again = JsonlSessionStore.open(tmp_path / "session.jsonl")
    assert built(path_to(again.entries(), "a4"), 30) == expected


def test_restore_returns_copies_and_the_path_stays() -> None:
    path = parsed(*RESTORED)
    kept = copy.deepcopy(path)
    restored = restore(path)
    assert restored.compaction_id == "compact-1"
    assert [entry.id for entry in restored.entries] == [
        entry["id"] for entry in chain(*RESTORED)[2:] if entry["type"] == "message"
    ]
    assert share_nothing(restored, path)
    wreck(restored)
    assert path == kept


def test_twenty_thousand_entries_and_two_thousand_compactions() -> None:
    entries: list[Json] = []
    for i, entry in enumerate(tool_turns(4500)):
        entries.append(entry)
        if i % 9 == 8:
            entries.append(compaction(f"x{i}", "u7"))
    path = parsed(*entries)
    asked = 0

    def count(value: str | Message) -> float:
        nonlocal asked
        asked += 1
        return 1

    with little_stack():
        context = built(path, 99_999, count)
    assert asked == len(context.messages) == 18_000 - 28 + 1
