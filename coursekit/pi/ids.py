"""Ids as Pi makes them: short for entries, time-ordered for sessions.

Pi 1.6.0 generateId, createSessionId and assertValidSessionId.
"""

from __future__ import annotations

import os
import re
import time
import uuid
from collections.abc import Container

from coursekit.pi.errors import PiSessionError

_SESSION_ID = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")


def new_entry_id(taken: Container[str]) -> str:
    """Eight hex digits that no entry has yet; a whole UUID should that fail a hundred times."""
    for _ in range(100):
        candidate = os.urandom(4).hex()
        if candidate not in taken:
            return candidate
    return str(uuid.uuid4())


def new_session_id() -> str:
    """A UUID of version 7: the time in milliseconds first, then random bits."""
    bits = (time.time_ns() // 1_000_000 & 0xFFFFFFFFFFFF) << 80 | int.from_bytes(os.urandom(10))
    bits = bits & ~(0xF << 76) | 0x7 << 76
    bits = bits & ~(0x3 << 62) | 0x2 << 62
    return str(uuid.UUID(int=bits))


def check_session_id(session_id: str) -> str:
    """A session id becomes part of a file name. Raises PiSessionError for one that can't."""
    if not _SESSION_ID.fullmatch(session_id):
        raise PiSessionError(
            f"session id {session_id!r} must hold only letters, digits, '-', '_' and '.', "
            "and start and end with a letter or digit"
        )
    return session_id
