"""Archives: what a zip or a tar holds, by name, and one file of it at a time.

Nothing is unpacked. What an archive says of itself is never believed: paths that lead
outside, links, devices, encrypted and sparse members are refused, and each read has a bound.
"""

import io
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, BinaryIO, Protocol

from coursekit.grading.intake.decompression import decompressed
from coursekit.grading.regular_file import Unreadable

MOST_MEMBERS = 100_000
"""Members that one archive may have."""

_LARGEST_DIRECTORY = 20_000_000  # bytes; 100,000 members with long names need fewer

_CHUNK = 1 << 20

_SUFFIXES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tbz", ".tar.xz", ".txz")
_OTHERS = (".rar", ".7z", ".gz", ".bz2", ".xz", ".zst", ".lz", ".z", ".cab", ".iso")


def is_archive(name: str) -> bool:
    """Whether a file of this name can be opened as an archive."""
    return name.lower().endswith(_SUFFIXES)


def is_other_archive(name: str) -> bool:
    """Whether a file of this name is an archive of a kind that is not opened."""
    return not is_archive(name) and name.lower().endswith(_OTHERS)


def archive_stem(name: str) -> str:
    """The name of an archive without its ending."""
    for suffix in sorted(_SUFFIXES, key=len, reverse=True):
        if name.lower().endswith(suffix):
            return name[: -len(suffix)]
    return name


@dataclass(frozen=True)
class ArchiveEntry:
    """A file or folder of an archive; `refusal` says why it is not read, if it is not."""

    path: tuple[str, ...]
    is_folder: bool
    refusal: str
    outside: bool
    key: zipfile.ZipInfo | tarfile.TarInfo


class Archive(Protocol):
    """A zip or a tar that is open."""

    def entries(self) -> list[ArchiveEntry]:
        """All files and folders, in order. Raises `Unreadable`, for too many of them too."""

    def read(self, entry: ArchiveEntry, limit: int) -> bytes:
        """A file's bytes. Raises `Unreadable` for one that has more than `limit`."""

    def close(self) -> None:
        """Let go of the file."""


def open_archive(file: BinaryIO, limit: int) -> Archive:
    """The archive in a seekable file, by its first bytes; it then owns the file.

    `limit` bounds the bytes that a compressed tar may unpack to. Raises `Unreadable`.
    """
    try:
        with _in_words():
            file.seek(0)
            head = file.read(512)
            if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
                return _Zip(file)
            if head[257:262] == b"ustar":
                return _Tar(file)
            plain = decompressed(file, head, limit)
    except BaseException:
        file.close()
        raise
    file.close()
    if plain is None:
        raise Unreadable("is no zip or tar")
    try:
        with _in_words():
            return _Tar(plain)
    except BaseException:
        plain.close()
        raise


class _Zip:
    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._zip = zipfile.ZipFile(_bounded(file))

    def entries(self) -> list[ArchiveEntry]:
        infos = self._zip.infolist()
        if len(infos) > MOST_MEMBERS:
            raise Unreadable(f"has more than {MOST_MEMBERS:,} members")
        return [self._entry(info) for info in infos]

    def _entry(self, info: zipfile.ZipInfo) -> ArchiveEntry:
        path, outside = _path(_name(info))
        mode = info.external_attr >> 16
        kind = stat.S_IFMT(mode)
        refusal = ""
        if outside:
            refusal = "its path leads outside"
        elif info.flag_bits & 0x2041:  # encrypted, strongly so, or a hidden directory
            refusal = "is encrypted"
        elif kind == stat.S_IFLNK:
            refusal = "is a link, which is not followed"
        elif kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            refusal = "is no regular file"
        elif info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            refusal = "is packed in an unusual way: make the zip anew"
        is_folder = info.filename.endswith(("/", "\\")) and not outside
        return ArchiveEntry(path, is_folder, "" if is_folder else refusal, outside, info)

    def read(self, entry: ArchiveEntry, limit: int) -> bytes:
        assert isinstance(entry.key, zipfile.ZipInfo)
        with _in_words(), self._zip.open(entry.key) as file:
            return _read(file, limit)

    def close(self) -> None:
        self._zip.close()
        self._file.close()


