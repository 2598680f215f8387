"""The session file: created once and exclusively, then grown by whole lines.

What this guarantees, and what it doesn't: a process that is killed at any moment leaves every line
that an append returned from; a line that broke off is recognised when the file is read. Nothing is
forced to the disk, so a machine that loses power may lose the last lines, as with Pi. Two writers
are not merged: an append is refused once the file is not as this log left it.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from coursekit.pi.errors import FileChangedError, PiSessionError, SessionFileError
from coursekit.pi.files.bulk_reader import read_session_in_bulk
from coursekit.pi.files.read_ahead import read_ahead
from coursekit.pi.files.reader import SessionContent, read_session

try:
    import fcntl
except ImportError:  # Windows has no flock; the comparison of the file's state still holds there.
    fcntl = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class _FileState:
    """Enough of a file's metadata to see that somebody else touched it."""

    device: int
    inode: int
    size: int
    modified_ns: int

    @classmethod
    def of(cls, status: os.stat_result) -> _FileState:
        return cls(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


class SessionLog:
    """One session file and what this process knows about it."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._state: _FileState | None = None
        self._needs_newline = False

    @property
    def exists(self) -> bool:
        """Whether this log has read or created its file."""
        return self._state is not None

    @property
    def is_empty(self) -> bool:
        """Whether the file exists and holds nothing, so that the header is still to be written."""
        return self._state is not None and self._state.size == 0

    def read(self) -> SessionContent | None:
        """What the file holds; None where it is missing or empty. Nothing is written.

        Raises SessionFileError for a file that is no session or has a bad line.
        """
        try:
            with open(self.path, "rb") as file:
                status = os.fstat(file.fileno())
                self._state = _FileState.of(status)
                self._needs_newline = False
                with contextlib.closing(read_ahead(file, status.st_size)) as pieces:
                    content = read_session_in_bulk(pieces)
                if content is not None:
                    return content
                file.seek(0)
                data = file.read(status.st_size)
        except FileNotFoundError:
            return None
        except IsADirectoryError:
            raise SessionFileError("this is a folder, not a session file", path=self.path) from None
        self._needs_newline = bool(data) and not data.endswith(b"\n")
        return read_session(data, self.path) if data else None

    def create(self, lines: Iterable[bytes]) -> None:
        """Make the file with these lines. Raises FileExistsError, and then leaves it alone."""
        directory = os.path.dirname(self.path)
        os.makedirs(directory, exist_ok=True)
        descriptor = os.open(self.path, _flags(os.O_RDWR | os.O_CREAT | os.O_EXCL), 0o666)
        try:
            try:
                _write_all(descriptor, _join(lines))
            except BaseException:
                # The file is ours alone, and half of it is no session.
                with contextlib.suppress(OSError):
                    os.unlink(self.path)
                raise
            self._remember(descriptor)
        finally:
            os.close(descriptor)

    def append(self, lines: Sequence[bytes]) -> None:
        """Add whole lines with one write. Raises FileChangedError, and then writes nothing.

        When the write fails half-way (OSError, an interrupt), the file is cut back to what it was.
        """
        data = _join(lines)
        if self._needs_newline:
            data = b"\n" + data
        with self._unchanged_file() as descriptor:
            size = os.fstat(descriptor).st_size
            try:
                _write_all(descriptor, data)
            except BaseException:
                os.ftruncate(descriptor, size)
                self._remember(descriptor)
                raise
            after = _FileState.of(os.fstat(descriptor))
            # A size that is more than the sum means that another writer came in between; keeping
            # the sum makes the next append refuse.
            self._state = _FileState(after.device, after.inode, size + len(data), after.modified_ns)
            self._needs_newline = False

    def replace(self, lines: Iterable[bytes]) -> None:
        """Put these lines in the place of the whole file, in one step. The only rewrite there is.

        Raises FileChangedError, and then writes nothing.
        """
        import shutil
        import tempfile

        directory, name = os.path.split(self.path)
        with self._unchanged_file():
            temporary, temporary_path = tempfile.mkstemp(prefix=f".{name}.", dir=directory)
            try:
                _write_all(temporary, _join(lines))
                os.fsync(temporary)
                shutil.copymode(self.path, temporary_path)
                os.replace(temporary_path, self.path)
                self._remember(temporary)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(temporary_path)
                raise
            finally:
                os.close(temporary)
        self._needs_newline = False

    @contextlib.contextmanager
    def _unchanged_file(self) -> Iterator[int]:
        """The open file, locked against other logs, after a look that it is as we left it."""
        if self._state is None:
            raise PiSessionError(f"{self.path}: the file was not read or created yet")
        try:
            descriptor = os.open(self.path, _flags(os.O_RDWR | os.O_APPEND))
        except FileNotFoundError:
            raise FileChangedError(self.path, "the file is gone") from None
        try:
            if fcntl is not None:
                # Some network file systems have no locks.
                with contextlib.suppress(OSError):
                    fcntl.flock(descriptor, fcntl.LOCK_EX)
            now = _FileState.of(os.fstat(descriptor))
            if now != self._state:
                raise FileChangedError(self.path, _change(self._state, now))
            yield descriptor
        finally:
            os.close(descriptor)

    def _remember(self, descriptor: int) -> None:
        self._state = _FileState.of(os.fstat(descriptor))


def _change(before: _FileState, now: _FileState) -> str:
    if (before.device, before.inode) != (now.device, now.inode):
        return "another file has taken its place"
    if before.size != now.size:
        return f"the file has {now.size} bytes where this manager left {before.size}"
    return "the file was written to by somebody else"


def _join(lines: Iterable[bytes]) -> bytes:
    return b"".join(part for line in lines for part in (line, b"\n"))


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _flags(flags: int) -> int:
    return flags | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
