"""Regular files: reading one that anybody may have put there, up to a number of bytes."""

import os
import stat
from pathlib import Path


class Unreadable(Exception):
    """What is not read, and why: the rest of a sentence that begins with its name."""


def read_regular(path: Path, limit: int) -> bytes:
    """The bytes of a file. Raises `Unreadable` for more than `limit`, and for any other thing.

    What the system says of a file that can't be opened or read is an `OSError`.
    """
    # Without waiting: a FIFO would never open. Not followed: a link may lead anywhere.
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        if path.is_symlink():
            raise Unreadable("is a link, which is not followed") from None
        raise
    with open(handle, "rb") as file:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise Unreadable("is no regular file")
        if status.st_nlink > 1:
            raise Unreadable("has a second name elsewhere (a hard link)")
        content = file.read(limit + 1)
    if len(content) > limit:
        raise Unreadable(f"is larger than {limit:,} bytes")
    return content
