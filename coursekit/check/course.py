"""A course: its labs as `labs.toml` describes them, and where its files are.

A course is a package with

    labs.toml         the one place that names its labs
    predictions.toml  the short answers that its notebooks ask for
    observations.py   what its checks look at: functions that run beside the answers
    lab_11_2.py       for each lab its cases: `check_1(variant)` and so on return steps

and, in the package or beside it, the folders `notebooks`, `starters` and `data`. The finished
answers are modules of the package that `labs.toml` calls `reference`.
"""

import importlib
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from coursekit.check.case import Case, Step
from coursekit.check.coursekit_error import CoursekitError


class Check(NamedTuple):
    """One check: its name (`11.2/1`) and what it asks, as a clause."""

    name: str
    title: str


class Lab(NamedTuple):
    """A function to write: where it stands, how it is checked, what helps.

    `module` is the file to write in; `builds_on` are the ids of the labs without which
    its checks can't pass. `steps` are short forms of those in the function's docstring;
    `hints` go from a question, to the rule, to a sketch in words. A transfer exercise
    is a `Lab` without checks.
    """

    id: str
    title: str
    goal: str
    module: str
    function: str
    builds_on: tuple[str, ...]
    notebook: str
    steps: tuple[str, ...]
    hints: tuple[str, ...]
    evidence: str
    checks: tuple[Check, ...]


class Checkpoint(NamedTuple):
    """What the whole course asks for, in words."""

    title: str
    goal: str
    before: str
    files: tuple[str, ...]
    start: str
    end: str
    first_step: str
    first_red: str
    commands: tuple[str, ...]
    evidence: str


class Course:
    """A course, by its package: `coursekit.course.COURSE`, or one that `load_course` loads."""

    def __init__(self, package: str, folder: Path) -> None:
        self.package = package
        self.folder = folder

    # --- labs ---------------------------------------------------------------------

    @cached_property
    def labs(self) -> tuple[Lab, ...]:
        """The labs, in order."""
        return tuple(_lab(table) for table in self._manifest["lab"])

    @cached_property
    def transfer(self) -> Lab | None:
        """The transfer exercise, outside the checks, if the course has one."""
        table = self._manifest.get("transfer")
        return None if table is None else _lab(table)

    @cached_property
    def exercises(self) -> tuple[Lab, ...]:
        """The labs, then the transfer exercise: every function that a starter leaves open."""
        return self.labs if self.transfer is None else (*self.labs, self.transfer)

    @cached_property
    def checkpoint(self) -> Checkpoint:
        """What the whole course asks for."""
        table = dict(self._manifest["checkpoint"])
        table["files"] = tuple(table["files"])
        table["commands"] = tuple(table["commands"])
        return Checkpoint(**_stripped(table))

    @property
    def modules(self) -> tuple[str, ...]:
        """The files of a learner's answers, each of which may import those before it."""
        return self.checkpoint.files

    def needs(self, module: str, other: str) -> bool:
        """Whether one file of the answers can't do without another, which stands before it."""
        return self.modules.index(other) <= self.modules.index(module)

    def find(self, lab_id: str) -> Lab:
        """The exercise of this id. Raises `CoursekitError` listing the ids that would do."""
        return self._find(lab_id, self.exercises)

    def choose(self, lab_ids: Iterable[str]) -> tuple[Lab, ...]:
        """The labs of these ids, each once, in the order asked; all when there are none.

        Raises `CoursekitError` as `find` does.
        """
        found = tuple(self._find(lab_id, self.labs) for lab_id in dict.fromkeys(lab_ids))
        return found or self.labs

    def lab_of(self, check: str) -> Lab:
        """The lab of a check, by the check's name (`11.2/1`)."""
        return self.find(check.partition("/")[0])

    def _find(self, lab_id: str, among: Sequence[Lab]) -> Lab:
        for lab in among:
            if lab.id == lab_id:
                return lab
        if self.transfer is not None and lab_id == self.transfer.id:
            raise CoursekitError(
                f"The {lab_id} has no checks; its notebook {self.transfer.notebook} compares."
            )
        known = ", ".join(lab.id for lab in among)
        raise CoursekitError(f"There is no lab {lab_id!r} here. Choose from {known}.")

    # --- what is taught -----------------------------------------------------------

    def case(self, check: str, variant: int) -> Case:
        """The case of one check (`"11.3/2"`) at a variant; equal arguments, equal case."""
        lab, number = check.split("/")
        module = importlib.import_module(f"{self.package}.lab_{lab.replace('.', '_')}")
        steps: list[Step] = getattr(module, f"check_{number}")(variant)
        return Case(check, variant, steps)

    @property
    def observations(self) -> Path:
        """The file of what the checks look at; it runs beside the answers."""
        return self.folder / "observations.py"

    @property
    def predictions(self) -> Path:
        """The file of the predictions."""
        return self.folder / "predictions.toml"

    @property
    def reference(self) -> str:
        """The package whose modules are the finished answers."""
        return str(self._manifest["course"]["reference"])

    def reference_module(self, name: str) -> ModuleType:
        """A module of finished answers, by its name without `.py`."""
        return importlib.import_module(f"{self.reference}.{name}")

    def reference_source(self, module: str) -> Path:
        """The file of a module (`context.py`) of finished answers."""
        package = importlib.import_module(self.reference)
        return Path(package.__path__[0]) / module

    def signature(self, function: str) -> str:
        """How a function of the answers (`module.function`) is called: name and parameters."""
        import inspect

        module, _, name = function.partition(".")
        parameters = inspect.signature(getattr(self.reference_module(module), name)).parameters
        return f"{name}({', '.join(parameters)})"

    # --- files --------------------------------------------------------------------

    @property
    def stubs_after(self) -> str:
        """The class of the first module behind which a starter defines `LabNotDone`."""
        after: str = self._manifest["course"]["stubs_after"]
        return after

    @property
    def notebooks(self) -> Path:
        """The folder of notebooks."""
        return self._content("notebooks")

    @property
    def starters(self) -> Path:
        """The folder with the modules that a learner starts from."""
        return self._content("starters")

    @property
    def data(self) -> Path:
        """The folder of files that the notebooks read."""
        return self._content("data")

    @property
    def first_notebook(self) -> str:
        """The notebook that a learner opens first."""
        return str(self._manifest["course"]["first_notebook"])

    @property
    def is_built_in(self) -> bool:
        """Whether this is the course that coursekit brings along."""
        return self.package.partition(".")[0] == __name__.partition(".")[0]

    def _content(self, name: str) -> Path:
        """A folder of the course: in its package or beside it.

        The built-in course has its folders in an installed wheel, or in the repository.
        """
        beside = self.folder.parent
        roots = [self.folder, beside]
        again = "See where the course came from."
        if self.is_built_in:
            roots = [beside / "_content", beside.parent]
            again = "Install coursekit again: pip install --force-reinstall coursekit"
        for root in roots:
            if (root / name).is_dir():
                return root / name
        raise CoursekitError(f"The course's folder {name} is missing beside {beside}. {again}")

    @cached_property
    def _manifest(self) -> Mapping[str, Any]:
        """`labs.toml`; its rows are narrowed where they become labs."""
        return tomllib.loads((self.folder / "labs.toml").read_text(encoding="utf-8"))


