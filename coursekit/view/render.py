"""The one function that runs `dot`."""

from __future__ import annotations

from functools import lru_cache

NO_DOT = (
    "No picture: Graphviz's dot was not found. Install it "
    "(https://graphviz.org/download/) or run: python -m pip install graphviz-pure"
)
TIMEOUT = 120
"""Seconds that a drawing may take."""


class RenderError(RuntimeError):
    """`dot` is missing, refused the text, or took too long."""


@lru_cache(maxsize=1)
def dot_program() -> str | None:
    """Path of the `dot` that draws: the system's, else the one a wheel carries, else None."""
    import shutil

    found = shutil.which("dot")
    if found is not None:
        return found
    try:
        import graphviz_pure
    except ImportError:
        return None
    return str(graphviz_pure.dot_path())


def render(dot: str, form: str = "svg") -> bytes:
    """Draw DOT text as `svg` or `png`. Raises `RenderError` when that cannot be done."""
    import subprocess

    program = dot_program()
    if program is None:
        raise RenderError(NO_DOT)
    try:
        done = subprocess.run(
            [program, f"-T{form}"], input=dot.encode(), capture_output=True, timeout=TIMEOUT
        )
    except subprocess.TimeoutExpired as error:
        raise RenderError(f"dot took longer than {TIMEOUT} seconds") from error
    if done.returncode != 0 or not done.stdout:
        said = done.stderr.decode(errors="replace").strip() or "it said nothing"
        raise RenderError(f"dot failed with exit status {done.returncode}: {said}")
    return done.stdout
