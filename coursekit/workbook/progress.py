"""What a learner has done, in one small file of the practice folder.

The file is JSON. Keys that a newer release wrote are kept as they are.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from coursekit.check.coursekit_error import CoursekitError
from coursekit.check.protocol import JsonObject, JsonValue
from coursekit.workbook.file_writing import write_atomically

FILE = ".coursekit.json"
FORMAT = 1


if TYPE_CHECKING:  # a check would wait until these classes are made

    class _LastRun(TypedDict):
        """How a check ended when it last ran, and the fingerprint of its lab's file."""

        passed: bool
        answers: str

    class _FilesGiven(TypedDict, total=False):
        """What came with the folder: the release, and each file's two hashes by path."""

        release: str
        files: dict[str, list[str]]

    class _Record(TypedDict, total=False):
        """What this release knows of the file; each part comes with the first note in it."""

        revealed: list[str]
        hints: dict[str, int]
        predictions: JsonObject
        checks: dict[str, _LastRun]
        course: str
        given: _FilesGiven


class Progress:
    """The progress file of one practice folder: read it, change it, `save` it."""

    def __init__(self, folder: Path) -> None:
        """Read the file, or start an empty one; `CoursekitError` if it is damaged."""
        self.path = folder / FILE
        self._record = _read(self.path)

    def save(self) -> None:
        """Write the file whole, keys that this release doesn't know included."""
        record = {"format": FORMAT, **self._record}
        text = json.dumps(record, indent=1, ensure_ascii=False, sort_keys=True)
        write_atomically(self.path, text.encode() + b"\n")

    @property
    def revealed(self) -> list[str]:
        """Ids of the labs filled in from the reference."""
        return list(self._record.get("revealed", []))

    def mark_revealed(self, lab_id: str, revealed: bool = True) -> None:
        """Note that a lab was filled in from the reference, or is the learner's again."""
        ids = {*self.revealed} - {lab_id}
        self._record["revealed"] = sorted(ids | {lab_id} if revealed else ids)

    def hints(self, lab_id: str) -> int:
        """How many hints of a lab were taken."""
        return int(self._record.get("hints", {}).get(lab_id, 0))

    def mark_hints(self, lab_id: str, taken: int) -> None:
        """Note how many hints of a lab were taken."""
        self._record.setdefault("hints", {})[lab_id] = taken

    @property
    def predictions(self) -> JsonObject:
        """What the learner predicted, by the prediction's name; any JSON."""
        return dict(self._record.get("predictions", {}))

    def mark_prediction(self, name: str, value: JsonValue) -> None:
        """Note a prediction, in place of an older one of this name."""
        self._record.setdefault("predictions", {})[name] = value

    def mark_checks(self, passed: Mapping[str, bool], answers: str) -> None:
        """Note how checks ended, by name, for a file with this fingerprint."""
        checks = self._record.setdefault("checks", {})
        for name, ended in passed.items():
            checks[name] = {"passed": ended, "answers": answers}

    def forget_checks(self, names: Iterable[str]) -> None:
        """Drop what is known of these checks: their function was replaced."""
        for name in names:
            self._record.get("checks", {}).pop(name, None)

    def passed(self, name: str) -> bool | None:
        """Whether a check passed when it last ran; None if it never did."""
        known = self._record.get("checks", {}).get(name)
        return known["passed"] if known else None

    def answers(self, name: str) -> str | None:
        """The fingerprint of its lab's file when a check last ran; None if it never did."""
        known = self._record.get("checks", {}).get(name)
        return known["answers"] if known else None

    @property
    def course(self) -> str | None:
        """The folder of the course's package; None for the built-in course."""
        return self._record.get("course")

    def mark_course(self, folder: Path) -> None:
        """Note that the practice folder is of a course that is not built in."""
        self._record["course"] = str(folder)

    @property
    def release(self) -> str | None:
        """The release whose course the folder holds; None if that was never noted."""
        return self._record.get("given", {}).get("release")

    @property
    def course_files(self) -> dict[str, list[str]]:
        """The two hashes (`course_files.Mark`) of each file that came with the folder, by path."""
        return dict(self._record.get("given", {}).get("files", {}))

    def mark_course_files(self, release: str, files: Mapping[str, list[str]]) -> None:
        """Note which release the course in the folder is of, and its files' hashes."""
        given = self._record.setdefault("given", {})
        given["release"], given["files"] = release, dict(files)


def _read(path: Path) -> _Record:
    record: _Record = {}
    try:
        record = json.loads(path.read_bytes())
        problem = _problem(record)
    except FileNotFoundError:
        return record
    except ValueError as error:
        problem = str(error)
    if problem:
        raise CoursekitError(
            f"{path}: {problem}. The file only holds your progress: "
            "move it away to start a new one. Your answers are not in it."
        )
    return record


def _problem(record: object) -> str | None:
    """What keeps a record from being used, if anything."""
    if not isinstance(record, dict):
        return "not a JSON object"
    kinds = {"revealed": list, "hints": dict, "predictions": dict, "checks": dict, "given": dict}
    for key, kind in kinds.items():
        if not isinstance(record.get(key, kind()), kind):
            return f"{key!r} must be a JSON {'array' if kind is list else 'object'}"
    if not isinstance(record.get("course", ""), str):
        return "'course' must be a text"
    for name, known in record.get("checks", {}).items():
        if not isinstance(known, dict) or not {"passed", "answers"} <= known.keys():
            return f"'checks' has a broken record for {name!r}"
    for lab_id, taken in record.get("hints", {}).items():
        if not isinstance(taken, int):
            return f"'hints' must have a number for {lab_id!r}"
    return _problem_of_files(record.get("given", {}))


def _problem_of_files(part: Mapping[str, object]) -> str | None:
    files = part.get("files", {})
    if not isinstance(part.get("release", ""), str) or not isinstance(files, dict):
        return "'given' must have a text 'release' and an object 'files'"
    for name, hashes in files.items():
        if not isinstance(hashes, list) or [type(each) for each in hashes] != [str, str]:
            return f"'given' has a broken record for {name!r}"
    return None
