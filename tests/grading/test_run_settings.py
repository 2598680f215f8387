"""The digest of a submission in a run: whatever changes a result changes it."""

from dataclasses import replace

from coursekit.grading.submission import Submission
from tests.grading.reports.student_records import RUN

FILES = {"session.py": b"ab", "context.py": b"c"}


def test_the_same_files_in_the_same_run_have_one_digest_whoever_s_they_are() -> None:
    ana, ben = (Submission(each, dict(FILES)) for each in ("Ana", "Ben"))
    assert RUN.digest(ana) == RUN.digest(ben)


def test_whatever_changes_a_result_changes_the_digest() -> None:
    submissions = [
        Submission("Ana", FILES),
        Submission("Ana", {"session.py": b"a", "context.py": b"bc"}),
        Submission("Ana", {"session.py": b"ab"}),
        Submission("Ana", FILES, ("\ud800",)),
    ]
    runs = [
        RUN,
        replace(RUN, variant=8),
        replace(RUN, isolation="process"),
        replace(RUN, seconds=61.0),
        replace(RUN, memory=513),
        replace(RUN, show_expected=True),
        replace(RUN, version="0"),
    ]
    digests = {run.digest(each) for run in runs for each in submissions}
    assert len(digests) == len(runs) * len(submissions)
