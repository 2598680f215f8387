"""Planning and running a compaction beside real Pi 1.6.0: the same sessions, the same answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from coursekit.pi import SessionManager
from coursekit.pi.compaction.preparation import CompactionPreparation, prepare_compaction
from coursekit.pi.compaction.settings import CompactionSettings, should_compact
from coursekit.pi.compaction.summary import SummaryRequest, compact
from coursekit.pi.errors import PiSessionError, SummaryError
from coursekit.pi.tokens import (
    estimate_context_tokens,
    estimate_projected_context_tokens,
    estimate_tokens,
)
from tests.pi.describe import as_javascript
from tests.pi.generate import SessionMaker
from tests.pi.generate_turns import TurnMaker
from tests.pi.oracle import Oracle, PiError, missing

pytestmark = pytest.mark.node

_REAL_SESSION = Path(__file__).parents[2] / ".." / "shared" / "pi-sessions" / "long-linear-v1.jsonl"
_USAGE = {
    "input": 10, "output": 2, "cacheRead": 1, "cacheWrite": 0, "totalTokens": 13,
    "cost": {"input": 0.1, "output": 0.2, "cacheRead": 0.3, "cacheWrite": 0, "total": 0.6},
}  # fmt: skip


@pytest.fixture(scope="module")
def pi() -> Iterator[Oracle]:
    reason = missing()
    if reason:
        pytest.skip(reason)
    with Oracle("oracle_compaction.mjs") as running:
        yield running


def _settings(value: dict[str, Any]) -> CompactionSettings:
    return CompactionSettings(value["enabled"], value["reserveTokens"], value["keepRecentTokens"])


def _manager(lines: list[dict[str, Any]], leaf: str | None) -> SessionManager:
    manager = SessionManager.in_memory("/w", entries=lines)
    if leaf is not None:
        manager.branch(leaf)
    return manager


def _described(plan: CompactionPreparation | None) -> dict[str, Any] | None:
    if plan is None:
        return None
    files = plan.file_ops
    return {
        "firstKeptEntryId": plan.first_kept_entry_id,
        "messagesToSummarize": plan.messages_to_summarize,
        "turnPrefixMessages": plan.turn_prefix_messages,
        "isSplitTurn": plan.is_split_turn,
        "tokensBefore": plan.tokens_before,
        "previousSummary": plan.previous_summary,
        "fileOps": {
            "read": sorted(files.read),
            "written": sorted(files.written),
            "edited": sorted(files.edited),
        },
        "readFiles": files.read_files,
        "modifiedFiles": files.modified_files,
    }


def _plan(manager: SessionManager, settings: dict[str, Any]) -> dict[str, Any]:
    projection = manager.build_session_projection()
    path = manager.get_branch()
    plain = estimate_context_tokens(projection.messages)
    projected = estimate_projected_context_tokens(projection, path)
    return {
        "messages": [estimate_tokens(message) for message in projection.messages],
        "plain": {
            "tokens": plain.tokens,
            "usageTokens": plain.usage_tokens,
            "trailingTokens": plain.trailing_tokens,
            "lastUsageIndex": plain.last_usage_index,
        },
        "projected": {
            "tokens": projected.tokens,
            "usageTokens": projected.usage_tokens,
            "trailingTokens": projected.trailing_tokens,
            "lastUsageIndex": None if projected.usage_entry_id is None else plain.last_usage_index,
        },
        "preparation": _described(prepare_compaction(path, _settings(settings))),
    }


def _sorted_files(plan: dict[str, Any]) -> dict[str, Any]:
    if plan["preparation"] is not None:
        files = plan["preparation"]["fileOps"]
        plan["preparation"]["fileOps"] = {name: sorted(paths) for name, paths in files.items()}
    return plan


def _compare_plans(
    pi: Oracle, lines: list[dict[str, Any]], leaf: str | None, settings: dict[str, Any], what: str
) -> str:
    """How it went: `error` on both sides, `nothing` to do, or a plan."""
    try:
        ours = _plan(_manager(lines, leaf), settings)
    except PiSessionError:
        with pytest.raises(PiError):
            pi.ask("plan", lines=lines, leaf=leaf, settings=settings)
        return "error"
    theirs = _sorted_files(pi.ask("plan", lines=lines, leaf=leaf, settings=settings))
    assert as_javascript(ours) == as_javascript(theirs), what
    if ours["preparation"] is None:
        return "nothing"
    return "split" if ours["preparation"]["isSplitTurn"] else "whole"


def _random_turns(pi: Oracle, seeds: range) -> None:
    outcomes = []
    for seed in seeds:
        maker = TurnMaker(seed)
        leaf, settings = maker.leaf(), maker.settings()
        outcomes.append(_compare_plans(pi, maker.lines, leaf, settings, f"seed {seed}"))
    # The sessions are drawn so that none of the three is rare.
    for outcome in ("nothing", "whole", "split"):
        assert outcomes.count(outcome) > len(seeds) / 20, outcome


def test_plans_of_random_sessions(pi: Oracle) -> None:
    _random_turns(pi, range(200))


@pytest.mark.gate
def test_plans_of_two_thousand_random_sessions(pi: Oracle) -> None:
    _random_turns(pi, range(200, 2_400))


@pytest.mark.gate
def test_plans_of_sessions_with_odd_values(pi: Oracle) -> None:
    """The sessions that the reading tests draw: missing content, odd numbers, odd roles."""
    outcomes = []
    for seed in range(2_000):
        maker = SessionMaker(seed)
        draw = maker.draw
        settings = {
            "enabled": True,
            "reserveTokens": 100,
            "keepRecentTokens": draw.choice([0, 1, 5, 20, 75, 200]),
        }
        leaf = draw.choice(maker.ids)
        outcomes.append(_compare_plans(pi, maker.lines[1:], leaf, settings, f"seed {seed}"))
    assert outcomes.count("error") < len(outcomes) / 3


if _REAL_SESSION.exists():

    def test_plans_of_a_session_that_pi_wrote(pi: Oracle) -> None:
        manager = SessionManager.open(_REAL_SESSION)
        lines = [entry.to_json() for entry in manager.get_entries()]
        path = manager.get_branch()
        outcomes = set()
        for leaf in (path[-1].id, path[len(path) // 2].id, path[len(path) // 3].id):
            for keep in (0, 2_000, 20_000, 60_000, 10_000_000):
                settings = {"enabled": True, "reserveTokens": 16_384, "keepRecentTokens": keep}
                outcomes.add(_compare_plans(pi, lines, leaf, settings, f"leaf {leaf}, keep {keep}"))
        assert {"nothing", "split"} <= outcomes


def test_thresholds(pi: Oracle) -> None:
    values: list[list[Any]] = [
        [tokens, window, {"enabled": enabled, "reserveTokens": reserve, "keepRecentTokens": 1}]
        for tokens in (0, 111_615, 111_616, 111_617, 128_001)
        for window in (0, 16_384, 128_000)
        for reserve in (0, 16_384)
        for enabled in (True, False)
    ]
    ours = [should_compact(tokens, window, _settings(s)) for tokens, window, s in values]
    assert ours == pi.ask("should", values=values)


# What Pi says of the answers that it refuses too.
_REFUSED: dict[str, dict[str, Any]] = {
    "error": {"stopReason": "error", "errorMessage": "overloaded", "content": []},
    "length": {"stopReason": "length", "content": [{"type": "text", "text": "half of a"}]},
    "tool_call": {
        "stopReason": "toolUse",
        "content": [{"type": "toolCall", "id": "k", "name": "read", "arguments": {}}],
    },
}


def _answer(text: str, **usage: Any) -> dict[str, Any]:
    return {
        "role": "assistant",
        "content": [{"type": "text", "text": text}],
        "usage": {**_USAGE, **usage},
        "stopReason": "stop",
    }


def _compacted(
    manager: SessionManager, settings: dict[str, Any], answers: list[Any], **options: Any
) -> dict[str, Any] | None:
    plan = prepare_compaction(manager.get_branch(), _settings(settings))
    if plan is None:
        return None
    requests: list[SummaryRequest] = []

    def summarizer(request: SummaryRequest) -> dict[str, Any]:
        requests.append(request)
        answer: dict[str, Any] = answers[len(requests) - 1]
        return answer

    outcome: dict[str, Any]
    try:
        result = compact(plan, summarizer, **options)
    except SummaryError as error:
        outcome = {"failure": error.reason}
    else:
        entry_id = manager.append_compaction(
            result.summary,
            result.first_kept_entry_id,
            result.tokens_before,
            details=result.details,
            from_hook=False,
            usage=result.usage,
        )
        projection = manager.build_session_projection()
        entry = manager.get_entry(entry_id)
        assert entry is not None
        outcome = {
            "result": {
                "summary": result.summary,
                "firstKeptEntryId": result.first_kept_entry_id,
                "tokensBefore": result.tokens_before,
                "usage": result.usage,
                "details": result.details,
            },
            "entry": entry.to_json(),
            "sources": [one.source_entry.id for one in projection.entries],
            "messages": projection.messages,
        }
    outcome["requests"] = [
        {
            "cacheRetention": request.cache_retention,
            "sessionId": request.session_id,
            "carriesPrevious": "<previous-summary>" in request.prompt,
            "conversation": request.prompt.split("\n</conversation>\n")[0].split("\n", 1)[1],
            # Commands and branch summaries are written in each side's own words.
            "ownWords": any(
                message["role"] in ("bashExecution", "branchSummary")
                for message in request.messages
            ),
        }
        for request in requests
    ]
    return outcome


def _without_what_each_side_draws(outcome: dict[str, Any], fresh_ids: bool) -> dict[str, Any]:
    """Both sides draw the new entry's id and time, and session ids where none was set."""
    if "entry" in outcome:
        new_id = outcome["entry"]["id"]
        for value in (outcome["entry"], outcome["entry"].get("systemMessage") or {}):
            value.pop("timestamp", None)
        outcome["entry"]["id"] = "new"
        outcome["sources"] = ["new" if one == new_id else one for one in outcome["sources"]]
        for message in outcome["messages"]:
            if message["role"] in ("compactionSummary", "system"):
                message.pop("timestamp", None)
    if fresh_ids:
        ids = [request.pop("sessionId") for request in outcome["requests"]]
        assert all(ids)
        assert len(set(ids)) == len(ids)
    return outcome


