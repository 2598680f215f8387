"""One class, laid out as each platform hands it over: paths and contents."""

import io
import tarfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

Files = dict[str, bytes]


@dataclass(frozen=True)
class Person:
    """A student: a name, a login, a number, and the attempts, the oldest first."""

    first: str
    last: str
    login: str
    number: int
    attempts: tuple[str, ...] = ("only",)
    late: bool = False

    @property
    def name(self) -> str:
        return f"{self.first} {self.last}"


CLASS = (
    Person("Ana Maria", "Lima", "alima", 301),
    Person("Sinéad", "O'Neil", "soneil", 302, late=True),
    Person("雷", "李", "lilei", 303, attempts=("first", "second", "third")),
    Person("Kim", "Lee", "klee", 304),
    Person("Kim", "Lee", "klee2", 305),
    Person("No", "Thing", "nothing", 306, attempts=()),
)
NEWEST = {each.login: each.attempts[-1] for each in CLASS if each.attempts}


def answers(person: Person, attempt: str) -> Files:
    mark = f"# {person.login} {attempt}\n".encode()
    return {"session.py": mark + b"s = 1\n", "context.py": mark + b"c = 1\n"}


def folders() -> Files:
    found: Files = {}
    for each in CLASS:
        found[f"{each.login}/"] = b""
        if each.attempts:
            found |= _under(f"{each.login}/", answers(each, each.attempts[-1]))
    return found


def moodle(*, flat: bool) -> Files:
    found: Files = {}
    for each in CLASS:
        base = f"{each.name}_{each.number}_assignsubmission_"
        between = "_" if flat else "_/"
        found[f"{base}onlinetext{between}onlinetext.html"] = b"<p>Here it is.</p>"
        if each.attempts:
            found |= _under(f"{base}file{between}", answers(each, each.attempts[-1]))
    return found


def canvas() -> Files:
    found: Files = {}
    file_number = 5000
    for each in CLASS:
        name = "".join(letter for letter in f"{each.last}{each.first}".lower() if letter.isalnum())
        base = f"{name}_{'LATE_' if each.late else ''}{each.number}"
        if not each.attempts:
            found[f"{base}_text.html"] = b"<p>Nothing yet.</p>"
        for turn, attempt in enumerate(each.attempts):
            for file, content in answers(each, attempt).items():
                file_number += 1
                again = file.replace(".", f"-{turn}.") if turn else file
                found[f"{base}_{file_number}_{again}"] = content
    return found


_TIMES = ("2026-11-29-23-59-59", "2026-11-30-08-00-00", "2026-12-01-07-00-00")


def blackboard() -> Files:
    found: Files = {}
    for each in CLASS:
        for turn, attempt in enumerate(each.attempts or (None,)):
            base = f"Lab 11_{each.login}_attempt_{_TIMES[turn]}"
            found[f"{base}.txt"] = f"Name: {each.name} ({each.login})\nAssignment: Lab".encode()
            if attempt is not None:
                found |= _under(f"{base}_", answers(each, attempt))
    return found


def classroom() -> Files:
    found: Files = {}
    for each in CLASS:
        base = f"lab-11-submissions/lab-11-{each.login}/"
        found[f"{base}.git/HEAD"] = b"ref: refs/heads/main\n"
        found[f"{base}.git/hooks/post-checkout"] = b"#!/bin/sh\ntouch /tmp/run-by-git\n"
        if each.attempts:
            found |= _under(base, answers(each, each.attempts[-1]))
    return found


def nbgrader() -> Files:
    found: Files = {}
    for each in CLASS:
        base = f"submitted/{each.login}/lab11/"
        found[f"{base}timestamp.txt"] = b"2026-11-30 10:11:12 UTC"
        if each.attempts:
            found |= _under(base, answers(each, each.attempts[-1]))
    return found


def ilias() -> Files:
    found: Files = {}
    for each in CLASS:
        base = f"Lab_11_42/Abgaben/{each.last}_{each.first}_{each.login}_{each.number}/"
        found[base] = b""
        for turn, attempt in enumerate(each.attempts):
            for file, content in answers(each, attempt).items():
                name = file.replace(".", f" ({turn + 1}).") if turn else file
                late = "Late Submission - " if each.late else ""
                found[f"{base}{late}{name}"] = content
    return found


def _under(base: str, files: Mapping[str, bytes]) -> Files:
    return {base + name: content for name, content in files.items()}


LAYOUTS: dict[str, tuple[str, Files]] = {
    "folders": ("folders", folders()),
    "moodle folders": ("moodle", moodle(flat=False)),
    "moodle flat": ("moodle", moodle(flat=True)),
    "canvas": ("canvas", canvas()),
    "blackboard": ("blackboard", blackboard()),
    "classroom": ("classroom", classroom()),
    "nbgrader": ("nbgrader", nbgrader()),
    "ilias": ("ilias", ilias()),
}


# --- written down -----------------------------------------------------------------


def in_folder(files: Mapping[str, bytes], place: Path) -> Path:
    for name, content in files.items():
        path = place / name
        if name.endswith("/"):
            path.mkdir(parents=True, exist_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    return place


def zipped(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def tarred(files: Mapping[str, bytes], packing: str = "gz") -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=f"w:{packing}") as archive:  # type: ignore[call-overload]
        for name, content in files.items():
            info = tarfile.TarInfo(name.rstrip("/"))
            if name.endswith("/"):
                info.type = tarfile.DIRTYPE
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()
