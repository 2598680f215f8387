"""What of this computer a sandbox gets to see: Python, ipykernel, and what they load.

Beside them two libraries that an answer may well read records with.

Everything is listed; nothing is shown because it lies beside something else. So
neither coursekit nor anything that was installed for other reasons is in there.
"""

import importlib.metadata
import re
import stat
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

SITE = "/env/site"
"""Inside: the packages that a kernel imports."""

INSIDE = "/env/inside"
"""Inside: the programs that run there, and what observes."""

_PACKAGES = ("ipykernel", "msgspec", "pydantic")

_LEFT_OUT = {"debugpy"}  # a debugger that ipykernel does without, and slow to import

_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache")


def binds() -> list[tuple[str, str]]:
    """Host path and path inside of everything that is shown, read-only."""
    shown = [(path, path) for path in _LIBRARIES if Path(path).exists()]
    shown += [(str(path), str(path)) for path in _python()]
    shown += [(str(path), f"{SITE}/{name}") for name, path in sorted(packages().items())]
    return shown


_OBSERVING = ("protocol.py", "observing.py")


def programs(observations: Path) -> dict[str, Path]:
    """The files of `INSIDE`, by their name there; `observations` is a course's own.

    Of coursekit itself only what observes is there.
    """
    inside = Path(__file__).parent / "inside"
    check = Path(__file__).parents[2] / "check"
    files = {path.name: path for path in sorted(inside.glob("*.py"))}
    files |= {name: check / name for name in _OBSERVING}
    return files | {"observations.py": observations}


def masked() -> list[str]:
    """Folders within what is shown that are shown empty: other people's packages."""
    roots = {Path(sysconfig.get_path("stdlib")), *map(Path, _LIBRARIES[:4])}
    found = {
        folder
        for root in roots
        for pattern in (
            "site-packages",
            "dist-packages",
            "python3*/site-packages",
            "python3*/dist-packages",
        )
        for folder in root.glob(pattern)
        if folder.is_dir()
    }
    return sorted({str(folder.resolve()) for folder in found})


def command() -> list[str]:
    """The Python of the sandbox, cut off from environment, user and site folders."""
    return [str(_interpreter()), "-P", "-s", "-S", "-B", "-X", "utf8"]


def is_for_all() -> bool:
    """Whether every user of this computer can read what Python imports.

    The program itself and its libraries are loaded while their reader is still root.
    """
    shown = [Path(sysconfig.get_path("stdlib")).resolve(), *packages().values()]
    return all(folder.stat().st_mode & stat.S_IXOTH for path in shown for folder in path.parents)


def packages() -> dict[str, Path]:
    """Name inside and host path of the packages shown and all that they require."""
    found: dict[str, Path] = {}
    todo = list(_PACKAGES)
    seen = set(_LEFT_OUT)
    while todo:
        name = _normal(todo.pop())
        if name in seen:
            continue
        seen.add(name)
        try:
            installed = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue  # required on other systems only, or not installed
        todo += _requirements(installed)
        for file in installed.files or ():
            top = file.parts[0]
            if top not in ("..", "__pycache__"):
                found[top] = Path(str(installed.locate_file(top))).resolve()
    return found


def _requirements(installed: importlib.metadata.Distribution) -> Iterator[str]:
    for each in installed.requires or ():
        if "extra ==" not in each:
            yield re.split(r"[^A-Za-z0-9._-]", each, maxsplit=1)[0]


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _interpreter() -> Path:
    return Path(sys.executable).resolve()


def _python() -> Iterator[Path]:
    yield _interpreter()
    yield Path(sysconfig.get_path("stdlib")).resolve()
    libraries = Path(sysconfig.get_config_var("LIBDIR") or "/nowhere").resolve()
    # A distribution's own Python has its libraries among the system's, which are shown.
    if not any(libraries.is_relative_to(Path(each).resolve()) for each in _LIBRARIES):
        yield from sorted(libraries.glob("*.so*"))
