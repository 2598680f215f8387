"""The picture and the page of the architecture say what the code does."""

import html
import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

from tests.test_arrows import BELOW, PACKAGE, imports

ROOT = PACKAGE.parent
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
SVG = "{http://www.w3.org/2000/svg}"


def _tool() -> ModuleType:
    path = ROOT / "tools" / "architecture_picture.py"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


TOOL = _tool()
STATIONS = {each.file: each for stations in TOOL.PROCESSES.values() for each in stations}
ARROWS = sorted({arrow for arrows in TOOL.IMPORTS.values() for arrow in arrows})


def titles(kind: str) -> list[str]:
    """What the boxes, or the arrows, of the stored picture are called."""
    groups = ElementTree.parse(ROOT / "docs" / "architecture.svg").iter(f"{SVG}g")
    found = [each.findtext(f"{SVG}title") for each in groups if each.get("class") == kind]
    return sorted(str(each) for each in found)


def module_of(file: str) -> str:
    """The dotted name of a file of the package."""
    return f"coursekit.{file.removesuffix('.py').replace('/', '.')}".removesuffix(".__init__")


@pytest.mark.parametrize("file", sorted(STATIONS))
def test_a_station_is_a_file_that_the_page_names(file: str) -> None:
    assert (PACKAGE / file).is_file()
    assert f"`coursekit/{file}`" in PAGE


def test_files_that_the_page_names_are_there() -> None:
    named = re.findall(r"`((?:\w+/)+\w+\.(?:py|toml))`", PAGE)
    assert len(named) > len(STATIONS)
    for name in named:
        assert (ROOT / name).is_file(), name


@pytest.mark.parametrize(("tail", "head"), ARROWS)
def test_an_arrow_is_an_import_and_runs_downwards(tail: str, head: str) -> None:
    above, below = STATIONS[tail].room, STATIONS[head].room
    assert below in BELOW[above] | {above}
    wanted = {module_of(head), head.rpartition("/")[2].removesuffix(".py")}
    found = list(imports(PACKAGE / tail, top_level=False))
    # Behind the walls files lie beside each other: `import bench`.
    beside = {name for name in found if "." not in name}
    assert wanted & beside or any(f"{name}.".startswith(f"{module_of(head)}.") for name in found)


@pytest.mark.parametrize(("tail", "process", "head"), TOOL.STARTS)
def test_a_process_is_started_within_a_room(tail: str, process: str, head: str) -> None:
    assert STATIONS[tail].room == STATIONS[head].room
    assert head in [each.file for each in TOOL.PROCESSES[process]]


def test_the_stored_picture_is_the_one_that_the_tool_draws() -> None:
    boxes = [
        TOOL.node_name(process, each.file)
        for process, stations in TOOL.PROCESSES.items()
        for each in stations
    ]
    assert titles("node") == sorted(boxes)
    arrows = [
        f"{TOOL.node_name(process, tail)}->{TOOL.node_name(process, head)}"
        for process, pairs in TOOL.IMPORTS.items()
        for tail, head in pairs
    ]
    arrows += [f"{tail}->{TOOL.node_name(process, head)}" for tail, process, head in TOOL.STARTS]
    assert titles("edge") == sorted(arrows)
    shown = html.unescape((ROOT / "docs" / "architecture.svg").read_text(encoding="utf-8"))
    for station in STATIONS.values():
        assert station.does in shown


def test_the_page_draws_the_rooms_as_the_imports_are() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([^|]*) \| [^|]* \|$", PAGE, re.MULTILINE)
    assert {room: set(re.findall(r"`(\w+)`", below)) for room, below in rows} == BELOW


def test_the_picture_is_the_same_each_time() -> None:
    assert TOOL.picture().source == TOOL.picture().source
    assert Path(TOOL.PICTURE) == ROOT / "docs" / "architecture.svg"
