"""Starting JupyterLab on a practice folder."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

from coursekit.check.coursekit_error import CoursekitError
from coursekit.workbook.chosen_course import course_of


def open_lab(
    folder: Path, *, port: int | None = None, ip: str | None = None, browser: bool = True
) -> int:
    """Run JupyterLab until it is stopped; its exit status is the command's.

    JupyterLab prints its address and takes the next free port by itself. Raises
    `CoursekitError` if it isn't installed.
    """
    if importlib.util.find_spec("jupyterlab") is None:
        raise CoursekitError("JupyterLab is missing. Install it: pip install jupyterlab")
    command = lab_command(folder, port=port, ip=ip, browser=browser and has_display())
    if os.name == "posix":
        # JupyterLab takes this process over: signals reach it and nothing is left behind.
        sys.stdout.flush()
        os.chdir(folder)
        os.execv(command[0], command)
    return subprocess.call(command, cwd=folder)


def lab_command(folder: Path, *, port: int | None, ip: str | None, browser: bool) -> list[str]:
    """The command line that starts JupyterLab on the folder's first notebook."""
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={folder}"]
    first = course_of(folder).first_notebook
    if (folder / first).is_file():
        command.append(f"--LabApp.default_url=/lab/tree/{first}")
    if port is not None:
        command.append(f"--ServerApp.port={port}")
    if ip is not None:
        command.append(f"--ServerApp.ip={ip}")
    if not browser:
        command.append("--no-browser")
    # JupyterLab refuses to run as root unasked, and in a container one is root.
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")
    return command


def has_display() -> bool:
    """Whether a browser could show itself; only Linux without a screen says no."""
    if not sys.platform.startswith("linux"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
