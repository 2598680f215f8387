"""Paths as Pi understands them, and where it keeps its sessions.

Pi 1.6.0 normalizePath, resolvePath and getDefaultSessionDir.
"""

from __future__ import annotations

import os
import re
from typing import TypeAlias

PathLike: TypeAlias = str | os.PathLike[str]


def resolve_path(path: PathLike) -> str:
    """An absolute path; a leading `~` and `file://` are understood."""
    return os.path.abspath(_normalize(os.fspath(path)))


def agent_dir() -> str:
    """Pi's own folder: PI_CODING_AGENT_DIR, or `~/.pi/agent`."""
    return _normalize(os.environ.get("PI_CODING_AGENT_DIR") or "~/.pi/agent")


def default_session_dir(cwd: PathLike) -> str:
    """Where Pi keeps the sessions of a working folder: its path, with dashes for separators."""
    name = re.sub(r"[/\\:]", "-", re.sub(r"^[/\\]", "", resolve_path(cwd)))
    return os.path.join(resolve_path(agent_dir()), "sessions", f"--{name}--")


def _normalize(text: str) -> str:
    if text == "~" or text.startswith("~/"):
        return os.path.expanduser(text)
    if text.startswith("file://"):
        from urllib.parse import urlparse
        from urllib.request import url2pathname

        return url2pathname(urlparse(text).path)
    return text