def load_course(folder: Path) -> Course:
    """The course whose package lies in `folder`, which need not be on the import path.

    Raises `CoursekitError` if there is no `labs.toml` in it, or if the folder's name can't be
    that of its package.
    """
    return _load_course(folder.absolute())


@cache
def _load_course(folder: Path) -> Course:
    from importlib.util import find_spec, module_from_spec, spec_from_file_location

    if not (folder / "labs.toml").is_file():
        raise CoursekitError(f"{folder} is no course: labs.toml is not there.")
    name, inside = folder.name, [str(folder)]
    other = find_spec(name) if name.isidentifier() else None
    if not name.isidentifier() or (other and other.submodule_search_locations != inside):
        raise CoursekitError(
            f"{folder} can't be a course's package, because {name} is no name, or is one that "
            "another package has. Give the folder another."
        )
    spec = spec_from_file_location(name, folder / "__init__.py", submodule_search_locations=inside)
    assert spec is not None
    assert spec.loader is not None
    package = module_from_spec(spec)
    sys.modules[name] = package
    spec.loader.exec_module(package)
    return Course(name, folder)


def _lab(table: Mapping[str, Any]) -> Lab:
    fields = dict(table)
    for key in ("steps", "hints"):
        fields[key] = tuple(fields[key])
    fields["builds_on"] = tuple(fields.get("builds_on", ()))
    fields["checks"] = tuple(Check(**each) for each in fields.get("checks", ()))
    return Lab(**_stripped(fields))


def _stripped(fields: dict[str, Any]) -> dict[str, Any]:
    return {key: each.strip() if isinstance(each, str) else each for key, each in fields.items()}
