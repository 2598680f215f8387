"""What an AgentSession saves when, and who may write to its session meanwhile."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from coursekit.pi import (
    AgentSession,
    CompactionSettings,
    PiSessionError,
    SessionManager,
    Tool,
    Turn,
    unanswered_calls,
)
from coursekit.pi.agent.agent_loop import AgentEvent
from coursekit.pi.agent.session_events import SessionEvent
from tests.pi.agent.scripted_session import scripted_session


def _names(path: Path) -> list[str]:
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return [row["message"]["role"] if row["type"] == "message" else row["type"] for row in rows]


def test_the_file_grows_line_by_line(tmp_path: Path) -> None:
    manager = SessionManager.create("/w", tmp_path)
    path = Path(manager.get_session_file() or "")
    seen_in_tool: list[list[str]] = []

    def read(arguments: dict[str, Any]) -> str:
        seen_in_tool.append(_names(path))
        return "text"

    tool = Tool("read", "reads", read, {"type": "object"})
    session = scripted_session(manager, [Turn.call(("read", {})), "ok"], [tool])
    lengths: list[int] = []

    def listener(event: SessionEvent) -> None:
        if isinstance(event, AgentEvent) and event.type == "message_end":
            lengths.append(len(_names(path)) if path.exists() else 0)

    session.subscribe(listener)
    assert not path.exists()
    session.prompt("hi")
    # No file for the system message alone; with the question comes everything so far.
    assert lengths == [0, 4, 5, 6, 7]
    everything = [
        "session",
        "model_change",
        "system",
        "user",
        "assistant",
        "toolResult",
        "assistant",
    ]
    assert _names(path) == everything
    # While the tool acts, its call is saved and its result isn't.
    assert seen_in_tool == [everything[:5]]


_CRASH = """
import os, signal, sys
from pathlib import Path
from coursekit.pi import AgentSession, ScriptedModel, ScriptedSummarizer, SessionManager, Tool, Turn

def pay(arguments):
    with open(sys.argv[2], "a") as ledger:
        ledger.write("paid\\n")
    os.kill(os.getpid(), signal.SIGKILL)

