"""From the bytes of a session file to its header and entries (Pi 1.6.0 loadEntriesFromFile).

Pi passes over a line that it can't parse, and says nothing. Here such a line is an error that
names it, with one exception: a line that was cut short by a writer that died is reported in
`warnings`, because Pi closes such a line with a newline and goes on, so real files hold them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from coursekit.pi.errors import DuplicateIdError, PiSessionError, SessionFileError
from coursekit.pi.files.entries import Entry, read_entry
from coursekit.pi.files.json_text import JsonObject, decode, is_cut_short
from coursekit.pi.files.migration import migrate
from coursekit.pi.files.session_header import CURRENT_SESSION_VERSION, SessionHeader
from coursekit.pi.javascript import trim

_OPEN = ord("{")
_SECOND_HEADER = "a second header; two sessions were written into one file"


@dataclass(frozen=True, slots=True)
class ReadWarning:
    """Something about a file that its reader should know. `line` counts from 1."""

    code: str
    """`torn-line`, `missing-newline` or `version-too-new`."""
    line: int
    message: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


@dataclass(slots=True)
class SessionContent:
    """What a session file holds."""

    header: SessionHeader
    entries: dict[str, Entry]
    """By id, in the order of the file."""
    warnings: list[ReadWarning] = field(default_factory=list)
    migrated_from: float | None = None
    """The file's version where it is older than 3: these entries are migrated, it isn't."""


def read_session(data: bytes, path: str | None = None) -> SessionContent:
    """Read a whole session file. Raises SessionFileError with the line that can't be read."""
    scan = _Scan(data, path)
    header = scan.header()
    content = SessionContent(header, {})
    if header.version > CURRENT_SESSION_VERSION:
        content.warnings.append(
            ReadWarning(
                "version-too-new",
                scan.line_number(),
                f"format version {header.version} is newer than {CURRENT_SESSION_VERSION}; "
                "fields that came later are kept but not understood",
            )
        )
    if header.version < CURRENT_SESSION_VERSION:
        content.migrated_from = header.version
        content.header, content.entries = scan.migrated(header)
    else:
        content.entries = scan.entries()
    content.warnings.extend(scan.warnings)
    return content


class _Scan:
    """Goes through the lines of one file once. Split on `\\n` only: other separators are text."""

    def __init__(self, data: bytes, path: str | None) -> None:
        self._data = data
        self._view = memoryview(data)
        self._path = path
        self._start = 0
        self._end = 0
        self._torn_tail = False
        self.warnings: list[ReadWarning] = []

    def header(self) -> SessionHeader:
        """The first line that isn't blank must be the header."""
        if self._data.startswith(b"\xef\xbb\xbf"):
            raise SessionFileError(
                "the file begins with a byte order mark, so Pi doesn't take it for a session; "
                "save a copy as UTF-8 without BOM",
                path=self._path,
                line=1,
            )
        line = self._next_line()
        if line is None:
            raise SessionFileError("the file holds no session: it is blank", path=self._path)
        try:
            return SessionHeader.from_json(decode(line))
        except PiSessionError as error:
            raise self._error(str(error)) from error
        except ValueError as error:
            raise self._error(f"not a Pi session: the first line is not JSON ({error})") from error

    def entries(self) -> dict[str, Entry]:
        """Every further line as an entry, by id."""
        by_id: dict[str, Entry] = {}
        while (line := self._next_line()) is not None:
            try:
                entry = read_entry(line)
            except ValueError as error:
                if self._passes_as_torn(line):
                    continue
                raise self._bad_line(line, error) from error
            if entry.id in by_id:
                raise self.duplicate(entry.id)
            if entry.type == "session":
                raise self._error(_SECOND_HEADER)
            by_id[entry.id] = entry
        self._warn_if_unfinished()
        return by_id

    def migrated(self, header: SessionHeader) -> tuple[SessionHeader, dict[str, Entry]]:
        """The header and every entry of a file that is older than version 3."""
        starts: list[int] = []
        values: list[JsonObject] = []
        while (line := self._next_line()) is not None:
            try:
                value = decode(line)
                if not isinstance(value, dict):
                    raise PiSessionError("a line must hold a JSON object")
            except ValueError as error:
                if self._passes_as_torn(line):
                    continue
                raise self._bad_line(line, error) from error
            if value.get("type") == "session":
                raise self._error(_SECOND_HEADER)
            starts.append(self._start)
            values.append(value)
        self._warn_if_unfinished()
        header = migrate(header, values)
        by_id: dict[str, Entry] = {}
        for self._start, value in zip(starts, values, strict=True):
            try:
                entry = Entry.from_json(value)
            except PiSessionError as error:
                raise self._error(str(error)) from error
            if entry.id in by_id:
                raise self.duplicate(entry.id)
            by_id[entry.id] = entry
        return header, by_id

    def line_number(self) -> int:
        """The number of the current line. Counted when asked, because hardly anybody asks."""
        return self._data.count(b"\n", 0, self._start) + 1

    def _next_line(self) -> memoryview | None:
        """The next line that isn't blank."""
        size = len(self._data)
        while self._end < size:
            self._start = self._end
            newline = self._data.find(b"\n", self._start)
            stop = size if newline < 0 else newline
            self._end = stop + 1
            line = self._view[self._start : stop]
            if not self._is_blank(line):
                return line
        return None

    @staticmethod
    def _is_blank(line: memoryview) -> bool:
        """Whether it holds white space only, which is what Pi passes over too."""
        return not line or (line[0] != _OPEN and not trim(str(line, "utf-8", "replace")))

    def _passes_as_torn(self, line: memoryview) -> bool:
        """Whether this line never was whole. If so, a warning is left."""
        if not is_cut_short(line):
            return False
        self._torn_tail = self._end > len(self._data)
        self.warnings.append(
            ReadWarning(
                "torn-line",
                self.line_number(),
                f"a write broke off here after {len(line)} bytes; that entry was never committed "
                "and is not read, its bytes stay in the file",
            )
        )
        return True

    def _warn_if_unfinished(self) -> None:
        if not self._data.endswith(b"\n") and not self._torn_tail:
            self.warnings.append(
                ReadWarning(
                    "missing-newline",
                    self.line_number(),
                    "the last line is whole but has no newline; the next append adds it first",
                )
            )

    def _bad_line(self, line: memoryview, error: ValueError) -> SessionFileError:
        if isinstance(error, PiSessionError):
            return self._error(str(error))
        hint = "null bytes, as a crash of the machine leaves them" if b"\0" in bytes(line) else ""
        if not hint and getattr(error, "msg", "") == "Extra data":
            hint = "more than one JSON value on this line, or something behind it"
        return self._error(
            f"not one JSON object: {hint or error}. Nothing was skipped; "
            "mend the line in a copy of the file"
        )

    def _error(self, problem: str) -> SessionFileError:
        return SessionFileError(problem, path=self._path, line=self.line_number())

    def duplicate(self, entry_id: str) -> DuplicateIdError:
        """An error that names the first two lines whose entries have this id."""
        again = _Scan(self._data, self._path)
        again.header()
        lines: list[int] = []
        while len(lines) < 2 and (line := again._next_line()) is not None:
            try:
                if read_entry(line).id == entry_id:
                    lines.append(again.line_number())
            except ValueError:
                continue
        first, second = lines
        return DuplicateIdError(entry_id, path=self._path, line=second, first_line=first)
