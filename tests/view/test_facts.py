"""What is read of an entry, and what is refused with its place."""

from __future__ import annotations

import pytest

from coursekit.pi import SessionManager
from coursekit.session import parse_session_entry
from coursekit.transcripts import opening
from coursekit.view.facts import ViewError, facts_of
from coursekit.view.scene import scene_of
from tests.view.drawn_sessions import Json, say, stamped


@pytest.mark.parametrize(
    ("entry", "part"),
    [
        ({"type": "message"}, "entries[1].id"),
        ({"id": "", "type": "message"}, "entries[1].id"),
        ({"id": "x", "type": 3}, "entries[1] (x).type"),
        ({"id": "x", "type": "message", "parentId": [4]}, "entries[1] (x).parentId"),
        ({"id": "x", "type": "message", "parentId": 4}, "entries[1] (x).parentId"),
    ],
)
def test_an_entry_that_is_none_is_named_by_its_place(entry: Json, part: str) -> None:
    with pytest.raises(ViewError) as caught:
        scene_of([say("a", None), entry])
    assert part in str(caught.value)


@pytest.mark.parametrize("value", [None, 3, "file.jsonl", {"id": "a"}])
def test_what_is_no_session_is_refused_with_what_is_needed(value: object) -> None:
    with pytest.raises(TypeError, match="a session or a list of entries is needed"):
        scene_of(value)


def test_an_object_and_its_json_have_the_same_facts() -> None:
    for entry in opening().entries:
        assert facts_of(parse_session_entry(entry)) == facts_of(entry)
    (entry,) = stamped([say("a", None, "user", "hello")])
    assert facts_of(SessionManager.in_memory(entries=[entry]).get_entries()[0]) == facts_of(entry)
