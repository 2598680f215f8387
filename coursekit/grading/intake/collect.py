"""Collecting: from a source to one plain folder a student, and an account of every file."""

import json
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from coursekit.check.course import Course
from coursekit.check.coursekit_error import CoursekitError
from coursekit.grading.intake.account import Account, FileAccount, Status, StudentAccount
from coursekit.grading.intake.account_table import students_csv
from coursekit.grading.intake.attempts import find_attempts
from coursekit.grading.intake.layouts import find_layout
from coursekit.grading.intake.layouts.placement import Placement, Student
from coursekit.grading.intake.member import Member
from coursekit.grading.intake.near_names import Choice, choose
from coursekit.grading.intake.source import open_source
from coursekit.grading.regular_file import Unreadable
from coursekit.grading.reports import safe_text
from coursekit.grading.submission import LARGEST
from coursekit.workbook import progress

ACCOUNT = "collected.json"
TABLE = "collected.csv"

_LARGEST_NOTEBOOK = 5_000_000


@dataclass(frozen=True)
class _Held:
    """A member of a source that is some student's."""

    member: Member
    place: Placement


def collect(course: Course, path: Path, out: Path, layout: str = "auto") -> Account:
    """Write a folder of submissions from a source, and what became of each of its files.

    Raises `CoursekitError` when there is nothing to collect, or no room to write it.
    """
    _see_that_free(path, out)
    with open_source(path) as source:
        members = [member for member in source.members if not member.outside]
        others = [
            FileAccount(member.shown, "not understood", member.refusal)
            for member in source.members
            if member.outside
        ]
        chosen, places = find_layout(layout, source, members)
        held: dict[Student, list[_Held]] = defaultdict(list)
        for member, place in zip(members, places, strict=True):
            if place is None:
                others += _of_nobody(member)
            else:
                held[_one_spelling(place.student)].append(_Held(member, place))
        if not held:
            raise CoursekitError(
                f"{path} holds no submissions that the layout {chosen.name!r} knows. "
                "Name another: --layout"
            )
        folders = _folder_names(list(held))
        out.mkdir(parents=True, exist_ok=True)
        students = [
            _collect_student(course, student, files, out / folders[student])
            for student, files in held.items()
        ]
    students.sort(key=lambda each: each.folder)
    account = Account(chosen.name, students, others)
    (out / ACCOUNT).write_text(json.dumps(account.to_json(), indent=1) + "\n", "utf-8")
    (out / TABLE).write_text(students_csv(account), "utf-8")
    return account


def _see_that_free(path: Path, out: Path) -> None:
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise CoursekitError(f"{out} is there already. Name a new folder: --out DIR")
    if path.is_dir() and out.resolve().is_relative_to(path.resolve()):
        raise CoursekitError(f"{out} lies in {path} itself. Name another folder: --out DIR")


def _of_nobody(member: Member) -> list[FileAccount]:
    if member.is_folder:
        return []
    if member.aside:
        return [FileAccount(member.shown, "set aside", member.aside, member.count)]
    if member.refusal:
        return [FileAccount(member.shown, "not understood", member.refusal)]
    if aside := _leavings(member.path[-1]):
        return [FileAccount(member.shown, "set aside", aside)]
    return [FileAccount(member.shown, "not understood", "no student is named in its path")]


def _leavings(name: str) -> str:
    """Why a file that systems leave about is set aside; empty for any other."""
    if name.startswith("._") or name in (".DS_Store", "Thumbs.db", "desktop.ini"):
        return "a system's own record"
    return ""


# --- students ---------------------------------------------------------------------


def _one_spelling(student: Student) -> Student:
    name = unicodedata.normalize("NFC", student.name).strip()
    return Student(name, unicodedata.normalize("NFC", student.id).strip())


def _folder_names(students: Sequence[Student]) -> dict[Student, str]:
    """A folder's name for each: the student's, with the id where two are of one name."""
    names = Counter(_key(student.name) for student in students)
    found: dict[Student, str] = {}
    used: set[str] = set()
    for student in students:
        label = student.name
        if names[_key(label)] > 1 and student.id:
            label = f"{label} ({student.id})"
        folder = safe_text.file_name(label)
        if folder.lower().endswith(".zip") or folder in (ACCOUNT, TABLE):
            folder = safe_text.file_name(f"{label}:")  # a name that is made safe is its own
        number = 2
        while _key(folder) in used:
            folder = safe_text.file_name(f"{label} ({number})")
            number += 1
        used.add(_key(folder))
        found[student] = folder
    return found


