"""The folder that holds a project's sessions: file names, the newest, the list.

Pi 1.6.0 findMostRecentSession, buildSessionInfo and listSessionsFromDir.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import BinaryIO

from coursekit.pi.files.json_text import JsonObject, decode
from coursekit.pi.files.paths import PathLike, default_session_dir, resolve_path
from coursekit.pi.files.session_header import SessionHeader
from coursekit.pi.javascript import date_ms, trim

_MAX_HEADER_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """One session of a folder, for a list to choose from."""

    path: str
    id: str
    cwd: str
    """Empty for old sessions."""
    name: str | None
    parent_session_path: str | None
    created: datetime | None
    """None when the header's timestamp can't be read."""
    modified: datetime
    """The newest user or assistant message; else the header's time, else the file's."""
    message_count: int
    first_message: str
    all_messages_text: str
    problem: str | None
    """The first line that can't be read; such lines count for nothing in this list."""


def session_dir(cwd: str, chosen: PathLike | None) -> str:
    """The folder that was chosen, or Pi's own for this working folder."""
    return resolve_path(chosen) if chosen else default_session_dir(cwd)


def cwd_filter(cwd: str, chosen: PathLike | None, directory: str) -> str | None:
    """The working folder to look for where a folder may hold the sessions of several."""
    return cwd if chosen is not None and directory != default_session_dir(cwd) else None


def session_file(directory: str, header: SessionHeader) -> str:
    """The path of a new session's file, named by time and id as Pi names it."""
    return os.path.join(
        directory, f"{re.sub('[:.]', '-', str(header.timestamp))}_{header.id}.jsonl"
    )


def most_recent_session(directory: str, cwd: str | None = None) -> str | None:
    """The session file that was modified last. Files that are no sessions are passed over."""
    try:
        paths = [path for path in _session_paths(directory) if os.path.exists(path)]
        paths.sort(key=lambda path: os.stat(path).st_mtime_ns, reverse=True)
    except OSError:
        return None
    for path in paths:
        header = _read_header(path)
        if header is not None and (cwd is None or _is_for(header.cwd, cwd)):
            return path
    return None


def list_sessions(directory: str, cwd: str | None = None) -> list[SessionInfo]:
    """The sessions of a folder, the newest activity first. Files that are no sessions are left out.

    A session with a line that can't be read is listed, and says so in `problem`.
    """
    try:
        paths = sorted(_session_paths(directory), reverse=True)
    except OSError:
        return []
    infos = [info for info in map(_session_info, paths) if info is not None]
    infos = [info for info in infos if cwd is None or _is_for(info.cwd, cwd)]
    return sorted(infos, key=lambda info: info.modified, reverse=True)


def _session_paths(directory: str) -> list[str]:
    return [
        os.path.join(directory, name) for name in os.listdir(directory) if name.endswith(".jsonl")
    ]


def _is_for(session_cwd: str | None, cwd: str) -> bool:
    return bool(session_cwd) and resolve_path(session_cwd or "") == cwd


def _read_header(path: str) -> SessionHeader | None:
    """The header, without reading what follows it."""
    try:
        with open(path, "rb") as file:
            for line in iter(lambda: file.readline(_MAX_HEADER_BYTES), b""):
                if line.strip():
                    return SessionHeader.from_json(decode(line))
    except (OSError, ValueError):
        pass
    return None


def _session_info(path: str) -> SessionInfo | None:
    """None for a file that can't be read or is no session."""
    try:
        file_time = os.stat(path).st_mtime
        with open(path, "rb") as file:
            lines = _Lines(file)
            header = SessionHeader.from_json(next(iter(lines), None))
            summary = _Summary()
            for value in lines:
                summary.add(value)
    except (OSError, ValueError):
        return None
    created = _datetime(date_ms(header.timestamp) if header.timestamp else None)
    modified = _datetime(summary.last_activity_ms) if summary.last_activity_ms > 0 else created
    return SessionInfo(
        path=path,
        id=header.id,
        cwd=header.cwd or "",
        name=summary.name,
        parent_session_path=header.parent_session,
        created=created,
        modified=modified or datetime.fromtimestamp(file_time, UTC),
        message_count=summary.message_count,
        first_message=summary.first_message or "(no messages)",
        all_messages_text=" ".join(summary.texts),
        problem=lines.problem,
    )


class _Lines:
    """The JSON objects of a file, line by line, with a note of the first bad line."""

    def __init__(self, file: BinaryIO) -> None:
        self._values = self._read(file)
        self.problem: str | None = None

    def __iter__(self) -> Iterator[JsonObject]:
        return self._values

    def _read(self, file: BinaryIO) -> Iterator[JsonObject]:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            try:
                value = decode(line)
            except ValueError as error:
                self.problem = self.problem or f"line {number}: {error}"
                continue
            if isinstance(value, dict):
                yield value
            else:
                self.problem = self.problem or f"line {number}: not a JSON object"


class _Summary:
    """What a list shows of a session's entries."""

    def __init__(self) -> None:
        self.name: str | None = None
        self.message_count = 0
        self.first_message = ""
        self.texts: list[str] = []
        self.last_activity_ms = 0.0

    def add(self, value: JsonObject) -> None:
        if value.get("type") == "session_info":
            name = value.get("name")
            self.name = (trim(name) or None) if isinstance(name, str) else None
        if value.get("type") != "message":
            return
        self.message_count += 1
        message = value.get("message")
        if not isinstance(message, dict) or "content" not in message:
            return
        if message.get("role") not in ("user", "assistant"):
            return
        time = message.get("timestamp")
        if isinstance(time, bool) or not isinstance(time, int | float):
            time = date_ms(value.get("timestamp"))
        if time is not None:
            self.last_activity_ms = max(self.last_activity_ms, time)
        text = _text(message["content"])
        if text:
            self.texts.append(text)
            if message["role"] == "user" and not self.first_message:
                self.first_message = text


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    blocks = [
        block for block in (content if isinstance(content, list) else ()) if isinstance(block, dict)
    ]
    return " ".join(
        block["text"]
        for block in blocks
        if block.get("type") == "text" and isinstance(block.get("text"), str)
    )


def _datetime(milliseconds: float | None) -> datetime | None:
    if milliseconds is None:
        return None
    try:
        return datetime.fromtimestamp(int(milliseconds) / 1000, UTC)
    except (OverflowError, ValueError, OSError):
        return None
