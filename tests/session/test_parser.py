"""The strict parser: what it takes, what it refuses, and what it says about it.

One file over 300 lines: one function is under test, and its rules share their records.
"""

import copy
import math
from collections import OrderedDict, defaultdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coursekit.session import (
    AssistantMessage,
    CompactionSessionEntry,
    MessageSessionEntry,
    MetadataSessionEntry,
    SessionEntryError,
    TextContent,
    ToolCall,
    ToolResultMessage,
    Usage,
    UserMessage,
    parse_session_entry,
)
from coursekit.transcripts import Json
from tests.builders import (
    assistant,
    call,
    compaction,
    little_stack,
    metadata,
    opening,
    result,
    user,
)
from tests.independence import share_nothing, wreck
from tests.strategies import damages, entries

COMPACT = compaction("compact-1", "u2") | {"parentId": "a3"}
WITH_ALL = assistant("a1", "k1", "k2")
WITH_ALL["message"]["content"].append({"type": "text", "text": "so"})
WITH_ALL["message"]["errorMessage"] = "late"
RESULT = result("r1", "k1")
RESULT["message"]["details"] = {"exit": 0}


def refused(value: object) -> SessionEntryError:
    with pytest.raises(SessionEntryError) as caught:
        parse_session_entry(value)
    return caught.value


def test_a_compaction_becomes_an_object_field_by_field() -> None:
    entry = parse_session_entry(COMPACT)
    assert isinstance(entry, CompactionSessionEntry)
    assert (entry.type, entry.id, entry.parent_id) == ("compaction", "compact-1", "a3")
    assert (entry.timestamp, entry.first_kept_entry_id, entry.tokens_before) == (100, "u2", 29)
    assert vars(entry.summary) == {
        "goal": "goal",
        "constraints": ["constraint"],
        "completed": ["completed 1", "completed 2"],
        "decisions": [],
        "changed_files": ["context.py"],
        "unresolved": ["unresolved"],
        "next": ["next"],
    }


def test_each_message_becomes_an_object_of_its_role() -> None:
    answer = parse_session_entry(WITH_ALL)
    assert answer == MessageSessionEntry(
        "a1",
        None,
        1,
        AssistantMessage(
            [ToolCall("k1", "t", {}), ToolCall("k2", "t", {}), TextContent("so")],
            "course",
            "scripted",
            Usage(1, 1, 2),
            "toolUse",
            1,
            "late",
        ),
    )
    assert parse_session_entry(user("u1", "hi")) == MessageSessionEntry(
        "u1", None, 1, UserMessage([TextContent("hi")], 1)
    )
    assert parse_session_entry(RESULT) == MessageSessionEntry(
        "r1", None, 1, ToolResultMessage("k1", "t", [TextContent("r")], False, 1, {"exit": 0})
    )
    assert parse_session_entry(metadata("m1", [1])) == MetadataSessionEntry("m1", None, 1, "k", [1])


def test_an_alias_of_changed_files_is_refused_where_it_stands() -> None:
    summary = dict(COMPACT["summary"])
    summary["files"] = summary.pop("changedFiles")
    error = refused(COMPACT | {"summary": summary})
    assert error.path == "compact-1.summary.changedFiles"
    assert "compact-1.summary.changedFiles" in str(error)


def test_null_content_is_refused_by_its_path() -> None:
    entry = assistant("a1")
    entry["message"]["content"] = None
    assert refused(entry).path == "a1.message.content"


