"""The agent without a session: order of events, queues, abort, one run on a snapshot."""

from __future__ import annotations

from typing import Any

import pytest

from coursekit.pi import Agent, PiSessionError, ScriptedModel, Tool, Turn, unanswered_calls
from coursekit.pi.agent.agent_loop import AgentEvent


def _tool(name: str, act: Any = lambda arguments: "done") -> Tool:
    return Tool(name, name, act, {"type": "object"})


def _roles(agent: Agent) -> list[str]:
    return [message["role"] for message in agent.messages]


def test_the_events_of_a_run_with_a_tool() -> None:
    agent = Agent(ScriptedModel([Turn.call(("read", {"path": "a"})), "ok"]), tools=[_tool("read")])
    seen: list[str] = []

    def listener(event: AgentEvent) -> None:
        role = event.message["role"] if event.message and event.type == "message_end" else ""
        seen.append(f"{event.type} {role}".strip())

    stop = agent.subscribe(listener)
    agent.prompt("hi")
    assert seen == [
        "agent_start",
        "turn_start",
        "message_end user",
        "message_end assistant",
        "tool_execution_start",
        "tool_execution_end",
        "message_end toolResult",
        "turn_end",
        "turn_start",
        "message_end assistant",
        "turn_end",
        "agent_end",
    ]
    stop()
    agent.model = ScriptedModel(["again"])
    agent.prompt("hi")
    assert len(seen) == 12


def test_every_request_holds_what_came_before_it() -> None:
    model = ScriptedModel([Turn.call(("read", {"path": "a"})), "ok"])
    agent = Agent(model, tools=[_tool("read", lambda arguments: f"text of {arguments['path']}")])
    agent.prompt("hi")
    first, second = model.requests
    assert [message["role"] for message in first] == ["user"]
    assert [message["role"] for message in second] == ["user", "assistant", "toolResult"]
    assert second[2]["content"] == [{"type": "text", "text": "text of a"}]
    assert second[2]["toolCallId"] == second[1]["content"][0]["id"]


def test_one_run_at_a_time() -> None:
    agent = Agent(ScriptedModel([Turn.call(("nested", {})), "ok"]))
    problems: list[str] = []

    def nested(arguments: dict[str, Any]) -> str:
        with pytest.raises(PiSessionError, match="steer") as caught:
            agent.prompt("me too")
        problems.append(str(caught.value))
        return "refused"

    agent.tools = [_tool("nested", nested)]
    agent.prompt("hi")
    assert len(problems) == 1
    assert _roles(agent) == ["user", "assistant", "toolResult", "assistant"]
    assert not agent.is_running


def test_a_run_works_on_a_snapshot() -> None:
    model = ScriptedModel([Turn.call(("meddle", {})), Turn.call(("late", {})), "ok", "next"])
    agent = Agent(model)

    def meddle(arguments: dict[str, Any]) -> str:
        agent.tools = [_tool("late")]
        agent.messages = []
        return "meddled"

    agent.tools = [_tool("meddle", meddle)]
    agent.prompt("hi")
    # The tool came too late for this run, and the run remembers its messages.
    results = [m for m in model.requests[2] if m["role"] == "toolResult"]
    assert [m["isError"] for m in results] == [False, True]
    assert model.requests[2][0]["content"][0]["text"] == "hi"


def test_steering_and_follow_ups_before_a_run() -> None:
    model = ScriptedModel(["one", "two", "three"])
    agent = Agent(model)
    agent.follow_up("later")
    agent.steer("now")
    agent.steer("then")
    assert agent.has_queued_messages()
    agent.prompt("hi")
    texts = [m["content"][0]["text"] for m in agent.messages]
    assert texts == ["hi", "now", "one", "then", "two", "later", "three"]
    assert not agent.has_queued_messages()


def test_cleared_queues_are_not_sent() -> None:
    agent = Agent(ScriptedModel(["one"]))
    agent.steer("no")
    agent.follow_up("no")
    agent.clear_queues()
    agent.prompt("hi")
    assert _roles(agent) == ["user", "assistant"]


def test_continuing_needs_something_to_answer() -> None:
    model = ScriptedModel(["one", "two", "three"])
    agent = Agent(model)
    with pytest.raises(PiSessionError, match="no message"):
        agent.continue_run()
    agent.messages = [{"role": "user", "content": "hi"}]
    agent.continue_run()
    assert _roles(agent) == ["user", "assistant"]
    with pytest.raises(PiSessionError, match="answer"):
        agent.continue_run()
    agent.follow_up("later")
    agent.continue_run()
    agent.steer("left")
    agent.continue_run()
    assert _roles(agent) == ["user", "assistant"] * 3


def test_an_abort_leaves_no_call_open() -> None:
    model = ScriptedModel([Turn.call(("stop", {}), ("read", {}))])
    agent = Agent(model)
    executed: list[str] = []

    def stop(arguments: dict[str, Any]) -> str:
        agent.abort()
        return "stopped"

    def read(arguments: dict[str, Any]) -> str:
        executed.append("read")
        return "x"

    agent.tools = [_tool("stop", stop), _tool("read", read)]
    agent.prompt("hi")
    assert executed == []
    assert unanswered_calls(agent.messages) == []
    assert agent.messages[-1]["stopReason"] == "aborted"
    assert agent.error_message


def test_the_model_reads_why_a_tool_failed() -> None:
    def fail(arguments: dict[str, Any]) -> str:
        raise FileNotFoundError("no such file: a.py")

    agent = Agent(ScriptedModel([Turn.call(("read", {})), "ok"]), tools=[_tool("read", fail)])
    agent.prompt("hi")
    result = agent.messages[2]
    assert result["isError"] is True
    assert result["content"][0]["text"] == "no such file: a.py"


def test_what_a_listener_raises_ends_the_run_and_reaches_the_caller() -> None:
    agent = Agent(ScriptedModel(["one", "two"]))

    def listener(event: AgentEvent) -> None:
        if event.type == "message_end":
            raise OSError("disk full")

    stop = agent.subscribe(listener)
    with pytest.raises(OSError, match="disk full"):
        agent.prompt("hi")
    assert not agent.is_running
    stop()
    agent.prompt("again")
    assert agent.messages[-1]["role"] == "assistant"
