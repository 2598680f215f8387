"""Decompression of a tar: into an unnamed temporary file, up to a number of bytes."""

import bz2
import gzip
import lzma
import tempfile
from collections.abc import Iterator
from typing import BinaryIO, cast

from coursekit.grading.regular_file import Unreadable

_CHUNK = 1 << 20
_IN_MEMORY = 8_000_000
_LZMA_MEMORY = 200_000_000  # bytes; a file may ask for gigabytes to be unpacked with


def decompressed(file: BinaryIO, head: bytes, limit: int) -> BinaryIO | None:
    """What a compressed file holds, or None if it begins as none does.

    Raises `Unreadable` for more than `limit` bytes, and what the decoder raises.
    """
    file.seek(0)
    if head.startswith(b"\x1f\x8b"):
        chunks = _chunks(cast(BinaryIO, gzip.GzipFile(fileobj=file)))
    elif head.startswith(b"BZh"):
        chunks = _chunks(cast(BinaryIO, bz2.BZ2File(file)))
    elif head.startswith(b"\xfd7zXZ\x00"):
        chunks = _lzma_chunks(file)
    else:
        return None
    plain = cast(BinaryIO, tempfile.SpooledTemporaryFile(_IN_MEMORY))  # noqa: SIM115
    size = 0
    try:
        for chunk in chunks:
            size += len(chunk)
            if size > limit:
                raise Unreadable(f"unpacks to more than {limit:,} bytes")
            plain.write(chunk)
    except BaseException:
        plain.close()
        raise
    plain.seek(0)
    return plain


def _chunks(file: BinaryIO) -> Iterator[bytes]:
    while chunk := file.read(_CHUNK):
        yield chunk


def _lzma_chunks(file: BinaryIO) -> Iterator[bytes]:
    decoder = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_LZMA_MEMORY)
    try:
        while not decoder.eof:
            data = file.read(_CHUNK) if decoder.needs_input else b""
            if decoder.needs_input and not data:
                raise EOFError("it ends too early")
            if chunk := decoder.decompress(data, _CHUNK):
                yield chunk
    except lzma.LZMAError as problem:
        raise Unreadable(f"is damaged: {problem}") from None
