"""Writing a learner's files so that a crash leaves the old or the new, never half."""

import os
import shutil
import tempfile
from pathlib import Path


def write_atomically(path: Path, content: bytes) -> None:
    """Put `content` in place of the file, keeping its permissions; follows a link."""
    path = path.resolve()
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, name)
        else:
            os.chmod(name, 0o666 & ~_umask())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def keep_backup(path: Path) -> Path:
    """Copy the file beside itself under a name not yet taken, `context.py.1.bak`."""
    number = 1
    while True:
        backup = path.with_name(f"{path.name}.{number}.bak")
        try:
            with backup.open("xb") as file:
                file.write(path.read_bytes())
        except FileExistsError:
            number += 1
        else:
            return backup


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
