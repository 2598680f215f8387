"""A large file in pieces, each of them read while the one before it is looked at."""

from __future__ import annotations

from collections.abc import Generator
from typing import BinaryIO

_PIECE_BYTES = 4 * 1024 * 1024


def read_ahead(file: BinaryIO, size: int) -> Generator[bytes, None, None]:
    """The next `size` bytes of a file; fewer where it ends before.

    A read waits for the memory that it fills, page by page, and lets other threads work meanwhile.
    The file is this generator's alone until it ends or is closed.
    """
    counts = [min(_PIECE_BYTES, size - start) for start in range(0, size, _PIECE_BYTES)]
    if len(counts) < 3:  # not worth a thread
        for count in counts:
            yield file.read(count)
        return
    from queue import SimpleQueue
    from threading import Event, Thread

    pieces: SimpleQueue[bytes | BaseException] = SimpleQueue()
    enough = Event()

    def read() -> None:
        try:
            for count in counts:
                if enough.is_set():
                    return
                pieces.put(file.read(count))
        except BaseException as error:  # Raised below: a thread has no caller.
            pieces.put(error)

    reader = Thread(target=read, daemon=True)
    reader.start()
    try:
        for _ in counts:
            piece = pieces.get()
            if isinstance(piece, BaseException):
                raise piece
            yield piece
    finally:
        enough.set()
        reader.join()
