"""The rooms of pi: which may import which, and that no module imports itself by a detour."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import coursekit.pi

_HOUSE = Path(coursekit.pi.__file__).parent

_BELOW = {
    "": {"", "files"},
    "files": {"", "files"},
    "manager": {"", "files", "manager"},
    "compaction": {"", "files", "compaction"},
    "agent": {"", "files", "manager", "compaction", "agent"},
}
"""By room, "" being the modules that stand in none."""


def _imports() -> dict[str, set[str]]:
    """Each module of pi by its dotted name, and the modules of pi that it imports."""
    names = {
        ".".join(path.relative_to(_HOUSE).with_suffix("").parts): path
        for path in _HOUSE.rglob("*.py")
        if path.name != "__init__.py"
    }
    found: dict[str, set[str]] = {}
    for name, path in names.items():
        found[name] = set()
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{name} has a relative import"
                module = (node.module or "").removeprefix("coursekit.pi.")
                modules = [module, *(f"{module}.{alias.name}" for alias in node.names)]
                found[name] |= {each for each in modules if each in names}
    return found


def test_a_room_imports_only_from_the_rooms_below_it() -> None:
    for name, modules in _imports().items():
        rooms = {module.rpartition(".")[0] for module in modules}
        assert rooms <= _BELOW[name.rpartition(".")[0]], name


def test_no_imports_run_in_a_circle() -> None:
    assert set(TopologicalSorter(_imports()).static_order()) == set(_imports())
