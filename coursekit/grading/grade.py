"""Grading a folder of submissions: many runs, one report, and no student lost."""

import os
import secrets
import threading
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

from coursekit.check.course import Course
from coursekit.check.coursekit_error import CoursekitError
from coursekit.grading import self_test
from coursekit.grading.comparison import similarity
from coursekit.grading.comparison.pool import ComparisonError, WorkerPool
from coursekit.grading.graded_notebook import Station, plan
from coursekit.grading.progress_bar import ProgressBar
from coursekit.grading.record import Records, StudentRecord
from coursekit.grading.reports import safe_text
from coursekit.grading.reports.report_folder import ReportFolder
from coursekit.grading.run_settings import RunSettings
from coursekit.grading.runner import MachineFault, Runner, StationResult
from coursekit.grading.sandbox.availability import WEAKER, choose
from coursekit.grading.sandbox.limits import MEBIBYTE, Limits
from coursekit.grading.sandbox.walls import Isolation, Walls, WallsError
from coursekit.grading.submission import Submission, SubmissionPlace, find
from coursekit.grading.verdict import CheckVerdict, Status, judge_run, status

_REPORT_EVERY = 2.0  # seconds between two writings of the class's tables


@dataclass(frozen=True)
class GradeOptions:
    """The options of a run. Seconds of wall time, mebibytes of memory; None is the default."""

    course: Course
    submissions: Path
    out: Path
    variant: int | None = None
    jobs: int | None = None
    timeout: float = 60.0
    memory: int = 512
    isolation: str = "auto"
    resume: bool = False
    show_expected: bool = False


def grade(options: GradeOptions) -> list[StudentRecord]:
    """Grade every submission and write the reports; the records, by student.

    Raises `CoursekitError` when it can't begin, saying what to do. What is known of a
    student is on disk as soon as it is known, so a run that was stopped goes on with
    `resume` and repeats nothing.
    """
    course = options.course
    places = find(options.submissions)
    isolation = choose(options.isolation)
    records = Records(options.out)
    settings = _settings_of(options, isolation, records)
    stations = plan(course, settings.variant)
    limits = Limits(seconds=settings.seconds, memory=settings.memory * MEBIBYTE)
    try:
        with Walls(isolation, limits, course.observations) as walls, WorkerPool(limits) as workers:
            runner = Runner(course, stations, walls, workers, walls.notebooks)
            self_test.run(course, runner, stations)
            records.begin(settings)
            grader = _Grader(course, runner, workers, stations, settings, records)
            reports = ReportFolder(course, options.out, settings, len(places))
            done = _grade_all(grader, places, reports, options.jobs)
    except (WallsError, ComparisonError, MachineFault) as problem:
        weaker = f" {WEAKER}" if isinstance(problem, WallsError) and isolation == "bwrap" else ""
        raise CoursekitError(f"Grading can't begin: {problem}.{weaker}") from problem
    return sorted(done, key=lambda record: record.student)


def summary(records: Sequence[StudentRecord], out: Path) -> str:
    """The end of a run in a few lines, for whoever started it."""
    totals = [record.total for record in records if record.total is not None]
    lines = [f"Graded {_counted(len(totals), 'submission')} into {out}."]
    if totals:
        most = max(len(record.verdicts) for record in records)
        lines.append(f"{sum(each == most for each in totals)} of them pass all {most} checks.")
    others = Counter(record.status for record in records if record.status != "ok")
    lines += [f"{_counted(count, 'time')} {name}." for name, count in sorted(others.items())]
    if "infrastructure" in others:
        lines.append(f"Most often: {_commonest_fault(records)}")
        lines.append("This computer failed them: see grades.csv, then go on with --resume.")
    lines.append(f"Look at {out / 'index.html'}")
    return "\n".join(lines)


def _commonest_fault(records: Sequence[StudentRecord]) -> str:
    """What this computer failed with most often, in one line that is not too long."""
    faults = Counter(each.notes[-1] for each in records if each.status == "infrastructure")
    return safe_text.line(faults.most_common(1)[0][0], 66)


def _counted(number: int, name: str) -> str:
    return f"{number} {name}" if number == 1 else f"{number} {name}s"


