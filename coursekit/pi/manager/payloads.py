"""What an append takes: the checks that Pi leaves to TypeScript, and the form that is stored."""

from __future__ import annotations

import re
from collections.abc import Mapping

from coursekit.pi.errors import PiSessionError
from coursekit.pi.files.entries import Entry
from coursekit.pi.files.json_text import JsonObject
from coursekit.pi.javascript import trim

_SUMMARY_APPENDS = {
    "compactionSummary": "append_compaction",
    "branchSummary": "branch_with_summary",
}


def check_message(message: object) -> None:
    """Raises PiSessionError for what can't be a message entry."""
    if not isinstance(message, Mapping) or not isinstance(message.get("role"), str):
        raise PiSessionError("a message must be an object with a role")
    instead = _SUMMARY_APPENDS.get(message["role"])
    if instead:
        raise PiSessionError(f"a {message['role']} is an entry of its own: use {instead}")


def check_replacement(target: Entry, replacement: Mapping[str, object] | None) -> JsonObject | None:
    """The replacement as a context edit of this target stores it: lists where its role wants one.

    Raises PiSessionError for a replacement without content and for a target without editable
    content.
    """
    content = replacement.get("content") if isinstance(replacement, Mapping) else None
    if replacement is not None and not isinstance(content, str | list):
        raise PiSessionError(
            "Context edit replacement must be null or contain string/array content"
        )
    role = "custom" if target.type == "custom_message" else target.role
    if role not in ("user", "assistant", "toolResult") and target.type != "custom_message":
        raise PiSessionError(f"Entry {target.id} does not contribute editable model content")
    if replacement is None:
        return None
    if role in ("assistant", "toolResult") and isinstance(content, str):
        return {"content": [{"type": "text", "text": content}]}
    return dict(replacement)


def single_line(name: str) -> str:
    """A session name without line breaks and outer white space."""
    return trim(re.sub(r"[\r\n]+", " ", name))
