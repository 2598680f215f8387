"""From bytes to records: what each line holds, and what is wrong with the lines."""

import json
from collections.abc import Iterator
from typing import Literal, TypeAlias

from coursekit.diagnose.finding import Finding, make_finding
from coursekit.pi.errors import PiSessionError
from coursekit.pi.files.json_text import decode, is_cut_short
from coursekit.pi.files.session_header import SessionHeader
from coursekit.pi.javascript import trim

Kind: TypeAlias = Literal["course", "pi"]

_BOM = b"\xef\xbb\xbf"


class FileLines:
    """The lines of one file, read once: its kind, its header and the findings so far."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.findings: list[Finding] = []
        self.header: dict[str, object] | None = None
        self.kind: Kind = "course"
        self.version: float = 3

    def entries(self) -> Iterator[tuple[dict[str, object], int]]:
        """Each line's JSON object and number, headers left out; findings come along."""
        first = True
        for line, number, committed in self._split():
            value = self._read(line, number, committed)
            if value is None:
                continue
            if first:
                first = False
                self._look_at_first(value, number)
                if self.header is not None:
                    continue
            elif value.get("type") == "session":
                self._note("second-header", number, "a second header stands here")
                continue
            yield value, number
        if first and not self.findings:
            self._note("empty", 1, "the file holds no entry")

    def _split(self) -> Iterator[tuple[bytes, int, bool]]:
        """Lines end at a newline and nowhere else."""
        data = self._data
        if data.startswith(_BOM):
            self._note("bom", 1, "the file begins with a byte order mark")
        start = len(_BOM) if data.startswith(_BOM) else 0
        number = 0
        while start < len(data):
            number += 1
            end = data.find(b"\n", start)
            committed = end >= 0
            yield data[start : end if committed else len(data)], number, committed
            start = end + 1 if committed else len(data)

    def _read(self, line: bytes, number: int, committed: bool) -> dict[str, object] | None:
        try:
            value = decode(line)
        except ValueError as error:
            self._explain(line, number, committed, error)
            return None
        if not isinstance(value, dict):
            kind = "null" if value is None else type(value).__name__
            self._note("not-object", number, f"the line holds {kind}, not an object")
            return None
        if not committed:
            text = "the last line is whole JSON but has no newline, so it was never committed"
            self._note("missing-newline", number, text)
        if "\ufffd" in line.decode("utf-8", "replace") and not _is_utf8(line):
            self._note("not-utf8", number, "some bytes of the line are not UTF-8")
        return value

    def _explain(self, line: bytes, number: int, committed: bool, error: ValueError) -> None:
        text = line.decode("utf-8", "replace")
        if not trim(text):
            self._note("blank-line", number, "the line is blank")
        elif b"\0" in line:
            self._note("null-bytes", number, f"the line holds {line.count(0)} null bytes")
        elif is_cut_short(line):
            code = "torn-line" if committed else "torn-tail"
            message = f"the line broke off after {len(line)} bytes"
            self._note(code, number, message)
        elif (count := _values_on(text)) > 1:
            ids = tuple(_ids_on(text))
            named = f" ({', '.join(ids)})" if ids else ""
            self._note("glued-records", number, f"{count} records stand on one line{named}", ids)
        else:
            self._note("not-json", number, f"the line is not JSON: {error}")

    def _look_at_first(self, value: dict[str, object], number: int) -> None:
        if value.get("type") == "session":
            self.kind = "pi"
            self.header = value
            try:
                self.version = SessionHeader.from_json(value).version
            except PiSessionError as error:
                self._note("bad-header", number, str(error))
            if self.version > 3:
                message = f"format version {self.version} is newer than 3"
                self._note("version-too-new", number, message)
            elif self.version < 3:
                self._note("old-version", number, f"format version {self.version}, before 3")
        elif isinstance(value.get("timestamp"), str):
            # The course counts time in numbers; text is Pi's way.
            self.kind = "pi"
            self._note("no-header", number, "the first line is an entry, not a session header")

    def _note(self, code: str, line: int, message: str, ids: tuple[str, ...] = ()) -> None:
        self.findings.append(make_finding(code, line, message, ids))


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def _values(text: str) -> Iterator[object]:
    """The JSON values that stand one behind the other, as far as they are whole."""
    decoder = json.JSONDecoder()
    at = 0
    while at < len(text):
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return
        yield value
        while at < len(text) and text[at].isspace():
            at += 1


def _values_on(text: str) -> int:
    """How many records share a line; a broken one behind a whole one counts."""
    values = list(_values(text))
    return max(len(values), 2) if values and isinstance(values[0], dict) else len(values)


def _ids_on(text: str) -> list[str]:
    ids = [value.get("id") for value in _values(text) if isinstance(value, dict)]
    return [each for each in ids if isinstance(each, str)]
