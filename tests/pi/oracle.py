"""A conversation with `oracle.mjs`, which imports real Pi."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any

_HERE = Path(__file__).resolve().parent


def tools() -> Path:
    """The folder whose `node_modules` holds Node.js and Pi."""
    return Path(os.environ.get("COURSEKIT_PI_TOOLS", _HERE.parent.parent / ".tools"))


def node() -> Path:
    return tools() / "node_modules" / ".bin" / "node"


def missing() -> str | None:
    """Why real Pi can't be asked here, in one sentence; None when it can."""
    package = tools() / "node_modules" / "@earendil-works" / "pi-coding-agent" / "package.json"
    if not node().exists() or not package.exists():
        return "Node.js and Pi are not installed in .tools, so real Pi can't be asked."
    version = json.loads(package.read_text())["version"]
    if version != "1.6.0":
        return f"Pi {version} is installed in .tools, and these tests know 1.6.0."
    return None


class Oracle:
    """Asks one question at a time. A context manager; leaving it ends the process."""

    def __init__(self, script: str = "oracle.mjs") -> None:
        self._script = script

    def __enter__(self) -> Oracle:
        # A home of its own, because Pi makes folders there.
        self._folder = tempfile.TemporaryDirectory()
        self.home = Path(self._folder.name)
        environment = {**os.environ, "HOME": str(self.home)}
        environment.pop("PI_CODING_AGENT_DIR", None)
        self._process = subprocess.Popen(
            [str(node()), str(_HERE / self._script), str(tools() / "node_modules")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
        )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait(timeout=30)
        self._folder.cleanup()

    def ask(self, op: str, **request: Any) -> Any:
        """Pi's answer. Raises PiError where Pi threw."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"op": op, **request}).encode() + b"\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the oracle ended; its error stands above")
        reply = json.loads(line)
        if "error" in reply:
            raise PiError(reply["error"])
        return reply["ok"]


class PiError(Exception):
    """Pi itself threw this."""
