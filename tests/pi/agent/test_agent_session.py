"""A session around an agent: which entries, in which order, which leaf, how many model calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from coursekit.pi import (
    AgentSession,
    CompactionSettings,
    PiSessionError,
    ScriptedModel,
    ScriptedSummarizer,
    SessionManager,
    Tool,
    Turn,
)
from coursekit.pi.agent.session_events import CompactionEvent, SessionEvent
from tests.pi import scripted_runs
from tests.pi.oracle import Oracle, missing
from tests.pi.scripted_runs import RUNS, ScriptedRun, described


@pytest.fixture(scope="module")
def pi() -> Iterator[Oracle]:
    reason = missing()
    if reason:
        pytest.skip(reason)
    with Oracle("oracle_session.mjs") as running:
        yield running


def _turn(value: scripted_runs.Turn) -> Turn:
    return Turn(
        text=value["text"],
        calls=tuple((name, arguments) for name, arguments in value.get("calls", [])),
        stop_reason=value["stopReason"],
        error=value.get("error"),
        tokens=value.get("tokens"),
        output=value.get("output", 1),
    )


def _tool(value: dict[str, Any], session: list[AgentSession]) -> Tool:
    def execute(arguments: dict[str, Any]) -> str:
        for act, argument in value.get("then", {}).items():
            if act == "abort":
                session[0].abort()
            elif act == "steer":
                session[0].steer(argument)
            else:
                session[0].follow_up(argument)
        if value.get("fails"):
            raise OSError(value["result"])
        result: str = value["result"]
        return result

    return Tool(value["name"], value["name"], execute, {"type": "object", "properties": {}})


def _run(request: dict[str, Any]) -> dict[str, Any]:
    model = ScriptedModel(
        [_turn(turn) for turn in request["turns"]],
        context_window=request["window"],
        max_tokens=request["maxTokens"],
    )
    summarizer = ScriptedSummarizer([_turn(turn) for turn in request["summaries"]])
    holder: list[AgentSession] = []
    session = AgentSession(
        SessionManager.in_memory("/w"),
        model,
        summarizer=summarizer,
        tools=[_tool(tool, holder) for tool in request["tools"]],
        system_prompt="Be of help. " * 500,  # about as long as the prompt of real Pi,
        settings=CompactionSettings(*request["settings"].values()),
    )
    holder.append(session)
    events: list[CompactionEvent] = []
    session.subscribe(lambda event: _keep_ends(events, event))
    manager = session.manager
    returned: list[Any] = []
    leaves: list[str | None] = []
    for step, *values in request["steps"]:
        try:
            if step == "prompt":
                session.prompt(values[0])
                returned.append("ok")
            elif step == "compact":
                session.compact()
                returned.append("ok")
            else:
                returned.append(session.navigate_tree(manager.get_entries()[values[0]].id))
        except PiSessionError:
            returned.append("error")
        leaves.append(manager.get_leaf_id())
        assert session.messages == manager.build_session_projection().messages
    ids = [entry.id for entry in manager.get_entries()]
    return {
        "entries": [entry.to_json() for entry in manager.get_entries()],
        "leaves": [ids.index(leaf or "") for leaf in leaves],
        "returned": returned,
        "modelCalls": len(model.requests),
        "summaryCalls": len(summarizer.requests),
        "compactions": [
            {
                "reason": event.reason,
                "failed": event.error is not None,
                "willRetry": event.will_retry,
            }
            for event in events
        ],
    }


def _keep_ends(events: list[CompactionEvent], event: SessionEvent) -> None:
    if isinstance(event, CompactionEvent) and event.type == "compaction_end":
        events.append(event)


def _entries(outcome: dict[str, Any]) -> str:
    ids = [entry["id"] for entry in outcome["entries"]]
    return ", ".join(described(entry, ids.index) for entry in outcome["entries"])


def _check(outcome: dict[str, Any], run: ScriptedRun) -> None:
    assert _entries(outcome) == run.entries
    assert outcome["leaves"] == run.leaves
    assert outcome["returned"] == run.returned
    assert outcome["modelCalls"] == run.model_calls
    assert outcome["summaryCalls"] == run.summary_calls
    assert (
        tuple(
            event["reason"]
            + (", failed" if event["failed"] else "")
            + (", retry" if event["willRetry"] else "")
            for event in outcome["compactions"]
        )
        == run.compactions
    )


@pytest.mark.parametrize("name", RUNS)
def test_a_scripted_run(name: str) -> None:
    _check(_run(RUNS[name].request()), RUNS[name])


@pytest.mark.node
@pytest.mark.parametrize("name", RUNS)
def test_real_pi_on_the_same_script(pi: Oracle, name: str) -> None:
    _check(pi.ask("run", **RUNS[name].request()), RUNS[name])


def _reopened(messages: list[dict[str, Any]], **settings: Any) -> AgentSession:
    manager = SessionManager.in_memory("/w")
    for message in messages:
        manager.append_message(message)
    return AgentSession(
        manager,
        ScriptedModel(["on we go"], context_window=scripted_runs.WINDOW),
        summarizer=ScriptedSummarizer(["S", "S"]),
        settings=CompactionSettings(**settings),
    )


def _answered(text: str, stop_reason: str, tokens: int, *calls: Any) -> dict[str, Any]:
    return {
        "role": "assistant",
        "content": [{"type": "text", "text": text}, *calls],
        "provider": "scripted",
        "model": "script",
        "stopReason": stop_reason,
        "usage": {"input": tokens - 1, "output": 1, "cacheRead": 0, "totalTokens": tokens},
        "timestamp": 0,
    }


def test_a_cut_off_answer_is_omitted_with_the_results_of_its_calls() -> None:
    """A session whose process ended before the model was asked again."""
    call = {"type": "toolCall", "id": "k1", "name": "read", "arguments": {}}
    result = {"role": "toolResult", "toolCallId": "k1", "toolName": "read", "content": []}
    session = _reopened(
        [
            {"role": "user", "content": "hi " * 100, "timestamp": 0},
            _answered("half", "length", 50, call),
            {**result, "isError": True, "timestamp": 0},
        ],
        keep_recent_tokens=5,
    )
    session.prompt("go on")
    assert _entries({"entries": [entry.to_json() for entry in session.manager.get_entries()]}) == (
        "user " + "hi " * 100 + ", length, error result, edit 1, edit 2, compaction keeps 1, "
        "user go on, stop"
    )


def test_a_prompt_returns_its_own_last_answer_even_when_that_was_omitted() -> None:
    manager = SessionManager.in_memory("/w")
    model = ScriptedModel(["fine", Turn.overflow(), "better"])
    session = AgentSession(manager, model, summarizer=ScriptedSummarizer([]))
    for expected, error in (("stop", None), ("error", "too long"), ("stop", None)):
        answer = session.prompt("hi")
        assert answer is not None
        assert answer["stopReason"] == expected
        assert (error or "") in (session.error_message or "")
        assert (session.error_message is None) == (error is None)


def test_an_answer_from_before_a_compaction_calls_for_nothing() -> None:
    session = _reopened(
        [
            {"role": "user", "content": "hi " * 100, "timestamp": 0},
            {"role": "user", "content": "and " * 100, "timestamp": 0},
            _answered("x" * 400, "stop", scripted_runs.WINDOW + 10),
        ],
        keep_recent_tokens=150,
    )
    session.compact()
    session.manager.append_session_info("named")
    session.settings = CompactionSettings(keep_recent_tokens=2)
    session.prompt("go on")
    types = [entry.type for entry in session.manager.get_entries()]
    assert types.count("compaction") == 1


@pytest.mark.node
@pytest.mark.gate
def test_random_scripts_beside_real_pi(pi: Oracle) -> None:
    for seed in range(400):
        request = scripted_runs.random_run(seed)
        ours, theirs = _run(request), pi.ask("run", **request)
        what = f"seed {seed}"
        assert _entries(ours) == _entries(theirs), what
        for key in ("leaves", "returned", "modelCalls", "summaryCalls"):
            assert ours[key] == theirs[key], f"{what}: {key}"
        for event in theirs["compactions"]:
            del event["stored"]
        assert ours["compactions"] == theirs["compactions"], what
