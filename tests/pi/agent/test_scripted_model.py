"""A scripted model: what its answers report, and where its script ends."""

from __future__ import annotations

import pytest

from coursekit.pi import Agent, ScriptedModel, Turn
from coursekit.pi.errors import ScriptError


def test_a_script_that_is_over_says_so() -> None:
    agent = Agent(ScriptedModel(["one"]))
    agent.prompt("hi")
    with pytest.raises(ScriptError, match="no turn number 2"):
        agent.prompt("more")


def test_a_scripted_answer_reports_what_the_context_costs() -> None:
    model = ScriptedModel(["x" * 40, Turn.say("y" * 40, tokens=1_000), Turn.overflow()])
    agent = Agent(model)
    for _ in range(3):
        agent.prompt("q" * 40)
    usages = [m["usage"] for m in agent.messages if m["role"] == "assistant"]
    assert (usages[0]["input"], usages[0]["output"], usages[0]["totalTokens"]) == (10, 10, 20)
    assert (usages[1]["input"], usages[1]["output"]) == (990, 10)
    assert usages[2]["totalTokens"] == 0  # a failure reports nothing
