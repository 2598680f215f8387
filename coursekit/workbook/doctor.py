"""Looking whether this computer has what the course needs, and how to mend what it lacks."""

import importlib.util
import os
import platform
import sys
import textwrap
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal

from coursekit import __version__
from coursekit.check.course import Course
from coursekit.check.coursekit_error import CoursekitError
from coursekit.course import COURSE
from coursekit.workbook import practice
from coursekit.workbook.chosen_course import course_of
from coursekit.workbook.course_files import lab_tests
from coursekit.workbook.shown_text import WIDTH
from coursekit.workbook.standing import status_json, upkeep

State = Literal["good", "lacking", "optional"]

KERNEL_SECONDS = 60.0
"""How long a kernel may take to start before it counts as broken."""

_MARKS: dict[State, str] = {"good": "ok", "lacking": "MISSING", "optional": "without"}
_CELL = "import coursekit, sys; print(sys.executable, coursekit.__file__, sep='\\n')"


@dataclass(frozen=True)
class Requirement:
    """One thing looked at: `fix` says what to do, and is empty if there is nothing to.

    `state` is "good"; "lacking" for what a learner needs; "optional" for what only
    some can use.
    """

    name: str
    state: State
    text: str
    fix: str = ""

    def to_json(self) -> dict[str, str]:
        """The requirement as a JSON object; its text is under the key `told`."""
        return {"name": self.name, "state": self.state, "told": self.text, "fix": self.fix}


@dataclass(frozen=True)
class SlowLook:
    """A look that takes some seconds, and what to tell whoever waits for it."""

    announcement: str
    look: Callable[[], Requirement]


def examine(
    named: Path | None = None,
    also: Iterable[SlowLook] = (),
    announce: Callable[[str], object] = lambda text: None,
) -> Iterator[Requirement]:
    """Look at one thing after the other, at last at what `also` looks at.

    `named` is a practice folder other than the usual. Files are written only to try,
    and taken away again. `announce` is called before each look that takes some seconds.
    """
    for look in (_python, _course, _jupyterlab, _widgets, _libraries, _dot):
        yield look()
    yield _looked(SlowLook("Starting a kernel …", _kernel), announce)
    folder, requirement = _practice_folder(named)
    yield _write_access(folder or named or Path.cwd())
    yield requirement
    for each in also:
        yield _looked(each, announce)


def _looked(slow: SlowLook, announce: Callable[[str], object]) -> Requirement:
    announce(slow.announcement)
    return slow.look()


def print_requirements(
    named: Path | None = None, also: Iterable[SlowLook] = ()
) -> list[Requirement]:
    """Examine, and print each requirement as soon as it is there; the same requirements."""
    on_terminal = sys.stderr.isatty()

    def announce(text: str) -> None:
        if on_terminal:  # a line that the next one takes the place of
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)

    requirements = []
    for requirement in examine(named, also, announce):
        requirements.append(requirement)
        announce("")
        print(requirement_text(requirement), flush=True)
    fit = is_fit(requirements)
    print(f"\n{'All that a learner needs is here.' if fit else 'What is MISSING is needed.'}")
    return requirements


def is_fit(requirements: Sequence[Requirement]) -> bool:
    """Whether nothing that a learner needs is lacking."""
    return all(requirement.state != "lacking" for requirement in requirements)


def requirement_text(requirement: Requirement) -> str:
    """A requirement for a reader, in lines of at most 80 characters but for paths."""
    head = f"{_MARKS[requirement.state]:<9}{requirement.name:<14}"
    lines = [_filled(requirement.text, head)]
    if requirement.fix:
        lines.append(_filled(requirement.fix, f"{'':<9}{'':<14}"))
    return "\n".join(lines)


def _filled(text: str, head: str) -> str:
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=head,
        subsequent_indent=" " * len(head),
        break_long_words=False,
        break_on_hyphens=False,
    )


def _python() -> Requirement:
    text = f"{platform.python_version()} at {sys.executable}"
    return Requirement("Python", "good", text)


def _course() -> Requirement:
    try:
        for folder in (COURSE.notebooks, COURSE.starters, COURSE.data, lab_tests()):
            assert folder.is_dir()
    except CoursekitError as problem:
        return Requirement("coursekit", "lacking", str(problem))
    package = Path(__file__).parents[1]
    return Requirement("coursekit", "good", f"{__version__} at {package}")


def _jupyterlab() -> Requirement:
    return _packages("JupyterLab", ("jupyterlab",))


def _widgets() -> Requirement:
    requirement = _packages("widgets", ("ipywidgets", "anywidget", "jupyterlab_widgets"))
    if requirement.state != "good":
        return requirement
    # The half of each that runs in the browser lies beside Python, not in it.
    shared = Path(sys.prefix, "share", "jupyter", "labextensions")
    absent = [
        name
        for name in ("@jupyter-widgets/jupyterlab-manager", "anywidget")
        if not (shared / name).is_dir()
    ]
    if absent:
        fix = "pip install --force-reinstall jupyterlab_widgets anywidget"
        return Requirement("widgets", "lacking", f"not in {shared}: {', '.join(absent)}", fix)
    return requirement


def _libraries() -> Requirement:
    return _packages("libraries", ("pandas", "nbval", "pytest", "rich", "msgspec"))


def _packages(name: str, packages: tuple[str, ...]) -> Requirement:
    """Whether packages can be imported, and their releases."""
    found, absent = [], []
    for package in packages:
        try:
            if importlib.util.find_spec(package) is None:
                raise PackageNotFoundError
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            absent.append(package)
    if absent:
        fix = f"pip install {' '.join(absent)}"
        return Requirement(name, "lacking", f"not installed: {', '.join(absent)}", fix)
    return Requirement(name, "good", ", ".join(found))


