"""What a notebook shows of the shell: checks, the next hint, where the learner stands."""

import importlib
import inspect
import sys
from pathlib import Path
from types import CodeType, FunctionType

from coursekit.check.course import Course
from coursekit.check.observing import load_observations
from coursekit.check.outcome import compared_json
from coursekit.check.protocol import JsonObject
from coursekit.check.report import observe_case
from coursekit.workbook import practice
from coursekit.workbook.attempt import attempt, report_text
from coursekit.workbook.chosen_course import course_of
from coursekit.workbook.hints import next_hint
from coursekit.workbook.shown_text import ShownText, wrapped
from coursekit.workbook.standing import status_text


def check(*labs: str) -> ShownText:
    """Check labs as `coursekit check` does: the saved files, in a fresh process.

    Says so where this kernel holds something else than the files: a cell that
    defines a lab's function anew, or a module that was changed and not reloaded.
    """
    folder = answers_folder()
    course = course_of(folder)
    report, problem = attempt(course, labs, folder)
    text = report_text(course, report, hint='hint("{}")')
    parts = [text, *_not_as_saved(course, folder), problem]
    return ShownText("\n".join(part for part in parts if part))


def observe(check: str, variant: int = 0) -> list[JsonObject]:
    """What one check (`"11.2/1"`) sees of the answers in this kernel, step by step."""
    course = course_of(answers_folder())
    case = course.case(check, variant)
    seen = observe_case(case, importlib.import_module, load_observations(course.observations))
    return [compared_json(*pair) for pair in zip(case.steps, seen, strict=True)]


def hint(lab_id: str) -> ShownText:
    """The next hint of a lab, as `coursekit hint` shows it; it is counted the same."""
    folder = answers_folder()
    return ShownText(wrapped(next_hint(folder, course_of(folder).find(lab_id))))


def status() -> ShownText:
    """Where you stand, as `coursekit status` shows it."""
    return ShownText(status_text(answers_folder()))


def answers_folder() -> Path:
    """The practice folder that this kernel imports from, else the one that it stands in."""
    on_path = (Path(entry or ".").absolute() for entry in sys.path)
    return next(filter(practice.is_practice, on_path), None) or practice.find()


def _not_as_saved(course: Course, folder: Path) -> list[str]:
    """A sentence for each lab's function that this kernel holds another version of."""
    notes = []
    for lab in course.exercises:
        saved = _saved_code(folder / lab.module, lab.function)
        for name, where in (("__main__", "a cell of this notebook"), (lab.module[:-3], "memory")):
            found = getattr(sys.modules.get(name), lab.function, None)
            held = inspect.unwrap(found) if callable(found) else found  # decorators are not ours
            if not isinstance(held, FunctionType) or saved is None:
                continue
            if name == "__main__" and held.__module__ != "__main__":
                continue  # imported into the notebook; its own module is looked at too
            if _body(held.__code__) != _body(saved):
                notes.append(
                    f"Note: {lab.function} in {where} differs from the saved {lab.module}; "
                    "the file was checked."
                )
    return notes


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
