"""An entry: equal to its line, with Pi's fields as attributes, and free to travel."""

from __future__ import annotations

import copy
import json
import pickle
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coursekit.pi import (
    Entry,
    SessionManager,
)
from tests.pi import cases
from tests.pi.generate import SessionMaker
from tests.pi.strategies import texts, values


def test_entries_of_a_file_can_be_copied_and_sent(tmp_path: Path) -> None:
    entries = cases.CASES["label-as-parent"]
    manager = SessionManager.open(cases.write(tmp_path / "case.jsonl", entries))
    for again in (
        copy.deepcopy(manager.get_entries()),
        pickle.loads(pickle.dumps(manager.get_entries())),
    ):
        assert [entry.to_json() for entry in again] == entries
        assert [entry.role for entry in again] == ["user", None, "assistant", "user"]


@given(st.dictionaries(texts, values))
def test_an_entry_returns_what_it_read(fields: dict[str, Any]) -> None:
    value = {**fields, "type": "custom", "id": "x", "parentId": None}
    entry = Entry.from_json(value)
    assert entry.to_json() == value
    # As JSON distinguishes texts: a pair of surrogates written apart comes back as one.
    assert entry.to_json() == json.loads(entry.line())


def test_the_fields_that_pi_writes_are_attributes_in_snake_case() -> None:
    seen = set()
    for seed in range(200):
        for value in SessionMaker(seed).lines[1:]:
            entry = Entry.from_json(value)
            for key in value.keys() - {"unknownField", "payload"}:
                assert getattr(entry, re.sub("([A-Z])", r"_\1", key).lower()) == entry.get(key)
                seen.add(key)
    assert {"summary", "firstKeptEntryId", "targetId", "label", "modelId", "usage"} <= seen
    with pytest.raises(AttributeError, match="this label entry has no field 'summary'"):
        _ = Entry.from_json({"type": "label", "id": "l"}).summary
