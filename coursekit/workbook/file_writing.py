"""Writing a learner's files so that a crash leaves the old or the new, never half."""

import os
import stat
from pathlib import Path


def write_atomically(path: Path, content: bytes) -> None:
    """Put `content` in place of the file, keeping its permissions; follows a link."""
    path = path.resolve()
    new = path.with_name(f".{path.name}.{os.urandom(4).hex()}")
    try:
        with new.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            new.chmod(stat.S_IMODE(path.stat().st_mode))
        os.replace(new, path)
    except BaseException:
        new.unlink(missing_ok=True)
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