def _settings_of(options: GradeOptions, isolation: Isolation, records: Records) -> RunSettings:
    """The settings of the run to resume, or new ones with a drawn variant."""
    earlier = records.settings()
    if earlier is not None and not options.resume:
        raise CoursekitError(
            f"{options.out} holds an earlier run. Go on with it: --resume. "
            "Or name another folder: --out DIR"
        )
    variant = options.variant
    if variant is None:
        variant = earlier.variant if earlier else secrets.randbelow(1 << 48) + 1
    return RunSettings(
        variant,
        isolation,
        float(options.timeout),
        options.memory,
        options.show_expected,
        options.course.package,
    )


def _grade_all(
    grader: "_Grader", places: Sequence[SubmissionPlace], reports: ReportFolder, jobs: int | None
) -> list[StudentRecord]:
    bar = ProgressBar(len(places))
    done: list[StudentRecord] = []
    written = time.monotonic()
    pool = ThreadPoolExecutor(jobs or os.cpu_count() or 1)
    try:
        pending: set[Future[StudentRecord]] = {pool.submit(grader.grade, place) for place in places}
        while pending:
            finished, pending = wait(pending, return_when=FIRST_COMPLETED)
            for future in finished:
                record = future.result()
                done.append(record)
                reports.add(record)
                bar.step()
            if time.monotonic() >= written + _REPORT_EVERY:
                reports.write()
                written = time.monotonic()
    finally:
        grader.stop()
        pool.shutdown(cancel_futures=True)
        bar.close()
        reports.write()
    return done


class _Grader:
    """Grades one submission after the other; may be used by several threads."""

    def __init__(
        self,
        course: Course,
        runner: Runner,
        workers: WorkerPool,
        stations: Sequence[Station],
        settings: RunSettings,
        records: Records,
    ) -> None:
        self._course = course
        self._runner = runner
        self._workers = workers
        self._stations = stations
        self._settings = settings
        self._records = records
        self._stopped = threading.Event()

    def stop(self) -> None:
        """Begin with no other submission."""
        self._stopped.set()

    def grade(self, place: SubmissionPlace) -> StudentRecord:
        """The student's record: the one that is there, or a new one."""
        if self._stopped.is_set():
            raise CoursekitError("The run was stopped. Go on with it: --resume")
        submission = place.read(self._course)
        digest = self._settings.digest(submission)
        record = self._records.find(submission.student, digest)
        if record is None:
            record = self._graded(submission, digest)
            self._records.write(record)
        return record

    def _graded(self, submission: Submission, digest: str) -> StudentRecord:
        notes = [safe_text.line(problem) for problem in submission.problems]
        printed = ""
        fingerprints: dict[str, str] = {}
        verdicts: list[CheckVerdict]
        outcome: Status
        try:
            first = self._course.modules[0]  # without which no other can be imported
            if first not in submission.files:
                outcome, verdicts = "unreadable", self._none_passed(f"{first} was not read")
            else:
                answers = submission.answers(self._course)
                result = self._runner.run(answers)
                stations = result.stations
                if result.fingerprints is None:  # the last notebook did not come to its end
                    fingerprints = self._workers.fingerprints(
                        similarity.source_queries(self._course, answers)
                    )
                else:
                    fingerprints = result.fingerprints
                verdicts = judge_run(
                    self._course,
                    self._stations,
                    stations,
                    show_expected=self._settings.show_expected,
                )
                outcome = "unreadable" if notes else status(self._stations, stations)
                printed = _printed(stations)
        except (MachineFault, ComparisonError) as problem:
            outcome, verdicts = "infrastructure", self._none_passed("not graded")
            notes.append(safe_text.line(str(problem)))
        except Exception as problem:  # a fault of ours with one costs no other its grade
            outcome, verdicts = "infrastructure", self._none_passed("not graded")
            notes.append(safe_text.line(f"coursekit failed: {type(problem).__name__}: {problem}"))
        return StudentRecord(
            student=submission.student,
            digest=digest,
            status=outcome,
            verdicts=verdicts,
            predictions=submission.predictions(self._course),
            notes=notes,
            printed=printed,
            fingerprints=fingerprints,
        )

    def _none_passed(self, why: str) -> list[CheckVerdict]:
        return [
            CheckVerdict(each.name, False, why, why) for each in self._stations if each.is_check
        ]


def _printed(results: dict[str, StationResult]) -> str:
    """The beginning of what the answers printed."""
    return safe_text.text("".join(each.printed for each in results.values()), 2_000)
