"""What an agent asks of a model."""

from __future__ import annotations

from typing import Protocol

from coursekit.pi.abort_signal import AbortSignal
from coursekit.pi.compaction.overflow import ModelLimits
from coursekit.pi.model_messages import Message


class Model(ModelLimits, Protocol):
    """A model, real or scripted."""

    def respond(self, messages: list[Message], signal: AbortSignal) -> Message:
        """The next assistant message. A failure is a message too (stopReason `error`).

        What is raised ends the run and leaves no message behind.
        """
        ...
