"""The files that a practice folder holds beside the answers, and whether one was changed.

A notebook that was only run counts as unchanged: its cells' sources are compared,
not their outputs.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from coursekit import __version__
from coursekit.check.course import Course
from coursekit.check.coursekit_error import CoursekitError
from coursekit.workbook.progress import Progress

RELEASE = __version__
"""The release that is installed."""

_TEMPLATE = Path(__file__).parent / "template"
_STRAY = (".ipynb_checkpoints", "__pycache__")


@dataclass(frozen=True)
class Mark:
    """What a file was when it came: hashes of all of it, and of what is written there.

    `text` leaves a notebook's outputs out; of other files it is the same as `whole`.
    """

    whole: str
    text: str

    def to_json(self) -> list[str]:
        """The two hashes, as the progress file keeps them."""
        return [self.whole, self.text]


def course_files(course: Course) -> dict[str, Path]:
    """Where each file of a practice folder comes from, by its path in the folder.

    The answers' modules are not among them.
    """
    files = {path.name: path for path in sorted(course.notebooks.glob("*.ipynb"))}
    files |= {f"data/{name}": path for name, path in _below(course.data)}
    files["tests/test_labs.py"] = lab_tests() / "test_labs.py"
    for template in (_TEMPLATE, course.folder / "template"):
        if template.is_dir():
            files |= {path.name: path for path in sorted(template.iterdir()) if path.is_file()}
    return files


def lab_tests() -> Path:
    """The folder whose `test_labs.py` runs a course's checks under pytest."""
    package = Path(__file__).resolve().parents[1]
    for root in (package / "_content", package.parent):
        if (root / "tests" / "labs").is_dir():
            return root / "tests" / "labs"
    raise CoursekitError(
        f"The folder tests/labs is missing beside {package}. "
        "Install coursekit again: pip install --force-reinstall coursekit"
    )


def starters(course: Course) -> dict[str, Path]:
    """The modules that a learner starts from; only a new folder gets them."""
    return {module: course.starters / module for module in course.modules}


def mark_of(path: Path) -> Mark | None:
    """The mark of a file as it is now; None if there is no such file."""
    if not path.is_file():
        return None
    whole = path.read_bytes()
    text = _cells(whole) if path.suffix == ".ipynb" else None
    return Mark(_hash(whole), _hash(whole if text is None else text))


def note_files(course: Course, progress: Progress) -> None:
    """Write down that the folder now holds this release's files."""
    sources = starters(course) | course_files(course)
    marks = {name: mark_of(source) for name, source in sources.items()}
    hashes = {name: mark.to_json() for name, mark in marks.items() if mark is not None}
    progress.mark_course_files(RELEASE, hashes)


def known_files(progress: Progress) -> dict[str, Mark]:
    """The marks of the files as they came into the folder, as far as that is known."""
    return {name: Mark(*hashes) for name, hashes in progress.course_files.items()}


def files_behind(course: Course, progress: Progress) -> list[str]:
    """Paths of files that this release has otherwise than they came into the folder."""
    known = known_files(progress)
    sources = course_files(course)
    return [name for name, source in sources.items() if mark_of(source) != known.get(name)]


def is_newer(release: str | None) -> bool:
    """Whether a folder's release is a later one than the one that is installed."""
    return release is not None and _order(release) > _order(RELEASE)


def _order(release: str) -> list[int]:
    """The release's leading numbers; what follows them, as in 1.0rc1, is passed over."""
    numbers = []
    for part in release.split("."):
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        numbers.append(int(digits or 0))
    return numbers


def _below(folder: Path) -> Iterator[tuple[str, Path]]:
    """The files of a folder at any depth, without what programs leave behind."""
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        stray = any(part in _STRAY or part.startswith(".") for part in parts)
        if path.is_file() and not stray and path.suffix != ".pyc":
            yield "/".join(parts), path


def _cells(notebook: bytes) -> bytes | None:
    """What a notebook's cells say, without their outputs; None if it can't be read."""
    try:
        cells = json.loads(notebook)["cells"]
        texts = [[cell["cell_type"], "".join(cell["source"])] for cell in cells]
    except (ValueError, KeyError, TypeError):
        return None
    return json.dumps(texts).encode()


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:32]
