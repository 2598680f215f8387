"""Looking whether this computer has what the course needs, and how to mend what it lacks."""

import importlib.util
import os
import platform
import sys
import textwrap
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal

from coursekit import __version__
from coursekit.workbook import content, overview, practice
from coursekit.workbook.card import WIDTH
from coursekit.workbook.errors import WorkbookError
from coursekit.workbook.stubs import MODULES

State = Literal["good", "lacking", "optional"]

KERNEL_SECONDS = 60.0
"""How long a kernel may take to start before it counts as broken."""

_MARKS: dict[State, str] = {"good": "ok", "lacking": "MISSING", "optional": "without"}
_CELL = "import coursekit, sys; print(sys.executable, coursekit.__file__, sep='\\n')"


@dataclass(frozen=True)
class Finding:
    """One thing looked at: `fix` says what to do, and is empty if there is nothing to.

    `state` is "good"; "lacking" for what a learner needs; "optional" for what only
    some can use.
    """

    name: str
    state: State
    told: str
    fix: str = ""

    def to_json(self) -> dict[str, Any]:
        """The finding as a JSON object with these four keys."""
        return asdict(self)


@dataclass(frozen=True)
class SlowLook:
    """A look that takes some seconds, and what to tell whoever waits for it."""

    waiting: str
    look: Callable[[], Finding]


def examine(
    given: Path | None = None,
    also: Iterable[SlowLook] = (),
    say: Callable[[str], object] = lambda told: None,
) -> Iterator[Finding]:
    """Look at one thing after the other, at last at what `also` looks at.

    `given` is a practice folder other than the usual. Files are written only as a trial,
    and taken away again. `say` is told before each look that takes some seconds.
    """
    for look in (_python, _course, _jupyterlab, _widgets, _libraries, _dot):
        yield look()
    yield _looked(SlowLook("Starting a kernel …", _kernel), say)
    folder, finding = _practice_folder(given)
    yield _write_access(folder or given or Path.cwd())
    yield finding
    for each in also:
        yield _looked(each, say)


def _looked(slow: SlowLook, say: Callable[[str], object]) -> Finding:
    say(slow.waiting)
    return slow.look()


def tell(given: Path | None = None, also: Iterable[SlowLook] = ()) -> list[Finding]:
    """Examine, and print each finding as soon as it is there; the same findings."""
    on_terminal = sys.stderr.isatty()

    def say(told: str) -> None:
        if on_terminal:  # a line that the next one takes the place of
            print(f"\r\x1b[K{told}", end="", file=sys.stderr, flush=True)

    findings = []
    for finding in examine(given, also, say):
        findings.append(finding)
        say("")
        print(finding_text(finding), flush=True)
    fit = is_fit(findings)
    print(f"\n{'All that a learner needs is here.' if fit else 'What is MISSING is needed.'}")
    return findings


def is_fit(findings: Sequence[Finding]) -> bool:
    """Whether nothing that a learner needs is lacking."""
    return all(finding.state != "lacking" for finding in findings)


def finding_text(finding: Finding) -> str:
    """A finding for a reader, in lines of at most 80 characters but for paths."""
    head = f"{_MARKS[finding.state]:<9}{finding.name:<14}"
    lines = [_filled(finding.told, head)]
    if finding.fix:
        lines.append(_filled(finding.fix, f"{'':<9}{'':<14}"))
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


def _python() -> Finding:
    told = f"{platform.python_version()} at {sys.executable}"
    return Finding("Python", "good", told)


def _course() -> Finding:
    try:
        for folder in (content.notebooks, content.starters, content.data, content.lab_tests):
            folder()
    except WorkbookError as problem:
        return Finding("coursekit", "lacking", str(problem))
    package = Path(__file__).parents[1]
    return Finding("coursekit", "good", f"{__version__} at {package}")


def _jupyterlab() -> Finding:
    return _packages("JupyterLab", ("jupyterlab",))


def _widgets() -> Finding:
    finding = _packages("widgets", ("ipywidgets", "anywidget", "jupyterlab_widgets"))
    if finding.state != "good":
        return finding
    # The half of each that runs in the browser lies beside Python, not in it.
    shared = Path(sys.prefix, "share", "jupyter", "labextensions")
    absent = [
        name
        for name in ("@jupyter-widgets/jupyterlab-manager", "anywidget")
        if not (shared / name).is_dir()
    ]
    if absent:
        fix = "pip install --force-reinstall jupyterlab_widgets anywidget"
        return Finding("widgets", "lacking", f"not in {shared}: {', '.join(absent)}", fix)
    return finding


def _libraries() -> Finding:
    return _packages("libraries", ("pandas", "nbval", "pytest", "rich", "msgspec"))


