"""Answers that a test breaks, checked: what failed, and what was said of it."""

from pathlib import Path

from coursekit.check.report import Report, check_answers
from coursekit.course import COURSE
from coursekit.workbook.right_answers import right_answer

GROUPS = ["11.2/1", "11.2/2", "11.2/3"]
RECORDS = ["11.1/1", "11.1/2", "11.1/3"]


class BrokenAnswers:
    """Right answers in a folder, for a test to break and check."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for module in COURSE.modules:
            (folder / module).write_bytes(right_answer(COURSE, module))

    def append(self, module: str, text: str) -> None:
        """Put text at the end of one file."""
        with (self.folder / module).open("a", encoding="utf-8") as file:
            file.write(text)

    def replace(self, module: str, old: str, new: str) -> None:
        """Put one text in place of another."""
        path = self.folder / module
        whole = path.read_text(encoding="utf-8")
        assert old in whole
        path.write_text(whole.replace(old, new), encoding="utf-8")

    def check(self, *labs: str) -> Report:
        """Check labs, by default all, as a learner would."""
        return check_answers(COURSE, labs, self.folder)


def failed(report: Report) -> list[str]:
    """The names of the checks that did not pass."""
    return [result.name for result in report.results if not result.passed]


def messages(report: Report) -> dict[str, str]:
    """What each check has to say, on one line."""
    return {result.name: " ".join(result.message.split()) for result in report.results}
