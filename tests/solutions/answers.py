"""Answer files as text, and the 14 checks run over them in this process.

A real check runs in a fresh process. Here hundreds of answers go through all checks
at many variants, so their two modules are made and observed right here.
"""

import json
import linecache
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

from coursekit.workbook import cases, checks, manifest
from coursekit.workbook import solved as right
from coursekit.workbook.observer import observe
from coursekit.workbook.stubs import MODULES

CHECKS = [check.name for lab in manifest.labs() for check in lab.checks]
"""The names of the 14 checks, in the course's order."""


@dataclass(frozen=True)
class Answers:
    """The text of a learner's session.py and context.py."""

    session: str
    context: str

    def text(self, module: str) -> str:
        """The text of one of the two files, by its name."""
        return self.session if module == "session.py" else self.context


def solved(module: str) -> str:
    """A starter with the reference's functions put in."""
    return right.solved(module).decode()


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
    told = {}
    with loaded(answers) as load:
        for name in names:
            case = _case(name, variant)
            held: dict[str, Any] = {}
            asks = json.loads(json.dumps([step.ask for step in case.steps]))
            observed = [observe(ask, held, load) for ask in asks]
            told[name] = checks.first_wrong(case, _expected(name, variant), observed)
    return told


@cache
def _case(name: str, variant: int) -> cases.Case:
    return cases.build(name, variant)


@cache
def _expected(name: str, variant: int) -> list[dict[str, Any]]:
    return checks.expect(_case(name, variant))


@cache
def _compiled(text: str, file: str) -> Any:
    return compile(text, file, "exec", dont_inherit=True)


class _Finder:
    """Finds the two modules of the answers under test, and no other."""

    def __init__(self, load: Callable[[str], ModuleType]) -> None:
        self.load = load

    def find_spec(self, name: str, path: object = None, target: object = None) -> Any:
        if f"{name}.py" not in MODULES:
            return None
        from importlib.machinery import ModuleSpec

        return ModuleSpec(name, self)

    def create_module(self, spec: Any) -> ModuleType:
        return self.load(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        pass