def _packages(name: str, packages: tuple[str, ...]) -> Finding:
    """Whether packages can be imported, and their releases."""
    told, absent = [], []
    for package in packages:
        try:
            if importlib.util.find_spec(package) is None:
                raise PackageNotFoundError
            told.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            absent.append(package)
    if absent:
        fix = f"pip install {' '.join(absent)}"
        return Finding(name, "lacking", f"not installed: {', '.join(absent)}", fix)
    return Finding(name, "good", ", ".join(told))


def _kernel() -> Finding:
    """Start the kernel that the notebooks name, and run a cell in it."""
    fix = "pip install --force-reinstall ipykernel jupyter_client"
    if importlib.util.find_spec("jupyter_client") is None:
        return Finding("kernel", "lacking", "jupyter_client is not installed", fix)
    began = time.monotonic()
    try:
        python, package = _ask_kernel().splitlines()
    except Exception as problem:  # whatever is wrong with it, it is no kernel to work with
        why = str(problem) or type(problem).__name__
        told = f"python3 did not answer: {why}"
        return Finding("kernel", "lacking", told, fix)
    told = f"python3 answered in {time.monotonic() - began:.1f} s"
    if Path(package).parent != Path(__file__).parents[1]:
        fix = f"Install the kernel again: {sys.executable} -m ipykernel install --sys-prefix"
        told = f"python3 runs {python}, which has another coursekit: {package}"
        return Finding("kernel", "lacking", told, fix)
    return Finding("kernel", "good", told)


def _ask_kernel() -> str:
    """What the cell prints in a kernel of its own; a failure tells what the kernel said."""
    import tempfile

    from jupyter_client.manager import start_new_kernel

    with tempfile.TemporaryFile() as said:
        try:
            manager, client = start_new_kernel(
                startup_timeout=KERNEL_SECONDS, kernel_name="python3", stdout=said, stderr=said
            )
        except RuntimeError as problem:
            said.seek(0)
            last = said.read().decode(errors="replace").strip().rpartition("\n")[2]
            raise WorkbookError(last or str(problem)) from None
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
        raise WorkbookError(f"{reply['content']['ename']}: {reply['content']['evalue']}")
    return "".join(printed)


def _dot() -> Finding:
    try:
        from coursekit.view.render import NO_DOT, RenderError, dot_program, lacks_wide_fonts, render
    except ImportError as problem:
        fix = "Install coursekit with all that it needs: pip install --force-reinstall coursekit"
        return Finding("dot", "lacking", f"nothing can be drawn: {problem}", fix)
    fix = "Install Graphviz (https://graphviz.org/download/), or: pip install graphviz-pure"
    program = dot_program()
    if program is None:
        return Finding("dot", "lacking", NO_DOT.partition(" Install")[0], fix)
    try:
        render("digraph { a -> b }")
    except (RenderError, OSError) as problem:
        return Finding("dot", "lacking", f"{program}: {problem}", fix)
    if lacks_wide_fonts():
        told = f"graphviz-pure at {program}; its PNGs have no Chinese characters, its SVGs do"
        return Finding("dot", "good", told)
    return Finding("dot", "good", f"Graphviz at {program}")


def _write_access(folder: Path) -> Finding:
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
            told = f"can't write in {trial.parent}: {problem.strerror}"
            return Finding("write access", "lacking", told, fix)
    return Finding("write access", "good", " and ".join(map(str, places)))


def _there(folder: Path) -> Path:
    """The folder, or the nearest above it that is there: the rest can be made in it."""
    return next(each for each in (folder, *folder.parents) if each.is_dir())


def _practice_folder(given: Path | None) -> tuple[Path | None, Finding]:
    """The practice folder, and what is to say of it."""
    name = "practice"
    try:
        folder = practice.find(given)
    except WorkbookError as problem:
        state: State = "optional" if given is None else "lacking"
        return None, Finding(name, state, str(problem))
    for module in MODULES:
        finding = _module(name, folder / module)
        if finding is not None:
            return folder, finding
    try:
        told = overview.status_json(folder)
    except WorkbookError as problem:
        return folder, Finding(name, "lacking", str(problem))
    fix = " ".join(overview.upkeep(told["release"], len(told["behind"])))
    passed = f"{told['passed']}/{told['total']} checks passed when they last ran"
    return folder, Finding(name, "good", f"{folder}; {passed}", fix)


def _module(name: str, path: Path) -> Finding | None:
    """What is wrong with a module of the answers, if anything."""
    again = f"To have the starter's again: coursekit practice practice-2, and copy {path.name}."
    if not path.is_file():
        return Finding(name, "lacking", f"{path} is not there", again)
    try:
        compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as problem:
        place = f", line {problem.lineno}" if isinstance(problem, SyntaxError) else ""
        return Finding(name, "lacking", f"{path}{place}: {problem.args[0]}", "Mend that line.")
    return None
