"""The settings of a run, which decide whether an earlier result still counts."""

import hashlib
import json
from dataclasses import asdict, dataclass

from coursekit import __version__
from coursekit.course import COURSE
from coursekit.grading.submission import Submission


@dataclass(frozen=True)
class RunSettings:
    """What all records of a run have in common."""

    variant: int
    isolation: str
    seconds: float
    memory: int
    show_expected: bool
    course: str = COURSE.package
    version: str = __version__

    def digest(self, submission: Submission) -> str:
        """One text for this run and these files: equal ones need not be graded again."""
        parts = hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode())
        for name, content in sorted(submission.files.items()):
            parts.update(f"{name} {len(content)} ".encode() + content)
        parts.update("\n".join(submission.problems).encode("utf-8", "surrogatepass"))
        return parts.hexdigest()
