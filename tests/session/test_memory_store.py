"""The store in memory: append, read, refuse."""

import copy
import math

import pytest
from hypothesis import given

from coursekit.session import (
    InMemorySessionStore,
    MetadataSessionEntry,
    SessionEntryError,
    SessionStoreError,
    parse_session_entry,
)
from coursekit.transcripts import Json
from tests.builders import metadata, parsed, user
from tests.independence import wreck
from tests.strategies import sessions


@given(sessions())
def test_it_returns_what_was_appended_in_that_order(session: list[Json]) -> None:
    store = InMemorySessionStore()
    appended = [parse_session_entry(entry) for entry in session]
    for entry in appended:
        store.append(entry)
    assert store.entries() == appended
    assert store.warnings == []


@given(sessions(max_interactions=2))
def test_nothing_that_goes_in_or_out_reaches_into_it(session: list[Json]) -> None:
    store = InMemorySessionStore()
    appended = [parse_session_entry(entry) for entry in session]
    kept = copy.deepcopy(appended)
    for entry in appended:
        store.append(entry)
        wreck(entry)
    assert store.entries() == kept
    wreck(store.entries())
    assert store.entries() == kept


def test_an_id_that_is_there_is_refused_and_the_first_stays() -> None:
    store = InMemorySessionStore()
    store.append(parse_session_entry(user("u1")))
    with pytest.raises(SessionStoreError, match="u1") as caught:
        store.append(parse_session_entry(metadata("u1")))
    assert caught.value.ids == ("u1",)
    assert store.entries() == parsed(user("u1"))


def test_a_bad_entry_is_refused_and_nothing_is_added() -> None:
    store = InMemorySessionStore()
    with pytest.raises(SessionEntryError, match=r"m1\.value"):
        store.append(MetadataSessionEntry("m1", None, 0, "k", math.nan))
    assert store.entries() == []


def test_a_parent_may_come_later_or_never() -> None:
    """The store keeps entries; whether they make a path is for `path_to` to say."""
    store = InMemorySessionStore()
    store.append(parse_session_entry(metadata("m1") | {"parentId": "unknown"}))
    assert [entry.parent_id for entry in store.entries()] == ["unknown"]
