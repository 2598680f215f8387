"""System messages: what holds after all of them, and what is declared anew."""

from __future__ import annotations

from coursekit.pi import (
    SessionManager,
    Tool,
)
from tests.pi.agent.scripted_session import scripted_session
from tests.pi.cases import ANSWER, SYSTEM, USER


def test_the_system_message_is_declared_once_and_then_by_what_changed() -> None:
    tools = [Tool("read", "reads", lambda a: "", {"type": "object"})]
    session = scripted_session(
        SessionManager.in_memory("/w"), ["1", "2", "3"], tools, sections={"policy": "old"}
    )
    session.prompt("a")
    session.prompt("b")
    session.sections = {"rules": "new"}
    session.agent.tools = []
    session.prompt("c")
    declared = [message for message in session.messages if message["role"] == "system"]
    assert [{key: m[key] for key in m if key != "timestamp"} for m in declared] == [
        {
            "role": "system", "content": "Be brief.", "sections": {"policy": "old"},
            "toolsAdded": [tools[0].declaration()],
        },
        {
            "role": "system", "content": "", "sections": {"rules": "new", "policy": None},
            "toolsRemoved": [{"name": "read"}],
        },
    ]  # fmt: skip


def test_a_compaction_carries_the_system_message_that_holds(manager: SessionManager) -> None:
    manager.append_message({**SYSTEM, "sections": {"a": "1", "b": "2"}})
    manager.append_message({**SYSTEM, "content": "And kind.", "sections": {"a": None}})
    kept = manager.append_message(USER)
    manager.append_message({**SYSTEM, "content": "Late.", "toolsAdded": [{"name": "read"}]})
    manager.append_message(ANSWER)
    manager.append_compaction("S", kept, 100)
    system, summary, *rest = manager.build_session_context().messages
    assert system["content"] == "Be brief.\n\nAnd kind.\n\nLate."
    assert system["sections"] == {"b": "2"}
    assert system["toolsAdded"] == [{"name": "read"}]
    assert (summary["role"], summary["tokensBefore"]) == ("compactionSummary", 100)
    assert [message["role"] for message in rest] == ["user", "assistant"]
