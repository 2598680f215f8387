"""When it is time to compact, and how much stays.

Pi 1.6.0 CompactionSettings and shouldCompact.
"""

from __future__ import annotations

from dataclasses import dataclass

from coursekit.pi.errors import PiSessionError


@dataclass(frozen=True, slots=True)
class CompactionSettings:
    """When to compact and how much to keep, in tokens. The defaults are Pi's.

    `keep_recent_tokens` is a target and no guarantee: the cut goes to the next place where a cut
    is allowed, so what stays can be far more (one huge tool result) or far less (a short session).
    """

    enabled: bool = True
    reserve_tokens: int = 16_384
    """Room for the next answer and for the summary. No budget in money."""
    keep_recent_tokens: int = 20_000

    def __post_init__(self) -> None:
        """Raises PiSessionError for a number of tokens below zero."""
        for name in ("reserve_tokens", "keep_recent_tokens"):
            if getattr(self, name) < 0:
                raise PiSessionError(f"{name} is {getattr(self, name)}; it can't be below zero")


def should_compact(context_tokens: int, context_window: int, settings: CompactionSettings) -> bool:
    """Whether the context is too full: strictly more than the window less the reserve.

    With a window of 128,000 and the default reserve, 111,616 tokens are not, 111,617 are.
    """
    return settings.enabled and context_tokens > context_window - settings.reserve_tokens
