"""An attempt: checked, remembered, and put into words for eighty columns."""

from pathlib import Path

from coursekit.check.report import check_answers
from coursekit.course import COURSE
from coursekit.workbook.attempt import attempt, report_text
from coursekit.workbook.progress import FILE, Progress


def test_a_report_says_what_to_write_next_in_eighty_columns(folder: Path) -> None:
    text = report_text(COURSE, check_answers(COURSE, [], folder))
    assert "Next: write parse_compaction in session.py." in text
    assert text.endswith("For a hint: coursekit hint 11.1")
    assert max(map(len, text.splitlines())) <= 80
    # A lab's heading, and two lines for each check that has nothing but one line to say.
    assert len([line for line in text.splitlines() if not line]) == 0
    report = check_answers(COURSE, ["11.2"], folder)
    assert report_text(COURSE, report, "ask for {}").endswith("For a hint: ask for 11.2")


def test_what_several_checks_say_is_said_once(folder: Path) -> None:
    with (folder / "context.py").open("a", encoding="utf-8") as file:
        file.write("\ndef oops((\n    pass\n")
    text = report_text(COURSE, check_answers(COURSE, ["11.1", "11.2"], folder))
    assert text.count("can't be read") == 1
    assert "the same as 11.2/1" in text
    (folder / "context.py").rename(folder / "my_context.py")
    text = report_text(COURSE, check_answers(COURSE, ["11.1", "11.2"], folder))
    assert text.count("is not there") == 1


def test_what_the_code_printed_is_shown_in_part(folder: Path) -> None:
    with (folder / "context.py").open("a", encoding="utf-8") as file:
        file.write("\nfor number in range(40):\n    print('line', number)\n")
    report, _ = attempt(COURSE, ["11.2"], folder)
    lines = report_text(COURSE, report).splitlines()
    at = lines.index("Your code printed:")
    assert lines[at + 1] == "    line 0"
    assert "    …" in lines
    assert "    line 39" not in lines


def test_results_are_remembered_with_the_file_that_they_are_of(folder: Path) -> None:
    report, problem = attempt(COURSE, ["11.1"], folder)
    assert (report.passed, report.total, problem) == (0, 3, "")
    progress = Progress(folder)
    assert progress.passed("11.1/1") is False
    assert progress.answers("11.1/1") is not None
    assert progress.passed("11.2/1") is None


def test_a_progress_file_that_cannot_be_used_changes_no_verdict(folder: Path) -> None:
    (folder / FILE).write_text("{")
    report, problem = attempt(COURSE, ["11.1"], folder)
    assert report.total == 3
    assert problem.startswith("not remembered: ")
    assert (folder / FILE).read_text() == "{"
