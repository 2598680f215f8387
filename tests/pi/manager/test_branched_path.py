"""A path that becomes a session of its own."""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from coursekit.pi import (
    SessionManager,
)
from coursekit.pi.manager.branched_path import without_labels
from tests.pi import cases
from tests.pi.cases import ANSWER, USER, file_of, ids
from tests.pi.generate import SessionMaker
from tests.pi.strategies import sessions


def test_a_label_in_the_chain_is_taken_out_of_a_branched_session(tmp_path: Path) -> None:
    entries = [*cases.CASES["label-as-parent"], cases.compaction("x1", "u2", "l1")]
    manager = SessionManager.open(cases.write(tmp_path / "case.jsonl", entries))
    assert [entry.id for entry in manager.get_branch()] == ["u1", "l1", "a1", "u2", "x1"]
    manager.create_branched_session("x1")
    *path, label = manager.get_entries()
    assert [(entry.id, entry.parent_id) for entry in path] == [
        ("u1", None), ("a1", "u1"), ("u2", "a1"), ("x1", "u2"),
    ]  # fmt: skip
    # It kept from the label; now it keeps from what came after the label.
    assert path[-1].first_kept_entry_id == "a1"
    assert (label.type, label.parent_id, label.target_id) == ("label", "x1", "u1")
    assert manager.get_label("u1") == "mark"


def test_a_branched_session_holds_one_path_and_leaves_the_old_file(tmp_path: Path) -> None:
    manager = SessionManager.create("/w", tmp_path)
    root = manager.append_message(USER)
    side = manager.append_message(ANSWER)
    manager.branch(root)
    leaf = manager.append_message(ANSWER)
    old = file_of(manager)
    before = old.read_bytes()
    new = manager.create_branched_session(leaf)
    assert new is not None
    assert new != str(old)
    assert (str(file_of(manager)), manager.get_header().parent_session) == (new, str(old))
    assert ids(manager) == [root, leaf]
    assert manager.get_entry(side) is None
    added = manager.append_message(USER)
    assert ids(SessionManager.open(new)) == [root, leaf, added]
    assert old.read_bytes() == before


def test_a_branched_session_without_conversation_waits_with_its_file(tmp_path: Path) -> None:
    manager = SessionManager.create("/w", tmp_path)
    state = manager.append_custom_entry("x")
    manager.append_message(USER)
    new = manager.create_branched_session(state)
    assert new is not None
    assert not os.path.exists(new)
    manager.append_message(USER)
    assert len(SessionManager.open(new).get_entries()) == 2


@given(sessions, st.data())
def test_a_path_without_labels_is_one_chain(maker: SessionMaker, data: st.DataObject) -> None:
    manager = SessionManager.in_memory("/w", entries=maker.lines)
    path = manager.get_branch(data.draw(st.sampled_from(maker.ids)))
    kept = without_labels(path)
    assert [entry.id for entry in kept] == [entry.id for entry in path if entry.type != "label"]
    assert [entry.parent_id for entry in kept] == [None, *(entry.id for entry in kept)][: len(kept)]
    for before, after in zip((e for e in path if e.type != "label"), kept, strict=True):
        changed = {"parentId", "firstKeptEntryId"}
        old, new = before.to_json(), after.to_json()
        assert {k: v for k, v in old.items() if k not in changed} == {
            k: v for k, v in new.items() if k not in changed
        }