def _kernel() -> Requirement:
    """Start the kernel that the notebooks name, and run a cell in it."""
    fix = "pip install --force-reinstall ipykernel jupyter_client"
    if importlib.util.find_spec("jupyter_client") is None:
        return Requirement("kernel", "lacking", "jupyter_client is not installed", fix)
    began = time.monotonic()
    try:
        python, package = _ask_kernel().splitlines()
    except Exception as problem:  # whatever is wrong with it, it is no kernel to work with
        why = str(problem) or type(problem).__name__
        text = f"python3 did not answer: {why}"
        return Requirement("kernel", "lacking", text, fix)
    text = f"python3 answered in {time.monotonic() - began:.1f} s"
    if Path(package).parent != Path(__file__).parents[1]:
        fix = f"Install the kernel again: {sys.executable} -m ipykernel install --sys-prefix"
        text = f"python3 runs {python}, which has another coursekit: {package}"
        return Requirement("kernel", "lacking", text, fix)
    return Requirement("kernel", "good", text)


def _ask_kernel() -> str:
    """What the cell prints in a kernel of its own; a failure has what the kernel wrote."""
    import tempfile

    from jupyter_client.manager import start_new_kernel

    with tempfile.TemporaryFile() as output:
        try:
            manager, client = start_new_kernel(
                startup_timeout=KERNEL_SECONDS, kernel_name="python3", stdout=output, stderr=output
            )
        except RuntimeError as problem:
            output.seek(0)
            last = output.read().decode(errors="replace").strip().rpartition("\n")[2]
            raise CoursekitError(last or str(problem)) from None
        printed: list[str] = []

        def hear(message: dict[str, Any]) -> None:
            if message["msg_type"] == "stream":
                printed.append(message["content"]["text"])

        try:
            reply = client.execute_interactive(
                _CELL, timeout=KERNEL_SECONDS, output_hook=hear, allow_stdin=False
            )
        finally:
            client.stop_channels()
            manager.shutdown_kernel(now=True)
    if reply["content"]["status"] != "ok":
        raise CoursekitError(f"{reply['content']['ename']}: {reply['content']['evalue']}")
    return "".join(printed)


def _dot() -> Requirement:
    try:
        from coursekit.view.render import NO_DOT, RenderError, dot_program, lacks_wide_fonts, render
    except ImportError as problem:
        fix = "Install coursekit with all that it needs: pip install --force-reinstall coursekit"
        return Requirement("dot", "lacking", f"nothing can be drawn: {problem}", fix)
    fix = "Install Graphviz (https://graphviz.org/download/), or: pip install graphviz-pure"
    program = dot_program()
    if program is None:
        return Requirement("dot", "lacking", NO_DOT.partition(" Install")[0], fix)
    try:
        render("digraph { a -> b }")
    except (RenderError, OSError) as problem:
        return Requirement("dot", "lacking", f"{program}: {problem}", fix)
    if lacks_wide_fonts():
        text = f"graphviz-pure at {program}; its PNGs have no Chinese characters, its SVGs do"
        return Requirement("dot", "good", text)
    return Requirement("dot", "good", f"Graphviz at {program}")


def _write_access(folder: Path) -> Requirement:
    """Try to write where work is saved, and where Jupyter keeps what it runs on."""
    places = {folder: "Choose a folder of your own: coursekit practice ~/practice"}
    if importlib.util.find_spec("jupyter_core") is not None:
        from jupyter_core.paths import jupyter_runtime_dir

        runtime = Path(jupyter_runtime_dir())
        places[runtime] = f"Let yourself write to {runtime}, or name another: JUPYTER_RUNTIME_DIR"
    for place, fix in places.items():
        trial = _there(place) / f".coursekit-{os.urandom(4).hex()}"
        try:
            trial.write_bytes(b"")
            trial.unlink()
        except OSError as problem:
            text = f"can't write in {trial.parent}: {problem.strerror}"
            return Requirement("write access", "lacking", text, fix)
    return Requirement("write access", "good", " and ".join(map(str, places)))


def _there(folder: Path) -> Path:
    """The folder, or the nearest above it that is there: the rest can be made in it."""
    return next(each for each in (folder, *folder.parents) if each.is_dir())


def _practice_folder(named: Path | None) -> tuple[Path | None, Requirement]:
    """The practice folder, and what there is to say of it."""
    name = "practice"
    try:
        folder = practice.find(named)
    except CoursekitError as problem:
        state: State = "optional" if named is None else "lacking"
        return None, Requirement(name, state, str(problem))
    course = course_of(folder)
    for module in course.modules:
        requirement = _module(course, name, folder / module)
        if requirement is not None:
            return folder, requirement
    try:
        status = status_json(folder)
    except CoursekitError as problem:
        return folder, Requirement(name, "lacking", str(problem))
    fix = " ".join(upkeep(status["release"], len(status["behind"])))
    passed = f"{status['passed']}/{status['total']} checks passed when they last ran"
    return folder, Requirement(name, "good", f"{folder}; {passed}", fix)


def _module(course: Course, name: str, path: Path) -> Requirement | None:
    """What is wrong with a module of the answers, if anything."""
    another = "practice-2" if course.is_built_in else f"practice-2 --course {course.folder}"
    again = f"To have the starter's again: coursekit practice {another}, and copy {path.name}."
    if not path.is_file():
        return Requirement(name, "lacking", f"{path} is not there", again)
    try:
        compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as problem:
        place = f", line {problem.lineno}" if isinstance(problem, SyntaxError) else ""
        return Requirement(name, "lacking", f"{path}{place}: {problem.args[0]}", "Mend that line.")
    return None