session = AgentSession(
    SessionManager.create("/w", sys.argv[1]),
    ScriptedModel([Turn.call(("pay", {"amount": 5}))]),
    summarizer=ScriptedSummarizer([]),
    tools=[Tool("pay", "pays", pay, {"type": "object"})],
)
session.prompt("pay the bill")
"""


def test_a_crash_between_an_act_and_its_result_leaves_an_open_call(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger"
    folder = tmp_path / "sessions"
    command = [sys.executable, "-c", _CRASH, str(folder), str(ledger)]
    assert subprocess.run(command, timeout=60).returncode == -signal.SIGKILL
    (path,) = folder.glob("*.jsonl")
    assert _names(path) == ["session", "model_change", "system", "user", "assistant"]
    assert ledger.read_text() == "paid\n"  # done in the world, unknown to the session

    manager = SessionManager.open(path)
    assert manager.warnings == []
    again: list[dict[str, Any]] = []

    def pay_again(arguments: dict[str, Any]) -> str:
        again.append(arguments)
        return "paid"

    pay = Tool("pay", "pays", pay_again, {"type": "object"})
    session = scripted_session(manager, ["Let me look up whether it was paid."], [pay])
    (call,) = unanswered_calls(session.messages)
    assert (call["name"], call["arguments"]) == ("pay", {"amount": 5})
    # Going on runs nothing again by itself; the call stays open.
    session.prompt("go on")
    assert again == []
    assert len(unanswered_calls(session.messages)) == 1
    # A model that asks for the same again pays twice: the log can't prevent it.
    careless = scripted_session(manager, [Turn.call(("pay", {"amount": 5})), "paid"], [pay])
    careless.prompt("go on")
    assert again == [{"amount": 5}]


WRITES: dict[str, Any] = {
    "append a message": lambda m: m.append_message({"role": "user", "content": "x"}),
    "append a label": lambda m: m.append_label_change(m.get_leaf_id(), "x"),
    "move the leaf": lambda m: m.branch(m.get_entries()[0].id),
    "move the leaf before the root": lambda m: m.reset_leaf(),
    "branch with a summary": lambda m: m.branch_with_summary(None, "x"),
    "compact": lambda m: m.append_compaction("x", m.get_leaf_id(), 1),
    "branch off": lambda m: m.create_branched_session(m.get_leaf_id()),
}


@pytest.mark.parametrize("what", WRITES)
def test_the_manager_refuses_writes_while_a_run_goes_on(what: str) -> None:
    manager = SessionManager.in_memory("/w")
    problems: list[str] = []

    def meddle(arguments: dict[str, Any]) -> str:
        before = (manager.get_leaf_id(), manager.get_entry_count(), manager.get_session_id())
        with pytest.raises(PiSessionError, match="a run that is going on") as caught:
            WRITES[what](manager)
        problems.append(str(caught.value))
        after = (manager.get_leaf_id(), manager.get_entry_count(), manager.get_session_id())
        assert after == before
        return "refused"

    tool = Tool("meddle", "meddles", meddle, {"type": "object"})
    session = scripted_session(manager, [Turn.call(("meddle", {})), "ok", "ok"], [tool])
    session.prompt("hi")
    assert len(problems) == 1
    assert manager.get_entry_count() == 6
    WRITES[what](manager)  # In between the manager is free.
    session.prompt("go on")


def test_a_summary_request_refuses_writes_too() -> None:
    manager = SessionManager.in_memory("/w")

    def summarizer(request: Any) -> dict[str, Any]:
        with pytest.raises(PiSessionError, match="a run that is going on"):
            manager.append_session_info("x")
        return {"role": "assistant", "content": [{"type": "text", "text": "S"}]}

    session = scripted_session(
        manager, ["x" * 400], summarizer=summarizer,
        settings=CompactionSettings(keep_recent_tokens=5),
    )  # fmt: skip
    session.prompt("hi")
    result = session.compact()
    assert result.summary.endswith("S")
    assert [message["role"] for message in session.messages][:2] == ["system", "compactionSummary"]


def test_two_sessions_cannot_run_on_one_manager_at_once() -> None:
    manager = SessionManager.in_memory("/w")
    other = scripted_session(manager, ["no"])

    def nested(arguments: dict[str, Any]) -> str:
        other.prompt("me too")
        return "ran"

    tool = Tool("nested", "nests", nested, {"type": "object"})
    session = scripted_session(manager, [Turn.call(("nested", {})), "ok"], [tool])
    session.prompt("hi")
    result = session.messages[3]
    assert result["isError"]
    assert "a run is going on" in result["content"][0]["text"]


@pytest.mark.parametrize(
    "act",
    [
        lambda s: s.navigate_tree(s.manager.get_entries()[0].id),
        lambda s: s.compact(),
        lambda s: s.fork(s.manager.get_entries()[2].id),
        lambda s: s.clone(),
        lambda s: s.new(),
        lambda s: s.prompt("more"),
    ],
)
def test_the_session_moves_nowhere_while_a_run_goes_on(act: Any) -> None:
    holder: list[AgentSession] = []

    def meddle(arguments: dict[str, Any]) -> str:
        act(holder[0])
        return "moved"

    tool = Tool("meddle", "meddles", meddle, {"type": "object"})
    holder.append(
        scripted_session(SessionManager.in_memory("/w"), [Turn.call(("meddle", {})), "ok"], [tool])
    )
    holder[0].prompt("hi")
    assert holder[0].messages[3]["isError"]
    assert len(holder[0].messages) == 5


def test_a_move_with_a_summary_and_a_label() -> None:
    session = scripted_session(SessionManager.in_memory("/w"), ["one", "two", "three"])
    session.prompt("first")
    session.prompt("second")
    manager = session.manager
    answer = manager.get_entries()[3]
    assert session.navigate_tree(answer.id, summary="what was tried", label="tried") is None
    summary, label = manager.get_entries()[-2:]
    assert (summary.type, summary.parent_id) == ("branch_summary", answer.id)
    assert (label.type, manager.get_label(summary.id)) == ("label", "tried")
    assert session.messages[-1]["role"] == "branchSummary"
    assert manager.get_entry_count() == 8


def test_a_log_that_another_process_wrote_to_ends_the_run_with_an_error(tmp_path: Path) -> None:
    manager = SessionManager.create("/w", tmp_path)
    session = scripted_session(manager, ["one", "two"])
    session.prompt("hi")
    with open(manager.get_session_file() or "", "a") as file:
        file.write('{"type":"custom","id":"x","parentId":null,"timestamp":0,"customType":"x"}\n')
    with pytest.raises(PiSessionError, match="Another process"):
        session.prompt("more")
    assert not session.is_streaming
