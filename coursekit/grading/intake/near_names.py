"""Near names: files that are called almost as an answer should be.

`session (1).py`, `session.py.txt`, `Session.py` and `session-1.py` are taken for
`session.py` when there is one candidate; when there are several, none is guessed.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

Path = tuple[str, ...]

_DEEPEST = 4  # folders that may stand between a submission and its files

_COUNTED = re.compile(
    r"(?: ?\(\d{1,3}\)"  # a browser's second download
    r"|[-_ ]\d{1,3}"  # Canvas' further upload of a name
    r"|-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"  # and its eighth
    r"|(?: - | )(?:copy|kopie|copie|copia|副本)(?: ?\(\d{1,3}\)| \d{1,3})?)$"
)

_PREFIXED = re.compile(r"[^.]{1,80} - (?=[^ ])")  # as in "Ana Lima - session.py"


def plain(name: str) -> str:
    """A file name without case, a `.txt` too many, and what tells copies apart."""
    stem, suffix = _stem(_folded(name))
    return _COUNTED.sub("", stem) + suffix


def is_near(name: str, wanted: str) -> bool:
    """Whether a name is almost, or just, the wanted one."""
    goal = wanted.lower()
    forms = {name, _PREFIXED.sub("", name, count=1)}
    names = {folded(form) for form in forms for folded in (_folded, plain)}
    return goal in names or (goal.startswith(".") and goal[1:] in names)


def _folded(name: str) -> str:
    name = unicodedata.normalize("NFKC", name).strip().lower()
    return name.removesuffix(".txt") if re.search(r"\.\w+\.txt$", name) else name


def _stem(name: str) -> tuple[str, str]:
    stem, dot, suffix = name.rpartition(".")
    return (stem, dot + suffix) if stem else (name, "")


@dataclass(frozen=True)
class Choice:
    """Which files could be the wanted one, by their numbers: one is taken, several are not."""

    candidates: tuple[int, ...] = ()
    note: str = ""

    @property
    def taken(self) -> int | None:
        """The number of the file that is taken."""
        return self.candidates[0] if len(self.candidates) == 1 else None


def choose(
    paths: Sequence[Path], modules: Sequence[str], others: Iterable[str]
) -> dict[str, Choice]:
    """For each wanted name the files of a submission that could be it.

    Answers stand in the highest folder that holds one by its own name. What is missing
    there may have a near name there, or stand elsewhere.
    """
    usable = [number for number, path in enumerate(paths) if _is_usable(path)]
    bases = _bases([paths[number] for number in usable], modules)
    wanted = [*modules, *others]

    def find(name: str) -> Choice:
        def exact(path: Path) -> bool:
            return path[-1] == name

        def near(path: Path) -> bool:
            return path[-1] not in wanted and is_near(path[-1], name)

        looks: list[tuple[bool, Callable[[Path], bool]]] = [
            (True, exact),
            (True, near),
            (False, exact),
            (False, near),
        ]
        for here, fits in looks:
            found = tuple(
                number
                for number in usable
                if (not here or paths[number][:-1] in bases) and fits(paths[number])
            )
            if found:
                path = paths[found[0]]
                in_place = path[:-1] in bases and path[-1] == name
                return Choice(found, "" if in_place else "/".join(path))
        return Choice()

    return {name: find(name) for name in wanted}


def _bases(paths: Sequence[Path], modules: Sequence[str]) -> set[Path]:
    held: dict[Path, set[str]] = {}
    for path in paths:
        if path[-1] in modules:
            held.setdefault(path[:-1], set()).add(path[-1])
    if not held:
        return set()
    highest = min(map(len, held))
    most = max(len(names) for folder, names in held.items() if len(folder) == highest)
    return {
        folder for folder, names in held.items() if len(folder) == highest and len(names) == most
    }


def _is_usable(path: Path) -> bool:
    return (
        len(path) <= _DEEPEST + 1
        and not any(part.startswith((".", "__")) for part in path[:-1])
        and not path[-1].startswith("._")
    )
