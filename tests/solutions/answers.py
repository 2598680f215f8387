"""Answer files as text, and the 14 checks run over them in this process.

A real check runs in a fresh process. Here hundreds of answers go through all checks
at many variants, so their two modules are made and observed right here.
"""

import json
import linecache
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

from coursekit.check.case import Case
from coursekit.check.course import Lab
from coursekit.check.explanation import explain
from coursekit.check.observing import load_observations
from coursekit.check.outcome import Outcome, judge
from coursekit.check.protocol import Observation, observation_from_json, observation_to_json
from coursekit.check.report import checks_of, expect, observe_case, reference_of
from coursekit.check.source_text import splice_function
from coursekit.course import COURSE
from coursekit.workbook.right_answers import right_answer

CHECKS = [check.name for check in checks_of(COURSE)]
"""The names of the 14 checks, in the course's order."""

RIGHT = Path(__file__).parent / "right"
STYLES = sorted(folder.name for folder in RIGHT.iterdir() if folder.is_dir())
"""Right answers in quite different styles, a folder for each."""


@dataclass(frozen=True)
class Answers:
    """The text of a learner's session.py and context.py."""

    session: str
    context: str

    def text(self, module: str) -> str:
        """The text of one of the two files, by its name."""
        return self.session if module == "session.py" else self.context

    def changed(self, module: str, change: Callable[[str], str]) -> "Answers":
        """The same answers, the text of one of the files changed."""
        return replace(self, **{module.removesuffix(".py"): change(self.text(module))})


def right_file(module: str) -> str:
    """A starter with the reference's functions put in."""
    return right_answer(COURSE, module).decode()


def right() -> Answers:
    """The reference's answers."""
    return Answers(right_file("session.py"), right_file("context.py"))


def with_function(lab: Lab, function: bytes) -> Answers:
    """The reference's answers, one lab's function replaced."""

    def spliced(text: str) -> str:
        return splice_function(text.encode(), lab.function, function, lab.module).decode()

    return right().changed(lab.module, spliced)


def in_style(style: str) -> Answers:
    """The reference's answers, a style's functions below them: the last ones count."""
    answers = right()
    for path in (RIGHT / style).glob("*.py"):
        own = path.read_text(encoding="utf-8")
        answers = answers.changed(path.name, partial(_appended, own))
    return answers


def _appended(own: str, text: str) -> str:
    return f"{text}\n\n{own}"


@contextmanager
def loaded(answers: Answers) -> Iterator[Callable[[str], Any]]:
    """A way to load `session` and `context` as these answers define them."""
    before = {name: sys.modules.pop(name, None) for name in ("session", "context")}

    def load(name: str) -> ModuleType:
        if name not in sys.modules:
            file, text = f"{name}.py", answers.text(f"{name}.py")
            linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
            module = sys.modules[name] = ModuleType(name)
            module.__file__ = file
            try:
                exec(_compiled(text, file), module.__dict__)
            except BaseException:
                del sys.modules[name]
                raise
        return sys.modules[name]

    # An answer that imports `session` finds it as it would in a practice folder.
    finder = _Finder(load)
    sys.meta_path.insert(0, finder)
    try:
        yield load
    finally:
        sys.meta_path.remove(finder)
        for name, module in before.items():
            sys.modules.pop(name, None)
            if module is not None:
                sys.modules[name] = module


def messages(answers: Answers, names: Sequence[str] = CHECKS, variant: int = 0) -> dict[str, str]:
    """What each check has to say of the answers; nothing where it passes."""
    return {
        name: explain(COURSE, _case(name, variant), outcome)
        for name, outcome in outcomes(answers, names, variant).items()
    }


def outcomes(
    answers: Answers, names: Sequence[str] = CHECKS, variant: int = 0
) -> dict[str, Outcome]:
    """How each check ends for the answers."""
    found: dict[str, Outcome] = {}
    with loaded(answers) as load:
        for name in names:
            case = _case(name, variant)
            seen = observe_case(case, load, OBSERVATIONS)
            observed = [_crossed(each) for each in seen]
            found[name] = judge(case, _expected(name, variant), observed, ASK_REFERENCE)
    return found


OBSERVATIONS = load_observations(COURSE.observations)
ASK_REFERENCE = reference_of(COURSE, OBSERVATIONS)


def _crossed(observation: Observation) -> Observation:
    """The observation as it comes out of a process of its own."""
    return observation_from_json(json.loads(json.dumps(observation_to_json(observation))))


@cache
def _case(name: str, variant: int) -> Case:
    return COURSE.case(name, variant)


@cache
def _expected(name: str, variant: int) -> list[Observation]:
    return expect(COURSE, _case(name, variant), OBSERVATIONS)


@cache
def _compiled(text: str, file: str) -> Any:
    return compile(text, file, "exec", dont_inherit=True)


class _Finder(MetaPathFinder, Loader):
    """Finds the two modules of the answers under test, and no other."""

    def __init__(self, load: Callable[[str], ModuleType]) -> None:
        self.load = load

    def find_spec(
        self, fullname: str, path: object = None, target: object = None
    ) -> ModuleSpec | None:
        return ModuleSpec(fullname, self) if f"{fullname}.py" in COURSE.modules else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return self.load(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        pass
