"""What an append refuses, and how what it takes is stored."""

from __future__ import annotations

from typing import Any

import pytest

from coursekit.pi import (
    PiSessionError,
    SessionManager,
)
from tests.pi.cases import USER, ids


@pytest.mark.parametrize("replacement", [{}, {"content": 5}, {"content": None}, "text"])
def test_an_edit_without_content_is_refused(manager: SessionManager, replacement: Any) -> None:
    target = manager.append_message(USER)
    with pytest.raises(PiSessionError, match="string/array content"):
        manager.append_context_edit(target, replacement)


def test_an_edit_of_what_holds_no_content_is_refused(manager: SessionManager) -> None:
    elsewhere = manager.append_message(USER)
    manager.reset_leaf()
    state = manager.append_custom_entry("x")
    for target, problem in [
        (state, "does not contribute editable"),
        (elsewhere, "not on the active branch"),
        ("none", "Entry none not found"),
    ]:
        with pytest.raises(PiSessionError, match=problem):
            manager.append_context_edit(target, None)


def test_the_name_is_one_line_and_can_be_cleared(manager: SessionManager) -> None:
    manager.append_session_info(" two\r\nlines ")
    assert manager.get_session_name() == "two lines"
    manager.append_session_info("")
    assert manager.get_session_name() is None


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        ({"content": "q"}, "with a role"),
        ("text", "with a role"),
        ({"role": "compactionSummary", "summary": "S"}, "append_compaction"),
        ({"role": "branchSummary", "summary": "S"}, "branch_with_summary"),
        ({"role": "user", "content": float("nan")}, "not a JSON value"),
        ({"role": "user", "content": object()}, "not a JSON value"),
    ],
)
def test_a_message_that_cannot_be_kept_is_refused_whole(
    manager: SessionManager, message: Any, problem: str
) -> None:
    before = manager.append_message(USER)
    with pytest.raises(PiSessionError, match=problem):
        manager.append_message(message)
    assert ids(manager) == [before]
    assert manager.get_leaf_id() == before
