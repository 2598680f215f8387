"""What is known of each student, in one small file each: a run can stop and go on."""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from coursekit import __version__
from coursekit.grading import clean
from coursekit.grading.submission import Submission
from coursekit.grading.verdict import Status, Verdict
from coursekit.workbook import progress
from coursekit.workbook.errors import WorkbookError
from coursekit.workbook.predictions import collect

FOLDER = "records"
RUN = "run.json"


@dataclass(frozen=True)
class Record:
    """One student's result; `digest` says of which files and which run."""

    student: str
    digest: str
    status: Status
    verdicts: list[Verdict]
    predictions: int
    notes: list[str] = field(default_factory=list)
    printed: str = ""
    fingerprints: dict[str, str] = field(default_factory=dict)

    @property
    def total(self) -> int | None:
        """How many checks passed; None when this machine could not tell."""
        return (
            None if self.status == "infrastructure" else sum(each.passed for each in self.verdicts)
        )

    def passed(self, lab_id: str) -> int | None:
        """How many checks of a lab passed; None when this machine could not tell."""
        if self.status == "infrastructure":
            return None
        return sum(each.passed for each in self.verdicts if each.check.startswith(f"{lab_id}/"))


@dataclass(frozen=True)
class Run:
    """What all records of a run have in common."""

    variant: int
    isolation: str
    seconds: float
    memory: int
    show_expected: bool
    version: str = __version__

    def digest(self, submission: Submission) -> str:
        """One text for this run and these files: equal ones need not be graded again."""
        parts = hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode())
        for name, content in sorted(submission.files.items()):
            parts.update(f"{name} {len(content)} ".encode() + content)
        parts.update("\n".join(submission.problems).encode("utf-8", "surrogatepass"))
        return parts.hexdigest()


class Records:
    """The records in a report's folder."""

    def __init__(self, out: Path) -> None:
        self._folder = out / FOLDER
        self._run = out / RUN

    def run(self) -> Run | None:
        """The run that was begun here; None if none was. `WorkbookError` if it's unreadable."""
        try:
            return Run(**json.loads(self._run.read_bytes()))
        except FileNotFoundError:
            return None
        except (ValueError, TypeError) as problem:
            raise WorkbookError(
                f"{self._run} is damaged: {problem}. Grade into another folder with --out."
            ) from None

    def begin(self, run: Run) -> None:
        """Note the run's settings, so that it can be resumed."""
        self._folder.mkdir(parents=True, exist_ok=True)
        replace_file(self._run, json.dumps(asdict(run), indent=1) + "\n")

    def find(self, student: str, digest: str) -> Record | None:
        """The student's record, if it is of these files and this run."""
        try:
            told = json.loads((self._folder / _name(student)).read_bytes())
            record = Record(**told | {"verdicts": [Verdict(**each) for each in told["verdicts"]]})
        except (OSError, ValueError, TypeError, KeyError):
            return None  # not there, or not whole: the submission is graded again
        again = record.status == "infrastructure"
        return None if again or record.digest != digest else record

    def write(self, record: Record) -> None:
        """Keep a record; it stands there whole or not at all."""
        replace_file(self._folder / _name(record.student), json.dumps(asdict(record)) + "\n")


def predictions(files: Mapping[str, bytes]) -> int:
    """How many of the course's predictions are stored; none when the file can't be read."""
    try:
        told: Any = json.loads(files.get(progress.FILE, b"{}"))
    except (ValueError, RecursionError):
        return 0
    made = told.get("predictions") if isinstance(told, dict) else None
    return len(collect(made)) if isinstance(made, dict) else 0


def replace_file(path: Path, text: str) -> None:
    """Write a file whole: whoever reads it sees the old text or the new one.

    It is not waited for the disk: what a power cut takes is graded again.
    """
    half = path.with_name(f".{path.name}.half")
    half.write_text(text, encoding="utf-8", newline="")
    os.replace(half, path)


def _name(student: str) -> str:
    return f"{clean.file_name(student)}.json"