class _Tar:
    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        file.seek(0)
        self._tar = tarfile.open(fileobj=_bounded(file), mode="r:")  # noqa: SIM115

    def entries(self) -> list[ArchiveEntry]:
        found: list[ArchiveEntry] = []
        with _in_words():
            for info in self._tar:
                if len(found) == MOST_MEMBERS:
                    raise Unreadable(f"has more than {MOST_MEMBERS:,} members")
                found.append(self._entry(info))
            # Where a header is damaged, tarfile ends as if the archive did.
            self._file.seek(self._tar.offset)
            if any(self._file.read(tarfile.BLOCKSIZE)):
                raise Unreadable(f"is damaged after {len(found):,} members")
            if self._file.seek(0, io.SEEK_END) < self._tar.offset:
                raise Unreadable("is damaged: it ends too early")
        return found

    def _entry(self, info: tarfile.TarInfo) -> ArchiveEntry:
        # What is no UTF-8 comes with half characters in it.
        name = info.name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
        path, outside = _path(name)
        refusal = ""
        if outside:
            refusal = "its path leads outside"
        elif info.issym() or info.islnk():
            refusal = "is a link, which is not followed"
        elif info.issparse():
            refusal = "is a sparse file"
        elif not (info.isreg() or info.isdir()):
            refusal = "is no regular file"
        is_folder = info.isdir() and not outside
        return ArchiveEntry(path, is_folder, refusal, outside, info)

    def read(self, entry: ArchiveEntry, limit: int) -> bytes:
        assert isinstance(entry.key, tarfile.TarInfo)
        with _in_words():
            file = self._tar.extractfile(entry.key)
            if file is None:
                raise Unreadable("is no regular file")
            with file:
                return _read(file, limit)

    def close(self) -> None:
        self._tar.close()
        self._file.close()


@contextmanager
def _in_words() -> Iterator[None]:
    """Turns whatever a damaged archive raises into a `Unreadable`."""
    try:
        yield
    except (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError) as problem:
        raise Unreadable(f"is damaged: {problem}") from None
    except (OSError, ValueError, RuntimeError, OverflowError, MemoryError) as problem:
        # NotImplementedError, for a packing that Python can't undo, is a RuntimeError.
        raise Unreadable(f"can't be read: {problem}") from None


def _read(file: IO[bytes], limit: int) -> bytes:
    content = bytearray()
    while chunk := file.read(_CHUNK):
        content += chunk
        if len(content) > limit:
            raise Unreadable(f"is larger than {limit:,} bytes")
    return bytes(content)


class _Bounded(io.RawIOBase):
    """A file that refuses to read much at once, as a table of a million members asks for."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def read(self, size: int | None = -1) -> bytes:
        most = _LARGEST_DIRECTORY + 1
        content = self._file.read(most if size is None or size < 0 else min(size, most))
        if len(content) > _LARGEST_DIRECTORY:
            raise Unreadable(f"has more than {MOST_MEMBERS:,} members, or says so")
        return content

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True


def _bounded(file: BinaryIO) -> BinaryIO:
    return _Bounded(file)  # type: ignore[return-value]


# --- names ------------------------------------------------------------------------


def _path(name: str) -> tuple[tuple[str, ...], bool]:
    """A member's name as parts, and whether it leads outside."""
    name = name.replace("\\", "/")
    parts = tuple(part for part in name.split("/") if part not in ("", "."))
    if name.startswith("/") or re.match(r"[A-Za-z]:", name) or ".." in parts or not parts:
        return (name or "(no name)",), True
    return parts, False


def _name(info: zipfile.ZipInfo) -> str:
    """The name as it was meant: old Windows writes names in its own encoding, unmarked."""
    if info.flag_bits & 0x800 or info.filename.isascii():
        return info.filename
    try:
        raw = info.filename.encode("cp437")
    except UnicodeEncodeError:
        return info.filename
    for encoding in ("utf-8", "gb2312"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            pass
    try:
        chinese = raw.decode("gbk")
    except UnicodeDecodeError:
        return info.filename
    # An accented letter and its neighbour are a rare character there; a name has common ones.
    letters = [each for each in chinese if not each.isascii()]
    common = sum(_is_common(each) for each in letters)
    return chinese if 2 * common > len(letters) else info.filename


def _is_common(character: str) -> bool:
    try:
        character.encode("gb2312")
    except UnicodeEncodeError:
        return False
    return True