def _key(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def _collect_student(
    course: Course, student: Student, held: Sequence[_Held], folder: Path
) -> StudentAccount:
    modules = course.modules
    attempts = find_attempts([each.place for each in held], [*modules, progress.FILE])
    asides = [_aside(each, attempts.older.get(number)) for number, each in enumerate(held)]
    counting = [
        number
        for number, each in enumerate(held)
        if not asides[number] and not each.member.is_folder and each.place.path
    ]
    choices = {
        name: Choice(tuple(counting[each] for each in choice.candidates), choice.note)
        for name, choice in choose(
            [held[number].place.path for number in counting], modules, [progress.FILE]
        ).items()
    }
    folder.mkdir()
    lines = dict[int, FileAccount]()
    taken: set[str] = set()
    for name, choice in choices.items():
        for number in choice.candidates:
            lines[number] = _of_several(held[number].member, name)
        if choice.taken is not None:
            line = _take(held[choice.taken].member, name, choice, folder)
            lines[choice.taken] = line
            if line.fate == "taken":
                taken.add(name)
    missing = [name for name in modules if name not in taken]
    for number, each in enumerate(held):
        if number not in lines and each.member.count:
            lines[number] = _rest(course, each, asides[number], missing, choices)
    late = [each.place.late for number, each in enumerate(held) if number not in attempts.older]
    return StudentAccount(
        folder=folder.name,
        name=student.name,
        id=student.id,
        status=_status(modules, choices, taken),
        late=True if True in late else False if False in late else None,
        attempts=attempts.names,
        missing=missing,
        files=[lines[number] for number in sorted(lines)],
    )


def _aside(held: _Held, older: str | None) -> str:
    if held.member.aside or held.place.aside:
        return held.member.aside or held.place.aside
    return f"{older}: the newest counts" if older else ""


def _status(modules: Sequence[str], choices: Mapping[str, Choice], taken: set[str]) -> Status:
    if any(len(choices[name].candidates) > 1 for name in modules):
        return "ambiguous"
    if taken.issuperset(modules):
        return "complete"
    return "incomplete" if taken.intersection(modules) else "nothing"


# --- files ------------------------------------------------------------------------


def _take(member: Member, name: str, choice: Choice, folder: Path) -> FileAccount:
    try:
        content = member.read(LARGEST)
    except Unreadable as refused:
        return FileAccount(member.shown, "not understood", str(refused))
    with (folder / name).open("xb") as file:
        file.write(content)
    why = f'{name} is taken from "{choice.note}"' if choice.note else ""
    return FileAccount(member.shown, "taken", why)


def _of_several(member: Member, name: str) -> FileAccount:
    return FileAccount(
        member.shown, "not understood", f"one of several that could be {name}: none is guessed"
    )


def _rest(
    course: Course,
    held: _Held,
    aside: str,
    missing: Sequence[str],
    choices: Mapping[str, Choice],
) -> FileAccount:
    member = held.member
    if member.refusal:
        return FileAccount(member.shown, "not understood", member.refusal)
    why = aside or _leavings(member.path[-1])
    if not why and member.path[-1].lower().endswith(".ipynb"):
        why = _notebook(course, member)
    if not why and member.path[-1].lower().endswith(".py"):
        other = member.path[-1] in choices and member.path[-1] not in missing
        why = "another copy of an answer" if other else "Python that is none of the answers"
    return FileAccount(member.shown, "set aside", why or "none of the answers", member.count)


def _notebook(course: Course, member: Member) -> str:
    """What is said of a notebook: which of the labs' functions it defines, if any."""
    try:
        notebook: object = json.loads(member.read(_LARGEST_NOTEBOOK))
    except (Unreadable, ValueError, RecursionError):
        return "a notebook that can't be read"
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    code = "\n".join(_code(cell) for cell in cells) if isinstance(cells, list) else ""
    defined = set(re.findall(r"^def (\w+)", code, re.MULTILINE))
    found = [lab.function for lab in course.exercises if lab.function in defined]
    if not found:
        return "a notebook"
    return f"a notebook with code for {', '.join(found)}: it is there, and not run"


def _code(cell: object) -> str:
    if not isinstance(cell, dict) or cell.get("cell_type") != "code":
        return ""
    source = cell.get("source")
    lines = source if isinstance(source, list) else [source]
    return "".join(line for line in lines if isinstance(line, str))
