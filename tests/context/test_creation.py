"""Making a compaction entry: parent derived, cut checked, nothing written or changed."""

import copy
import inspect
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coursekit.context import (
    CompactionError,
    InteractionError,
    build_context,
    create_compaction_entry,
    group_interactions,
)
from coursekit.session import (
    CompactionSessionEntry,
    CourseError,
    InMemorySessionStore,
    JsonlSessionStore,
    SessionEntry,
    SessionEntryError,
    entry_to_json,
    parse_session_entry,
    path_to,
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
    summary,
    tool_turns,
    user,
)
from tests.independence import share_nothing, wreck
from tests.strategies import non_negative, numbers, sessions, summaries


def created(path: list[SessionEntry], **changes: Any) -> CompactionSessionEntry:
    arguments: dict[str, Any] = {
        "id": "compact-1",
        "timestamp": 100,
        "summary": summary(),
        "first_kept_entry_id": "u2",
        "tokens_before": 29,
    }
    return create_compaction_entry(path, **(arguments | changes))


def refused(path: list[SessionEntry], **changes: Any) -> CompactionError:
    before = copy.deepcopy(path)
    with pytest.raises(CompactionError) as caught:
        created(path, **changes)
    assert path == before
    assert caught.value.compaction_id == changes.get("id", "compact-1")
    for each in caught.value.ids:
        assert each in str(caught.value) or repr(each) in str(caught.value)
    return caught.value


def test_the_entry_of_the_lab_document() -> None:
    entry = created(parsed(*opening()))
    assert entry_to_json(entry) == compaction("compact-1", "u2") | {"parentId": "a3"}


def test_the_parent_is_the_last_entry_of_the_path_whatever_it_is() -> None:
    assert created(parsed(*opening(), metadata("m1"))).parent_id == "m1"
    assert created(parsed(*opening(), compaction("x1", "u2"))).parent_id == "x1"


def test_it_takes_no_parent_and_no_store() -> None:
    names = list(inspect.signature(create_compaction_entry).parameters)
    assert names == [
        "active_path",
        "id",
        "timestamp",
        "summary",
        "first_kept_entry_id",
        "tokens_before",
    ]


def test_a_summary_may_be_an_object_or_its_json() -> None:
    path = parsed(*opening())
    entry = created(path)
    assert created(path, summary=entry.summary) == entry


def test_an_empty_path_is_refused_as_such() -> None:
    assert "empty path" in str(refused([]))


def test_a_path_without_messages_has_nothing_to_keep() -> None:
    assert refused(parsed(metadata("m1")), first_kept_entry_id="m1").entry_id == "m1"


@pytest.mark.parametrize("entry_id", ["u1", "calls", "a3", "m1", "x1"])
def test_an_id_that_is_there_is_refused(entry_id: str) -> None:
    path = parsed(*opening(), metadata("m1"), compaction("x1", "u2"))
    refused(path, id=entry_id)


@pytest.mark.parametrize("first", ["u1", "u2", "u3"])
def test_every_start_of_an_interaction_may_be_first_kept(first: str) -> None:
    assert created(parsed(*opening()), first_kept_entry_id=first).first_kept_entry_id == first


@pytest.mark.parametrize(
    "first", ["a1", "a2", "calls", "r-test", "r-read", "a3", "m1", "x1", "unknown", "compact-1", ""]
)
def test_nothing_else_may_be_first_kept(first: str) -> None:
    path = parsed(*opening(), metadata("m1"), compaction("x1", "u2"))
    error = refused(path, first_kept_entry_id=first)
    assert error.entry_id == first


@pytest.mark.parametrize("first", [None, 3, [], ["u2"]])
def test_what_is_no_id_is_not_first_kept(first: Any) -> None:
    with pytest.raises(CompactionError, match="compact-1"):
        created(parsed(*opening()), first_kept_entry_id=first)


def test_a_user_message_of_another_branch_is_not_on_the_path() -> None:
    entries = [*parsed(*opening()), parse_session_entry(user("side") | {"parentId": "a1"})]
    assert refused(path_to(entries, "a3"), first_kept_entry_id="side").entry_id == "side"


