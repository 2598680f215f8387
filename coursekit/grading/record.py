"""What is known of each student, in one small file each: a run can stop and go on."""

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path

from coursekit.check.coursekit_error import CoursekitError
from coursekit.grading.reports import safe_text
from coursekit.grading.run_settings import RunSettings
from coursekit.grading.verdict import CheckVerdict, Status

FOLDER = "records"
RUN = "run.json"


@dataclass(frozen=True)
class StudentRecord:
    """One student's result; `digest` says of which files and which run."""

    student: str
    digest: str
    status: Status
    verdicts: list[CheckVerdict]
    predictions: int
    notes: list[str] = field(default_factory=list)
    printed: str = ""
    fingerprints: dict[str, str] = field(default_factory=dict)

    @property
    def total(self) -> int | None:
        """How many checks passed; None when this machine could not say."""
        return (
            None if self.status == "infrastructure" else sum(each.passed for each in self.verdicts)
        )

    def passed(self, lab_id: str) -> int | None:
        """How many checks of a lab passed; None when this machine could not say."""
        if self.status == "infrastructure":
            return None
        return sum(each.passed for each in self.verdicts if each.check.startswith(f"{lab_id}/"))


class Records:
    """The records in a report's folder."""

    def __init__(self, out: Path) -> None:
        self._folder = out / FOLDER
        self._run = out / RUN

    def settings(self) -> RunSettings | None:
        """The settings of the run that was begun here; None if none was.

        Raises `CoursekitError` if they are unreadable.
        """
        try:
            return RunSettings(**json.loads(self._run.read_bytes()))
        except FileNotFoundError:
            return None
        except (ValueError, TypeError) as problem:
            raise CoursekitError(
                f"{self._run} is damaged: {problem}. Grade into another folder with --out."
            ) from None

    def begin(self, settings: RunSettings) -> None:
        """Note the run's settings, so that it can be resumed."""
        self._folder.mkdir(parents=True, exist_ok=True)
        replace_file(self._run, json.dumps(asdict(settings), indent=1) + "\n")

    def find(self, student: str, digest: str) -> StudentRecord | None:
        """The student's record, if it is of these files and this run."""
        try:
            fields = json.loads((self._folder / _name(student)).read_bytes())
            verdicts = [CheckVerdict(**each) for each in fields["verdicts"]]
            record = StudentRecord(**fields | {"verdicts": verdicts})
        except (OSError, ValueError, TypeError, KeyError):
            return None  # not there, or not whole: the submission is graded again
        again = record.status == "infrastructure"
        return None if again or record.digest != digest else record

    def write(self, record: StudentRecord) -> None:
        """Keep a record; it stands there whole or not at all."""
        replace_file(self._folder / _name(record.student), json.dumps(asdict(record)) + "\n")


def replace_file(path: Path, text: str) -> None:
    """Write a file whole: whoever reads it sees the old text or the new one.

    It is not waited for the disk: what a power cut takes is graded again.
    """
    half = path.with_name(f".{path.name}.half")
    half.write_text(text, encoding="utf-8", newline="")
    os.replace(half, path)


def _name(student: str) -> str:
    return f"{safe_text.file_name(student)}.json"
