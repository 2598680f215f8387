"""A large file in pieces, each of them read while the one before it is looked at."""

from __future__ import annotations

from collections.abc import Generator
from typing import BinaryIO

_PIECE_BYTES = 2 * 1024 * 1024
_WORTH_A_THREAD = 4 * _PIECE_BYTES


def read_ahead(file: BinaryIO, size: int) -> Generator[bytes, None, None]:
    """The next `size` bytes of a file; fewer where it ends before.

    A read waits for the memory that it fills, page by page, and lets other threads work meanwhile.
    """
    if size < _WORTH_A_THREAD:
        yield file.read(size)
        return
    from concurrent.futures import ThreadPoolExecutor

    sizes = [min(_PIECE_BYTES, size - start) for start in range(0, size, _PIECE_BYTES)]
    with ThreadPoolExecutor(max_workers=1) as reader:
        yield from reader.map(file.read, sizes)