class TestAnOpenCall:
    def test_a_path_that_ends_in_one(self) -> None:
        path = parsed(user("u1"), assistant("c1", "k1"))
        with pytest.raises(InteractionError) as caught:
            created(path, first_kept_entry_id="u1")
        assert caught.value.ids == ("c1", "k1")

    def test_results_out_of_order_across_two_calls_with_a_cut_at_the_second(self) -> None:
        """Cutting at c2 would keep both results and lose the call of one."""
        whole = [
            user("u1"),
            assistant("c1", "k1"),
            assistant("c2", "k2"),
            result("r2", "k2"),
            result("r1", "k1"),
            assistant("a1"),
        ]
        assert refused(parsed(*whole), first_kept_entry_id="c2").entry_id == "c2"
        assert created(parsed(*whole), first_kept_entry_id="u1").first_kept_entry_id == "u1"
        for size in (2, 3, 4):
            with pytest.raises(InteractionError, match="k1"):
                created(parsed(*whole[:size]), first_kept_entry_id="u1")

    def test_a_second_compaction_that_keeps_from_the_first(self) -> None:
        """The orphan's other half: x1 came between c1 and r1, and x2 points at x1."""
        path = parsed(
            user("u1"),
            assistant("c1", "k1"),
            compaction("x1", "u1"),
            result("r1", "k1"),
            assistant("a1"),
        )
        assert refused(path, id="x2", first_kept_entry_id="x1").ids == ("x2", "x1")


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"summary": summary(" ")}, "compact-1.summary.goal"),
        ({"summary": {"goal": "cut o"}}, "compact-1.summary.constraints"),
        ({"summary": summary() | {"next": "one"}}, "compact-1.summary.next"),
        ({"summary": summary() | {"files": []}}, "compact-1.summary.files"),
        ({"summary": None}, "compact-1.summary"),
        ({"timestamp": float("nan")}, "compact-1.timestamp"),
        ({"timestamp": "now"}, "compact-1.timestamp"),
        ({"tokens_before": -1}, "compact-1.tokensBefore"),
        ({"tokens_before": True}, "compact-1.tokensBefore"),
        ({"tokens_before": 10**400}, "compact-1.tokensBefore"),
        ({"id": ""}, "entry.id"),
        ({"id": None}, "entry.id"),
    ],
)
def test_the_parser_has_the_last_word(changes: dict[str, Any], path: str) -> None:
    with pytest.raises(SessionEntryError) as caught:
        created(parsed(*opening()), **changes)
    assert caught.value.path == path


def test_a_summary_object_that_somebody_filled_wrongly_is_refused() -> None:
    broken = created(parsed(*opening())).summary
    broken.changed_files = None  # type: ignore[assignment]
    with pytest.raises(SessionEntryError, match=r"compact-1\.summary\.changedFiles"):
        created(parsed(*opening()), summary=broken)


@given(sessions().filter(bool), summaries, numbers, non_negative, st.data())
def test_any_start_on_any_path(
    session: list[Json], fields: Json, time: float, before: float, data: st.DataObject
) -> None:
    """Also from before an earlier compaction: the history is all there."""
    path = [parse_session_entry(entry) for entry in session]
    kept, fields_before = copy.deepcopy(path), copy.deepcopy(fields)
    starts = [group.entries[0].id for group in group_interactions(path)]
    first = data.draw(st.sampled_from([entry.id for entry in path]))
    changes: dict[str, Any] = {
        "id": "new",
        "summary": fields,
        "timestamp": time,
        "tokens_before": before,
        "first_kept_entry_id": first,
    }
    if first not in starts:
        assert refused(path, **changes).ids == ("new", first)
        return
    entry = created(path, **changes)
    assert entry_to_json(entry) == {
        "type": "compaction",
        "id": "new",
        "parentId": path[-1].id,
        "timestamp": time,
        "summary": fields,
        "firstKeptEntryId": first,
        "tokensBefore": before,
    }
    assert share_nothing(entry, fields)
    assert share_nothing(entry, path)
    assert created(path, **changes) == entry
    by_object = created(path, **(changes | {"summary": entry.summary}))
    assert by_object == entry
    assert share_nothing(by_object, entry)
    wreck(entry)
    assert (path, fields) == (kept, fields_before)
    wreck(fields)
    assert (path, entry_to_json(by_object)["summary"]) == (kept, fields_before)


def test_appending_it_stays_the_callers_act(tmp_path: Any) -> None:
    memory, file = InMemorySessionStore(), JsonlSessionStore.open(tmp_path / "session.jsonl")
    for store in (memory, file):
        for entry in parsed(*opening()):
            store.append(entry)
        new = created(path_to(store.entries(), "a3"))
        assert len(store.entries()) == 9
        store.append(new)
        assert path_to(store.entries(), "compact-1")[-1] == new
    assert JsonlSessionStore.open(tmp_path / "session.jsonl").entries() == memory.entries()


def test_every_refusal_is_a_value_error_of_the_course() -> None:
    assert issubclass(CompactionError, CourseError)
    assert issubclass(CourseError, ValueError)


def test_a_created_entry_can_always_be_restored() -> None:
    path = parsed(*opening())
    for first in ("u1", "u2", "u3"):
        entry = created(path, first_kept_entry_id=first)
        context = build_context(
            [*path, entry],
            max_tokens=99,
            reserved_output=0,
            safety_margin=0,
            estimate_tokens=lambda value: 1,
        )
        assert context.kept_entry_ids[0] == first


def test_twenty_thousand_entries() -> None:
    path = [parse_session_entry(entry) for entry in tool_turns(5000)]
    with little_stack():
        entry = created(path, first_kept_entry_id="u4999")
    assert (entry.parent_id, entry.first_kept_entry_id) == ("a4999", "u4999")
