"""The order of imports, read from the source: downwards only, and heavy ones late."""

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "coursekit"

BELOW: dict[str, set[str]] = {
    "session": set(),
    "context": {"session"},
    "transcripts": {"session", "context"},
    "pi": set(),
    "check": set(),
    "course": {"session", "context", "transcripts", "check"},
    "diagnose": {"session", "context", "transcripts", "pi"},
    "view": {"session", "context", "transcripts", "pi"},
    "workbook": {"session", "context", "transcripts", "pi", "check", "course", "diagnose", "view"},
    "grading": {
        "session",
        "context",
        "transcripts",
        "pi",
        "check",
        "course",
        "diagnose",
        "view",
        "workbook",
    },
    "cli": {
        "session",
        "context",
        "transcripts",
        "pi",
        "check",
        "course",
        "diagnose",
        "view",
        "workbook",
        "grading",
    },
}
"""The rooms of the house, and which others each may import from."""

STANDARD_LIBRARY_ALONE = {"session", "context", "transcripts"}

HEAVY = {
    "IPython",
    "anywidget",
    "graphviz",
    "ipykernel",
    "ipywidgets",
    "jupyter_client",
    "jupyterlab",
    "nbclient",
    "nbformat",
    "nbval",
    "pandas",
    "pytest",
    "rich",
    "traitlets",
    "wcwidth",
}
"""Imported inside the functions that use them, so that nobody waits for them unasked."""

WRAPPERS = {
    "grading/comparison/provisioner.py": {"jupyter_client"},
    "grading/sandbox/inside/kernel.py": {"jupyter_client"},
    "grading/sandbox/inside/overrides.py": {"ipykernel", "traitlets"},
    "view/budget_explorer.py": {"ipywidgets"},
    "view/canvas.py": {"anywidget", "traitlets"},
    "view/dot.py": {"graphviz"},
    "view/frame.py": {"pandas"},
    "view/leaf_explorer.py": {"ipywidgets"},
}
"""Modules that subclass a class of a heavy library; they are heavy themselves."""

MODULES = sorted(
    path for path in PACKAGE.rglob("*.py") if "template" not in path.relative_to(PACKAGE).parts
)


def room_of(path: Path) -> str:
    """The room of a module: its file or folder directly in the package."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path, *, top_level: bool) -> Iterator[str]:
    """Dotted names that a module imports: everywhere, or when it is itself imported.

    What stands under `if TYPE_CHECKING` runs nowhere and is passed over at the top.
    """
    todo: list[ast.AST] = [ast.parse(path.read_bytes())]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = ("coursekit", *path.relative_to(PACKAGE).parts[:-1])
            start = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*start, *([node.module] if node.module else [])])
            yield from (f"{module}.{alias.name}" for alias in node.names)
        if top_level:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                continue
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                todo += node.orelse
                continue
        todo += ast.iter_child_nodes(node)


def named(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


@pytest.mark.parametrize("path", MODULES, ids=named)
def test_imports_run_downwards_only(path: Path) -> None:
    room = room_of(path)
    if room == "__init__":
        assert list(imports(path, top_level=False)) == []
        return
    assert room in BELOW, f"{named(path)} is in no room that the design draws"
    for name in imports(path, top_level=False):
        parts = name.split(".")
        if parts[0] == "coursekit" and parts[1:2] != ["__version__"]:
            assert parts[1] in BELOW[room] | {room}, f"{named(path)} imports {name}"


@pytest.mark.parametrize("path", MODULES, ids=named)
def test_heavy_libraries_are_imported_where_they_are_used(path: Path) -> None:
    names = list(imports(path, top_level=True))
    heavy = {name.split(".")[0] for name in names} & HEAVY
    assert heavy == WRAPPERS.get(named(path), set())
    if named(path) not in WRAPPERS:
        behind = tuple(f"coursekit.{each[:-3].replace('/', '.')}" for each in WRAPPERS)
        assert not [name for name in names if name.startswith(behind)]


@pytest.mark.parametrize("room", sorted(STANDARD_LIBRARY_ALONE))
def test_what_a_learner_reads_needs_the_standard_library_alone(room: str) -> None:
    outside = {
        name.split(".")[0]
        for name in imports(PACKAGE / f"{room}.py", top_level=False)
        if name.split(".")[0] not in sys.stdlib_module_names
    }
    assert outside <= {"coursekit"}
    assert "subprocess" not in set(imports(PACKAGE / f"{room}.py", top_level=False))


@pytest.mark.parametrize("name", ["check", "course", "view", "workbook", "pi", "diagnose"])
def test_a_room_is_entered_without_what_only_some_of_it_needs(name: str) -> None:
    code = f"import sys, coursekit.{name}; print(*sorted({{n.split('.')[0] for n in sys.modules}}))"
    ended = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True
    )
    assert not set(ended.stdout.split()) & HEAVY


def test_the_labs_bring_nothing_of_pi_along() -> None:
    """The notebooks of a learner's first hours import seven rooms, explorers and tables too."""
    from coursekit.course import COURSE

    names = [COURSE.first_notebook, *(lab.notebook for lab in COURSE.exercises)]
    lines: set[str] = set()
    for name in names:
        for cell in json.loads((COURSE.notebooks / name).read_bytes())["cells"]:
            if cell["cell_type"] == "code":
                source = "".join(cell["source"])
                found = re.findall(r"^from coursekit\.\w+ import (?:\([^)]*\)|.*)", source, re.M)
                lines |= {" ".join(line.split()) for line in found}
    assert len(lines) > len(names)
    code = "\n".join(
        [
            *sorted(lines),
            "import sys",
            "print(*sorted(n for n in sys.modules if 'coursekit.' in n))",
        ]
    )
    ended = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True
    )
    rooms = {name.split(".")[1] for name in ended.stdout.split()}
    assert rooms == {"session", "context", "transcripts", "view", "check", "course", "workbook"}


OPENING = "[json.loads(line) for line in open('data/opening.jsonl', encoding='utf-8')]"


@pytest.mark.parametrize(
    "code",
    [
        "import coursekit.cli; coursekit.cli._parser()",
        "import coursekit.check.protocol, coursekit.check.observing",
        "import coursekit.check.report",
        "import coursekit.course",
        "import coursekit.workbook",
        f"import json, coursekit.view; coursekit.view.draw({OPENING}).text",
    ],
    ids=[
        "the shell",
        "what runs beside answers",
        "a check",
        "the course",
        "the workbook",
        "a tree as text",
    ],
)
def test_what_a_learner_waits_on_loads_the_standard_library_alone(code: str) -> None:
    """As it is, not as the source says: a plain import can pull much behind it."""
    code += "; import sys; print(*sorted({name.split('.')[0] for name in sys.modules}))"
    ended = subprocess.run(
        [sys.executable, "-I", "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=PACKAGE.parent,
    )
    loaded = set(ended.stdout.split())
    assert "subprocess" not in loaded
    # One small module, with which a package finds its names when they are asked for.
    ours = {"coursekit", "lazy_loader", "sitecustomize", "usercustomize"}
    outside = loaded - sys.stdlib_module_names - ours
    assert not [name for name in outside if not name.startswith("_")]
