"""A session around a scripted model."""

from __future__ import annotations

from typing import Any

from coursekit.pi import AgentSession, ScriptedModel, ScriptedSummarizer, SessionManager, Turn


def scripted_session(
    manager: SessionManager, script: list[Turn | str], tools: Any = (), **options: Any
) -> AgentSession:
    """One that answers by its script and has no summary ready unless it is handed one."""
    options.setdefault("summarizer", ScriptedSummarizer([]))
    return AgentSession(
        manager, ScriptedModel(script), tools=tools, system_prompt="Be brief.", **options
    )