KINDS = {
    "compaction": COMPACT,
    "assistant": WITH_ALL,
    "result": RESULT,
    "user": user("u1"),
    "metadata": metadata("m1", {"a": [1]}),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_damage_is_refused_by_its_path(kind: str) -> None:
    """Each key taken away, each wrong type, each unknown key: one at a time."""
    record = KINDS[kind]
    parse_session_entry(record)
    count = 0
    for path, damaged in damages(record):
        error = refused(damaged)
        # Free JSON is named by the place inside it that is wrong.
        assert error.path.startswith(path), (path, damaged, str(error))
        assert error.path == path or error.path[len(path)] in ".["
        assert str(error).startswith(error.path)
        count += 1
    assert count > 40


@given(entries(), st.data())
def test_a_drawn_damage_to_a_drawn_entry_is_refused_by_its_path(
    entry: Json, data: st.DataObject
) -> None:
    path, damaged = data.draw(st.sampled_from(list(damages(entry))))
    error = refused(damaged)
    assert error.path.startswith(path)
    no_id = path.startswith("entry.id")
    assert error.entry_id == (None if no_id else entry["id"])
    assert error.ids == (() if no_id else (entry["id"],))


@pytest.mark.parametrize("value", [None, True, 3, "text", [], (), object(), {1: 2}, {}])
def test_what_is_no_entry_at_all_is_refused(value: object) -> None:
    error = refused(value)
    assert str(error).startswith("entry")
    assert (error.entry_id, error.ids) == (None, ())


@pytest.mark.parametrize("entry_id", ["", " ", "\t\n", "\u3000", "\u2028"])
def test_a_blank_id_is_refused_and_blanks_around_an_id_are_part_of_it(entry_id: str) -> None:
    refused(user("u") | {"id": entry_id})
    assert parse_session_entry(user("u") | {"id": f" {entry_id}x "}).id == f" {entry_id}x "


@pytest.mark.parametrize("number", [0, -0.0, 0.5, -1, 2**70, 10**308, 5e-324, -1e308])
def test_a_timestamp_may_be_any_finite_number_and_keeps_its_value(number: float) -> None:
    kept = parse_session_entry(user("u") | {"timestamp": number}).timestamp
    assert (kept, type(kept), math.copysign(1, kept)) == (
        number,
        type(number),
        math.copysign(1, number),
    )


@given(entries())
def test_the_result_shares_nothing_with_its_input_and_leaves_it_alone(entry: Json) -> None:
    before = copy.deepcopy(entry)
    first = parse_session_entry(entry)
    assert entry == before
    kept = copy.deepcopy(first)
    assert share_nothing(entry, first)
    second = parse_session_entry(first)
    assert second == first
    assert share_nothing(first, second)
    wreck(entry)
    assert first == kept
    wreck(first)
    assert second == kept


def test_the_opening_transcript_is_taken_whole() -> None:
    taken = [parse_session_entry(entry) for entry in opening()]
    assert [entry.id for entry in taken] == [entry["id"] for entry in opening()]


class TestEntriesBuiltByHand:
    """An entry object is read as strictly as JSON, whatever somebody put into it."""

    def test_a_number_that_is_none(self) -> None:
        message: Any = UserMessage([TextContent("hi")], 0)
        assert refused(MessageSessionEntry("u1", None, math.nan, message)).path == "u1.timestamp"

    @pytest.mark.parametrize("content", [None, "hi", {"text": "hi"}, (TextContent("hi"),)])
    def test_content_that_is_no_list(self, content: Any) -> None:
        error = refused(MessageSessionEntry("u1", None, 0, UserMessage(content, 0)))
        assert error.path == "u1.message.content"

    def test_content_of_bare_strings(self) -> None:
        content: Any = ["hi"]
        error = refused(MessageSessionEntry("u1", None, 0, UserMessage(content, 0)))
        assert error.path == "u1.message.content[0]"

    @pytest.mark.parametrize("message", [None, "hi", TextContent("hi")])
    def test_a_message_that_is_none(self, message: Any) -> None:
        assert refused(MessageSessionEntry("u1", None, 0, message)).path == "u1.message"

    def test_usage_and_summary_that_are_none(self) -> None:
        nothing: Any = None
        answer = AssistantMessage([], "x", "m", nothing, "stop", 0)
        assert refused(MessageSessionEntry("a1", None, 0, answer)).path == "a1.message.usage"
        compact = CompactionSessionEntry("c", "a1", 0, nothing, "u1", 3)
        assert refused(compact).path == "c.summary"

    def test_an_id_that_is_none(self) -> None:
        nothing: Any = None
        assert refused(MetadataSessionEntry(nothing, None, 0, "k", 1)).path == "entry.id"

    def test_an_object_that_hides_in_json(self) -> None:
        hidden: Any = {"a": [TextContent("hi")]}
        error = refused(MetadataSessionEntry("m1", None, 0, "k", hidden))
        assert error.path == "m1.value.a[0]"


class TestFreeJson:
    """The value of metadata, the arguments of a call, the details of a result."""

    def test_depth_is_no_limit(self) -> None:
        deep: Any = "bottom"
        for i in range(100_000):
            deep = [deep] if i % 2 else {"in": deep}
        with little_stack():
            entry = parse_session_entry(metadata("m1", deep))
            again = parse_session_entry(entry)
        assert isinstance(again, MetadataSessionEntry)
        steps = 0
        copied: Any = again.value
        while copied != "bottom":
            assert copied is not deep
            copied = copied[0] if isinstance(copied, list) else copied["in"]
            deep = deep[0] if isinstance(deep, list) else deep["in"]
            steps += 1
        assert steps == 100_000

    def test_a_fault_at_the_bottom_is_named_by_its_whole_path(self) -> None:
        deep: Any = math.nan
        for _ in range(1000):
            deep = {"in": deep}
        with little_stack():
            assert refused(metadata("m1", deep)).path == "m1.value" + ".in" * 1000

    def test_a_deep_value_where_a_name_is_due_is_an_error_like_any_other(self) -> None:
        deep: Any = []
        for _ in range(100_000):
            deep = [deep]
        entry = user("u1")
        entry["message"]["content"][0]["type"] = deep
        with little_stack():
            assert refused(entry).path == "u1.message.content[0].type"

    def test_a_value_that_contains_itself_is_refused(self) -> None:
        looped: dict[str, Any] = {"list": []}
        looped["list"].append(looped)
        assert refused(metadata("m1", looped)).path == "m1.value.list[0]"

    def test_the_same_list_twice_is_no_loop_and_becomes_two_lists(self) -> None:
        one = [1]
        entry = parse_session_entry(metadata("m1", [one, one, {"a": one}]))
        assert isinstance(entry, MetadataSessionEntry)
        copied: Any = entry.value
        assert copied == [[1], [1], {"a": [1]}]
        copied[0].append(2)
        assert entry.value == [[1, 2], [1], {"a": [1]}]

    def test_a_kind_of_dict_or_list_becomes_a_plain_one(self) -> None:
        class Rows(list[Any]):
            pass

        odd: defaultdict[str, list[Any]] = defaultdict(list, a=Rows([Rows()]))
        record = OrderedDict(metadata("m1", odd))
        entry = parse_session_entry(record)
        assert isinstance(entry, MetadataSessionEntry)
        copied: Any = entry.value
        assert [type(copied), type(copied["a"]), type(copied["a"][0])] == [dict, list, list]

    def test_a_dict_that_invents_keys_is_not_asked_to(self) -> None:
        part = defaultdict(lambda: "text", {"type": "text"})
        entry = user("u1")
        entry["message"]["content"] = [part]
        assert refused(entry).path == "u1.message.content[0].text"
        assert list(part) == ["type"]

    def test_keys_keep_their_order(self) -> None:
        entry = parse_session_entry(metadata("m1", {"b": 1, "a": {"d": 1, "c": 2}}))
        assert isinstance(entry, MetadataSessionEntry)
        copied: Any = entry.value
        assert list(copied) == ["b", "a"]
        assert list(copied["a"]) == ["d", "c"]

    @pytest.mark.parametrize("key", [1, True, None, 1.5, ("a",)])
    def test_keys_are_strings(self, key: Any) -> None:
        assert refused(metadata("m1", {"a": {key: 1}})).path == f"m1.value.a[{key!r}]"

    @pytest.mark.parametrize("arguments", [None, [], "x", 3, {"a": None}, False])
    def test_arguments_may_be_any_json(self, arguments: Any) -> None:
        record = assistant("a1", "k")
        record["message"]["content"] = [call("k") | {"arguments": arguments}]
        entry = parse_session_entry(record)
        assert isinstance(entry, MessageSessionEntry)
        part = entry.message.content[0]
        assert isinstance(part, ToolCall)
        assert part.arguments == arguments
