"""The stored notebooks, read as plain JSON."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from coursekit.course import COURSE

Cell: TypeAlias = dict[str, Any]
Failures: TypeAlias = Callable[..., set[tuple[str, int]]]


class Stored:
    """A notebook as it stands in the repository."""

    def __init__(self, path: Path) -> None:
        self.name = path.name
        self.text = path.read_text(encoding="utf-8")
        self.json: dict[str, Any] = json.loads(self.text)
        self.cells: list[Cell] = self.json["cells"]

    @property
    def code(self) -> list[Cell]:
        return [cell for cell in self.cells if cell["cell_type"] == "code"]

    @property
    def headings(self) -> list[str]:
        """The text of each markdown cell's heading, in order."""
        firsts = [source(cell).splitlines()[0] for cell in self.cells if is_prose(cell)]
        return [line.lstrip("#").strip() for line in firsts if line.startswith("#")]

    def section(self, heading: str) -> list[Cell]:
        """The cells from the one with this heading to the next heading."""
        found: list[Cell] = []
        for cell in self.cells:
            first = source(cell).splitlines()[0]
            if is_prose(cell) and first.startswith("#"):
                if found:
                    break
                if first.lstrip("#").strip() != heading:
                    continue
            elif not found:
                continue
            found.append(cell)
        return found


def stored() -> list[Stored]:
    return [Stored(path) for path in sorted(COURSE.notebooks.glob("*.ipynb"))]


def is_prose(cell: Cell) -> bool:
    return bool(cell["cell_type"] == "markdown")


def source(cell: Cell) -> str:
    return "".join(cell["source"])


def tags(cell: Cell) -> list[str]:
    found: list[str] = cell["metadata"].get("tags", [])
    return found


def is_check(cell: Cell) -> bool:
    return any(tag.startswith("check:") for tag in tags(cell))


def is_folded(cell: Cell) -> bool:
    return bool(cell["metadata"].get("jupyter", {}).get("outputs_hidden"))
