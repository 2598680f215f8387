"""Where the course's files are: inside an installed wheel, or in the repository."""

from pathlib import Path

from coursekit.workbook.errors import WorkbookError

_PACKAGE = Path(__file__).resolve().parent.parent


def notebooks() -> Path:
    """The folder of notebooks."""
    return _find("notebooks")


def starters() -> Path:
    """The folder with the `session.py` and `context.py` that a learner starts from."""
    return _find("starters")


def data() -> Path:
    """The folder of session files that the notebooks read."""
    return _find("data")


def lab_tests() -> Path:
    """The folder whose `test_labs.py` runs the course's checks under pytest."""
    return _find("tests/labs")


def reference(module: str) -> Path:
    """The finished `session.py` or `context.py`: the library's own."""
    return _PACKAGE / module


def _find(name: str) -> Path:
    for root in (_PACKAGE / "_content", _PACKAGE.parent):
        if (root / name).is_dir():
            return root / name
    raise WorkbookError(
        f"The course's folder {name} is missing beside {_PACKAGE}. "
        "Install coursekit again: pip install --force-reinstall coursekit"
    )