def _compare_runs(pi: Oracle, seeds: range) -> None:
    outcomes = []
    for seed in seeds:
        maker = TurnMaker(seed)
        draw = maker.draw
        leaf = maker.leaf()
        settings = {**maker.settings(), "keepRecentTokens": draw.choice([1, 50, 200, 800])}
        refusal = draw.choice([None, None, None, *_REFUSED])
        answers = [_answer("the history", input=0.1, reasoning=7), _answer("the beginning")]
        if refusal is not None:
            answers[draw.randrange(2)] = {**_answer(""), **_REFUSED[refusal]}
        session_id = draw.choice([None, "session-1"])
        theirs = pi.ask(
            "compact", lines=maker.lines, leaf=leaf, settings=settings, answers=answers,
            sessionId=session_id, instructions=draw.choice([None, "the tests"]),
        )  # fmt: skip
        ours = _compacted(_manager(maker.lines, leaf), settings, answers, session_id=session_id)
        if ours is None or theirs is None:
            assert ours == theirs, f"seed {seed}"
            outcomes.append("nothing")
            continue
        assert ("failure" in ours) == ("failure" in theirs), f"seed {seed}: {theirs}"
        if "failure" in ours:
            assert ours["failure"] == refusal
            del ours["failure"], theirs["failure"]
            outcomes.append("refused")
        else:
            outcomes.append(f"{len(ours['requests'])} requests")
        own_words = [request.pop("ownWords") for request in ours["requests"]]
        if any(own_words):
            for request in (*ours["requests"], *theirs["requests"]):
                del request["conversation"]
        ours, theirs = (
            _without_what_each_side_draws(one, session_id is None) for one in (ours, theirs)
        )
        assert as_javascript(ours) == as_javascript(theirs), f"seed {seed}"
    for outcome in ("nothing", "refused", "1 requests", "2 requests"):
        assert outcomes.count(outcome) > len(seeds) / 20, outcome


def test_runs_with_scripted_answers(pi: Oracle) -> None:
    _compare_runs(pi, range(200))


@pytest.mark.gate
def test_two_thousand_runs_with_scripted_answers(pi: Oracle) -> None:
    _compare_runs(pi, range(200, 2_200))
