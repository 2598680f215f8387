"""The header of a session file: its first line."""

from __future__ import annotations

from dataclasses import dataclass

from coursekit.pi.errors import PiSessionError
from coursekit.pi.files.json_text import JsonObject, encode, json_kind
from coursekit.pi.ids import check_session_id, new_session_id
from coursekit.pi.javascript import iso_now

CURRENT_SESSION_VERSION = 3
"""The format version that Pi 1.6.0 writes."""


@dataclass(frozen=True, slots=True)
class SessionHeader:
    """The first line of a session file."""

    id: str
    timestamp: object
    cwd: str | None
    """The folder the session was started in; None where an old file doesn't say."""
    parent_session: str | None
    """The file this session was forked or branched from."""
    version: float
    """The format version; a file without one is version 1."""
    _value: JsonObject

    @classmethod
    def new(
        cls, cwd: str, session_id: str | None = None, parent_session: str | None = None
    ) -> SessionHeader:
        """The header of a session that begins now, with a new id where none is given.

        Raises PiSessionError for an id that can't be part of a file name.
        """
        value: JsonObject = {
            "type": "session",
            "version": CURRENT_SESSION_VERSION,
            "id": new_session_id() if session_id is None else check_session_id(session_id),
            "timestamp": iso_now(),
            "cwd": cwd,
        }
        if parent_session is not None:
            value["parentSession"] = parent_session
        return cls.from_json(value)

    @classmethod
    def from_json(cls, value: object) -> SessionHeader:
        """Raises PiSessionError when this is no header of a Pi session."""
        if not isinstance(value, dict):
            raise PiSessionError(f"not a Pi session: the first line holds {json_kind(value)}")
        if value.get("type") != "session" or not isinstance(value.get("id"), str):
            raise PiSessionError(
                'not a Pi session: the first line is no header ({"type":"session","id":...})'
            )
        version = value.get("version")
        if version is not None and (
            isinstance(version, bool) or not isinstance(version, int | float)
        ):
            raise PiSessionError(f"the header's version is {json_kind(version)}, not a number")
        cwd, parent = value.get("cwd"), value.get("parentSession")
        return cls(
            id=value["id"],
            timestamp=value.get("timestamp"),
            cwd=cwd if isinstance(cwd, str) else None,
            parent_session=parent if isinstance(parent, str) else None,
            version=1 if version is None else version,
            _value=dict(value),
        )

    def to_json(self) -> JsonObject:
        """The JSON object of the header, equal to what was read."""
        return dict(self._value)

    def line(self) -> bytes:
        """The header's line without its newline."""
        return encode(self._value)
