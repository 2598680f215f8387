"""A session file without anything odd, read in bulk, at several times the usual speed.

Nearly every file is so: one header of the current version, one entry a line, the last line too
ending with a newline. `reader` reads every file, line after line, and says what is wrong with one.
"""

from __future__ import annotations

from collections.abc import Iterable

from coursekit.pi.files.entries import Entry, add_entries_in_bulk
from coursekit.pi.files.json_text import decode, paused_collector
from coursekit.pi.files.reader import SessionContent
from coursekit.pi.files.session_header import CURRENT_SESSION_VERSION, SessionHeader


def read_session_in_bulk(pieces: Iterable[bytes]) -> SessionContent | None:
    """What a file holds, whose bytes come in these pieces. None where anything is odd."""
    header: SessionHeader | None = None
    entries: dict[str, Entry] = {}
    rest = b""
    with paused_collector():
        for piece in pieces:
            first, end = piece.find(b"\n") + 1, piece.rfind(b"\n") + 1
            if not first:
                rest += piece
                continue
            line, rest = rest + piece[:first], piece[end:]
            if header is None:
                header = _current_header(line)
                if header is None:
                    return None
            elif not add_entries_in_bulk(entries, line, 0, len(line)):
                return None
            if not add_entries_in_bulk(entries, piece, first, end):
                return None
    return SessionContent(header, entries) if header and not rest else None


def _current_header(line: bytes) -> SessionHeader | None:
    try:
        header = SessionHeader.from_json(decode(line))
    except ValueError:
        return None
    return header if header.version == CURRENT_SESSION_VERSION else None
