"""What a diagnosis keeps of one entry."""

from collections.abc import Mapping


class EntryRecord:
    """What a diagnosis needs of one entry; a large session's texts are not kept."""

    __slots__ = (
        "calls",
        "first_kept",
        "has_usage",
        "id",
        "line",
        "null_content",
        "parent",
        "result",
        "role",
        "stop",
        "type",
    )

    def __init__(self, value: Mapping[str, object], line: int) -> None:
        message = value.get("message")
        message = message if value.get("type") == "message" and isinstance(message, dict) else {}
        content = message.get("content")
        self.line = line
        self.id = _text(value.get("id"))
        self.parent = _text(value.get("parentId"))
        self.type = _text(value.get("type")) or ""
        self.role = _text(message.get("role"))
        self.stop = _text(message.get("stopReason"))
        self.calls = [
            str(part.get("id"))
            for part in (content if isinstance(content, list) else ())
            if isinstance(part, dict) and part.get("type") == "toolCall"
        ]
        self.result = _text(message.get("toolCallId")) if self.role == "toolResult" else None
        self.first_kept = _text(value.get("firstKeptEntryId"))
        self.null_content = "content" in message and content is None
        self.has_usage = self.role == "assistant" and _counts(message.get("usage"))

    @property
    def starts_interaction(self) -> bool:
        """Whether it is a user message."""
        return self.role == "user"


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _counts(usage: object) -> bool:
    """Whether a usage reports anything; all zeros count as nothing (Pi 1.6.0)."""
    if not isinstance(usage, dict):
        return False
    numbers = [usage.get(key) for key in ("totalTokens", "input", "output", "cacheRead")]
    numbers.append(usage.get("cacheWrite"))
    return any(isinstance(number, int | float) and number > 0 for number in numbers)
