"""Sessions of the agent Pi, format version 3, as Pi 1.6.0 reads, grows and projects them.

    from coursekit.pi import SessionManager

    session = SessionManager.open("2026-01-01T00-00-00-000Z_....jsonl")
    for message in session.build_session_projection().messages: ...

Names are imported when they are first used, so that `import coursekit.pi` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .agent import Agent as Agent
    from .agent import Tool as Tool
    from .agent import unanswered_calls as unanswered_calls
    from .agent_session import AgentSession as AgentSession
    from .compaction import CompactionPreparation as CompactionPreparation
    from .compaction import prepare_compaction as prepare_compaction
    from .entries import CURRENT_SESSION_VERSION as CURRENT_SESSION_VERSION
    from .entries import Entry as Entry
    from .entries import SessionHeader as SessionHeader
    from .errors import CycleError as CycleError
    from .errors import DuplicateIdError as DuplicateIdError
    from .errors import EntryNotFoundError as EntryNotFoundError
    from .errors import FileChangedError as FileChangedError
    from .errors import PiSessionError as PiSessionError
    from .errors import SessionFileError as SessionFileError
    from .folder import SessionInfo as SessionInfo
    from .manager import SessionManager as SessionManager
    from .projection import ProjectedEntry as ProjectedEntry
    from .projection import SelectedModel as SelectedModel
    from .projection import SessionContext as SessionContext
    from .projection import SessionProjection as SessionProjection
    from .projection import build_context_entries as build_context_entries
    from .projection import build_session_context as build_session_context
    from .projection import build_session_projection as build_session_projection
    from .reader import ReadWarning as ReadWarning
    from .scripted_model import ScriptedModel as ScriptedModel
    from .scripted_model import ScriptedSummarizer as ScriptedSummarizer
    from .scripted_model import Turn as Turn
    from .summary import CompactionError as CompactionError
    from .summary import CompactionResult as CompactionResult
    from .summary import compact as compact
    from .tokens import CompactionSettings as CompactionSettings
    from .tokens import estimate_context_tokens as estimate_context_tokens
    from .tokens import estimate_projected_context_tokens as estimate_projected_context_tokens
    from .tokens import estimate_tokens as estimate_tokens
    from .tokens import should_compact as should_compact
    from .tree import TreeNode as TreeNode

_HOMES = {
    "Agent": "agent",
    "AgentSession": "agent_session",
    "CURRENT_SESSION_VERSION": "entries",
    "CompactionError": "summary",
    "CompactionPreparation": "compaction",
    "CompactionResult": "summary",
    "CompactionSettings": "tokens",
    "CycleError": "errors",
    "DuplicateIdError": "errors",
    "Entry": "entries",
    "EntryNotFoundError": "errors",
    "FileChangedError": "errors",
    "PiSessionError": "errors",
    "ProjectedEntry": "projection",
    "ReadWarning": "reader",
    "ScriptedModel": "scripted_model",
    "ScriptedSummarizer": "scripted_model",
    "SelectedModel": "projection",
    "SessionContext": "projection",
    "SessionFileError": "errors",
    "SessionHeader": "entries",
    "SessionInfo": "folder",
    "SessionManager": "manager",
    "SessionProjection": "projection",
    "Tool": "agent",
    "TreeNode": "tree",
    "Turn": "scripted_model",
    "build_context_entries": "projection",
    "build_session_context": "projection",
    "build_session_projection": "projection",
    "compact": "summary",
    "estimate_context_tokens": "tokens",
    "estimate_projected_context_tokens": "tokens",
    "estimate_tokens": "tokens",
    "prepare_compaction": "compaction",
    "should_compact": "tokens",
    "unanswered_calls": "agent",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
