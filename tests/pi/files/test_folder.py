"""The sessions of a folder: the newest, the list, and what of it can't be read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from coursekit.pi import SessionManager
from tests.pi import cases
from tests.pi.cases import USER, file_of


def test_the_most_recent_session_goes_on(tmp_path: Path) -> None:
    for number in range(3):
        manager = SessionManager.create("/w", tmp_path, id=f"s{number}")
        manager.append_message(USER)
        os.utime(file_of(manager), (number, number))
    assert SessionManager.continue_recent("/w", tmp_path).get_session_id() == "s2"
    assert SessionManager.continue_recent("/nowhere", tmp_path).get_entries() == []


def test_a_list_shows_names_and_says_what_it_could_not_read(tmp_path: Path) -> None:
    manager = SessionManager.create("/w", tmp_path)
    manager.append_message(USER)
    manager.append_session_info("named")
    with file_of(manager).open("a") as file:
        file.write("broken\n")
    (info,) = SessionManager.list("/w", tmp_path)
    assert (info.name, info.message_count, info.first_message) == ("named", 1, "q")
    assert info.problem is not None
    assert info.problem.startswith("line 4:")


@pytest.mark.parametrize("content", [5, True, {"type": "text"}, [None, 7]])
def test_odd_content_hides_no_session_from_the_list(tmp_path: Path, content: Any) -> None:
    odd = cases.message("m", None, {"role": "user", "content": content})
    cases.write(tmp_path / "odd.jsonl", [odd, cases.user("u1", "m", "hello")])
    (info,) = SessionManager.list("/w", tmp_path)
    assert (info.message_count, info.first_message, info.problem) == (2, "hello", None)
