"""The course's prose: what notebooks and documents say in words, and in which spans of code."""

import json
import re
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).parents[2]
COURSE_FOLDER = ROOT / "coursekit" / "course"
TEMPLATE = COURSE_FOLDER / "template"

_FENCE = re.compile(r"^```[^\n]*\n(.*?)^```", re.M | re.S)
_CODE = re.compile(r"(`+)(.+?)\1", re.S)


@dataclass(frozen=True)
class Document:
    """A markdown file, a notebook, or a file of texts: its prose and the code beside it."""

    path: Path
    prose: str
    code: str

    @property
    def name(self) -> str:
        return self.path.relative_to(ROOT).as_posix()

    @cached_property
    def _words(self) -> str:
        return _FENCE.sub("", self.prose)

    @property
    def spans(self) -> list[str]:
        """What stands in backticks within a line of prose, white space made even."""
        return [" ".join(found[1].split()) for found in _CODE.findall(self._words)]

    @property
    def fenced_lines(self) -> list[str]:
        """The lines of its fenced blocks."""
        return [line for block in _FENCE.findall(self.prose) for line in block.splitlines()]

    @property
    def links(self) -> list[str]:
        """Targets of its links and pictures; of those with an address, the address."""
        bare = _CODE.sub("", self._words)
        return re.findall(r"\]\(<?([^)>\s]+)>?[^)]*\)", bare)

    @property
    def headings(self) -> list[str]:
        """The text of its headings, as it is written."""
        return [found.strip() for found in re.findall(r"^#+ (.*)$", self._words, re.M)]

    @property
    def anchors(self) -> set[str]:
        """What a link may name after `#`: JupyterLab keeps a heading's case, others don't."""
        if self.path.suffix == ".ipynb":
            return {heading.replace(" ", "-") for heading in self.headings}
        bare = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in self.headings)
        return {heading.replace(" ", "-") for heading in bare}


def documents() -> list[Document]:
    """Every notebook, document and file of texts that a reader gets."""
    paths = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *TEMPLATE.glob("*.md")]
    markdown = (_markdown(path) for path in sorted(paths))
    return [
        *notebooks(),
        *markdown,
        *(_tables(path) for path in sorted(COURSE_FOLDER.glob("*.toml"))),
    ]


def notebooks() -> list[Document]:
    """Every stored notebook."""
    return [_notebook(path) for path in sorted((ROOT / "notebooks").glob("*.ipynb"))]


def _markdown(path: Path) -> Document:
    return Document(path, path.read_text(encoding="utf-8"), "")


def _tables(path: Path) -> Document:
    """What the manifest, or the predictions, say: every text of the file."""
    texts: list[str] = []
    todo: list[object] = [tomllib.loads(path.read_text(encoding="utf-8"))]
    while todo:
        match todo.pop():
            case dict() as table:
                todo += table.values()
            case list() as items:
                todo += items
            case str() as text:
                texts.append(text)
    return Document(path, "\n\n".join(texts), "")


def _notebook(path: Path) -> Document:
    parts: dict[str, list[str]] = {"markdown": [], "code": []}
    for cell in json.loads(path.read_bytes())["cells"]:
        parts[cell["cell_type"]].append("".join(cell["source"]))
    return Document(path, "\n\n".join(parts["markdown"]), "\n".join(parts["code"]))
