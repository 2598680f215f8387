"""The one function that runs `dot`."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

NO_DOT = (
    "No picture: Graphviz's dot was not found. Install it "
    "(https://graphviz.org/download/) or run: python -m pip install graphviz-pure"
)
NO_WIDE_FONTS = (
    "Chinese, Japanese and Korean text is empty boxes in this PNG, because graphviz-pure has "
    "no fonts for it. Save an SVG, or install Graphviz."
)
TIMEOUT = 120
"""Seconds that a drawing may take."""


class RenderError(RuntimeError):
    """`dot` is missing, refused the text, or took too long."""


@lru_cache(maxsize=1)
def dot_program() -> str | None:
    """Path of the `dot` that draws: the system's, else graphviz-pure's, else None."""
    import shutil

    return shutil.which("dot") or _wheel_program()


def _wheel_program() -> str | None:
    """The program in the graphviz-pure wheel, wherever pip put it; it need not be on PATH."""
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        wheel = distribution("graphviz-pure")
    except PackageNotFoundError:
        return None
    for file in wheel.files or ():
        if file.stem == "graphviz-pure" and file.suffix in ("", ".exe"):
            path = Path(str(wheel.locate_file(file))).resolve()
            return str(path) if path.is_file() else None
    return None


def lacks_wide_fonts() -> bool:
    """Whether a PNG would lack Chinese characters; an SVG takes the reader's fonts."""
    return dot_program() == _wheel_program()


def render(dot: str, form: str = "svg") -> bytes:
    """Draw DOT text as `svg` or `png`. Raises `RenderError` when that cannot be done."""
    # What `graphviz.pipe` calls, which knows neither a time limit nor the wheel's program.
    from subprocess import TimeoutExpired

    from graphviz.backend.execute import CalledProcessError, ExecutableNotFound, run_check

    program = dot_program()
    if program is None:
        raise RenderError(NO_DOT)
    command = [program, f"-T{form}"]
    try:
        drawn: bytes = run_check(
            command, input=dot.encode(), capture_output=True, quiet=True, timeout=TIMEOUT
        ).stdout
    except TimeoutExpired as error:
        raise RenderError(f"dot took longer than {TIMEOUT} seconds") from error
    except ExecutableNotFound as error:
        raise RenderError(NO_DOT) from error
    except CalledProcessError as error:
        raise RenderError(_failure(error.returncode, error.stderr)) from error
    if not drawn:
        raise RenderError(_failure(0, b""))
    return drawn


def _failure(status: int, stderr: bytes) -> str:
    message = stderr.decode(errors="replace").strip() or "it wrote nothing"
    return f"dot failed with exit status {status}: {message}"
