"""What an AgentSession calls its listeners with: the steps of a run, and those of a compaction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from coursekit.pi.agent.agent_loop import AgentEvent
from coursekit.pi.compaction.summary import CompactionResult

CompactionCause = Literal["threshold", "overflow", "manual"]


@dataclass(frozen=True, slots=True)
class CompactionEvent:
    """A compaction begins or ends."""

    type: Literal["compaction_start", "compaction_end"]
    reason: CompactionCause
    result: CompactionResult | None = None
    """What was stored; None at the start and after a failure."""
    error: str | None = None
    will_retry: bool = False
    """Whether the failed request is now made again."""


SessionEvent = AgentEvent | CompactionEvent
