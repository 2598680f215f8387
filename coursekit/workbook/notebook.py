"""What a notebook shows of the shell: checks, the next hint, where the learner stands."""

import importlib
import importlib.util
import inspect
import sys
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from coursekit.workbook import attempt, cases, checks, hints, manifest, overview, practice
from coursekit.workbook.card import Told, wrapped


def check(*labs: str) -> Told:
    """Check labs as `coursekit check` does: the saved files, in a fresh process.

    Says so where this kernel holds something else than the files: a cell that
    defines a lab's function anew, or a module that was changed and not reloaded.
    """
    folder = answers_folder()
    report, problem = attempt.attempt(labs, folder)
    text = attempt.report_text(report, hint='hint("{}")')
    told = [text, *_not_as_saved(folder), problem]
    return Told("\n".join(line for line in told if line))


def observe(check: str, variant: int = 0) -> list[dict[str, Any]]:
    """What one check (`"11.2/1"`) sees of the answers in this kernel, step by step."""
    case = cases.build(check, variant)
    return checks.observe_case(case, importlib.import_module)


def hint(lab_id: str) -> Told:
    """The next hint of a lab, as `coursekit hint` gives it; it is counted the same."""
    return Told(wrapped(hints.next_hint(answers_folder(), manifest.find(lab_id))))


def status() -> Told:
    """Where you stand, as `coursekit status` tells it."""
    return Told(overview.status_text(answers_folder()))


def answers_folder() -> Path:
    """The folder whose session.py this kernel imports, else the practice folder here."""
    found = importlib.util.find_spec("session")
    if found is not None and found.origin is not None:
        return Path(found.origin).parent
    return practice.find()


def _not_as_saved(folder: Path) -> list[str]:
    """A sentence for each lab's function that this kernel holds another version of."""
    told = []
    for lab in manifest.exercises():
        saved = _saved_code(folder / lab.module, lab.function)
        for name, where in (("__main__", "a cell of this notebook"), (lab.module[:-3], "memory")):
            found: Any = getattr(sys.modules.get(name), lab.function, None)
            held = inspect.unwrap(found)  # a decorator around it is none of ours
            if not isinstance(held, FunctionType) or saved is None:
                continue
            if name == "__main__" and held.__module__ != "__main__":
                continue  # imported into the notebook; its own module is looked at too
            if _body(held.__code__) != _body(saved):
                told.append(
                    f"Note: {lab.function} in {where} differs from the saved {lab.module}; "
                    "the file was checked."
                )
    return told


def _saved_code(path: Path, function: str) -> CodeType | None:
    """The compiled body of a function as it stands in a file."""
    try:
        module = compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
    except (OSError, SyntaxError, ValueError):
        return None
    # Of two definitions in a file, the last one counts.
    return next((code for code in reversed(_inner(module)) if code.co_name == function), None)


def _body(code: CodeType) -> tuple[object, ...]:
    """What a function does, without its file and lines, which a reload may leave behind."""
    constants = [
        _body(each) if isinstance(each, CodeType) else (type(each), each) for each in code.co_consts
    ]
    return (code.co_code, code.co_names, code.co_varnames, code.co_freevars, constants)


def _inner(code: CodeType) -> list[CodeType]:
    return [each for each in code.co_consts if isinstance(each, CodeType)]
