"""The functions in a source text: read one, put another in its place.

All of it works on lines that `ast` points at, so whatever stands outside the
function that is meant keeps every byte: comments, blank lines, line endings.
"""

import ast
import codecs
import io
import re
import tokenize
from pathlib import Path

from coursekit.check.course import Course, Lab
from coursekit.check.coursekit_error import CoursekitError

_STATEMENT = re.compile(rb"[A-Za-z_@]")  # at the start of a line: of the top level


class SpliceError(CoursekitError):
    """Source text that a function can't be taken from or put into; nothing was changed."""


def function_source(source: bytes, name: str, where: str) -> bytes:
    """The lines of the top-level function `name`, its decorators included.

    `where` is how error messages call the file. Raises `SpliceError` when the
    source can't be parsed or has no such function.
    """
    node = _last_definition(_parse(source, where), name)
    if node is None:
        raise SpliceError(f"{where} has no function {name}.")
    start, end = _line_range(node)
    return b"".join(source.splitlines(keepends=True)[start:end])


def splice_function(source: bytes, name: str, replacement: bytes, where: str) -> bytes:
    """`source` with its top-level function `name` replaced, or appended if it has none.

    Every other byte stays. The replacement takes on the file's line endings and
    encoding; what it needs imported is the file's own business. A function whose
    own text is broken is replaced all the same. Raises `SpliceError` when the
    source is broken elsewhere, or could not hold the replacement.
    """
    if source.startswith(codecs.BOM_UTF8):
        rest = source.removeprefix(codecs.BOM_UTF8)
        return codecs.BOM_UTF8 + splice_function(rest, name, replacement, where)
    lines = source.splitlines(keepends=True)
    new = _adapt(replacement, source, lines, where)
    try:
        tree = _parse(source, where)
    except SpliceError as problem:
        mended = _replace_broken(lines, name, new, where)
        if mended is None:
            raise problem
        return mended
    node = _last_definition(tree, name)
    if node is not None:
        start, end = _line_range(node)
        if not lines[end - 1].endswith((b"\n", b"\r")):
            new = new.rstrip(b"\r\n")
        result = b"".join([*lines[:start], new, *lines[end:]])
    else:
        newline = _newline(lines)
        gap = newline * 2 if source.strip() else b""
        if lines and not lines[-1].endswith((b"\n", b"\r")):
            gap = newline + gap
        result = source + gap + new
    _parse(result, where)
    return result


def is_stub(course: Course, folder: Path, lab: Lab) -> bool:
    """Whether a lab's function in the folder is still the starter's, untouched."""
    path = folder / lab.module
    return path.is_file() and has_function(path.read_bytes(), lab, course.starters / lab.module)


def has_function(source: bytes, lab: Lab, *files: Path) -> bool:
    """Whether a lab's function in a source is, but for layout, that of one of these files."""
    try:
        there = function_source(source, lab.function, lab.module).split()
    except SpliceError:  # a file that is broken, or lacks the function
        return False
    return any(
        there == function_source(file.read_bytes(), lab.function, file.name).split()
        for file in files
    )


def _parse(source: bytes, where: str) -> ast.Module:
    try:
        return ast.parse(source)
    except SyntaxError as problem:
        line = f", line {problem.lineno}" if problem.lineno else ""
        raise SpliceError(
            f"{where}{line}: {problem.msg}. Nothing was changed. Mend this first, then try again."
        ) from problem
    except (ValueError, RecursionError, MemoryError) as problem:
        raise SpliceError(
            f"{where} can't be read as Python: {problem or type(problem).__name__}. "
            "Nothing was changed. Mend this first, then try again."
        ) from problem


def _last_definition(tree: ast.Module, name: str) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The function that the module ends up with under `name`, if a top-level `def` made it."""
    for node in reversed(tree.body):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name:
            return node
        # An assignment, class or import below a `def` would hide a function put there.
        if name in _bound_names(node):
            return None
    return None


def _bound_names(statement: ast.stmt) -> set[str]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {statement.name}
    names: set[str] = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            names.add(node.id)
        elif isinstance(node, ast.alias):
            names.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
    return names


def _line_range(node: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[int, int]:
    """Where the function's lines start, decorators included, and end; from 0, end excluded."""
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    return first - 1, node.end_lineno or node.lineno


def _replace_broken(lines: list[bytes], name: str, new: bytes, where: str) -> bytes | None:
    """Replace a function that `ast` can't see, if the rest of the file is sound."""
    header = re.compile(rb"(async\s+)?def\s+" + name.encode() + rb"\b")
    starts = [i for i, line in enumerate(lines) if header.match(line)]
    if not starts:
        return None
    start = starts[-1]
    end = next((i for i in range(start + 1, len(lines)) if _STATEMENT.match(lines[i])), len(lines))
    # Blank lines and comments before the next statement belong to that statement.
    while end > start + 1 and (not lines[end - 1].strip() or lines[end - 1][:1] == b"#"):
        end -= 1
    while start > 0 and lines[start - 1].startswith(b"@"):
        start -= 1
    result = b"".join([*lines[:start], new, *lines[end:]])
    try:
        _parse(result, where)
    except SpliceError:
        return None
    return result


def _newline(lines: list[bytes]) -> bytes:
    for line in lines:
        for ending in (b"\r\n", b"\n", b"\r"):
            if line.endswith(ending):
                return ending
    return b"\n"


def _adapt(replacement: bytes, source: bytes, lines: list[bytes], where: str) -> bytes:
    """The replacement in the file's own line endings and encoding."""
    try:
        encoding = tokenize.detect_encoding(io.BytesIO(source).readline)[0]
        text = replacement.decode()
        new = text.encode(encoding)
    except (SyntaxError, UnicodeError) as problem:
        raise SpliceError(f"{where}: {problem}. Save the file as UTF-8, then try again.") from None
    return b"".join(line + _newline(lines) for line in new.splitlines())
