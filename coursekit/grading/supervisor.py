"""Grading a folder of submissions: many runs, one report, and never one lost."""

import os
import secrets
import threading
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

from coursekit.grading import clean, flags, trial
from coursekit.grading.bar import Bar
from coursekit.grading.limits import MEBIBYTE, Limits
from coursekit.grading.notebook import Station, plan
from coursekit.grading.record import Record, Records, Run, predictions
from coursekit.grading.reports import Reports
from coursekit.grading.run import Fault, Runner, Seen
from coursekit.grading.submission import Place, Submission, find
from coursekit.grading.verdict import Status, Verdict, judge, status
from coursekit.grading.walls import WEAKER, Isolation, Walls, WallsError, choose
from coursekit.grading.workers import WorkerError, Workers
from coursekit.workbook.errors import WorkbookError

_REPORT_EVERY = 2.0  # seconds between two writings of the class's tables


@dataclass(frozen=True)
class Grading:
    """What was asked for. Seconds of wall time, mebibytes of memory; None is the default."""

    submissions: Path
    out: Path
    variant: int | None = None
    jobs: int | None = None
    timeout: float = 60.0
    memory: int = 512
    isolation: str = "auto"
    resume: bool = False
    show_expected: bool = False


def grade(asked: Grading) -> list[Record]:
    """Grade every submission and write the reports; the records, by student.

    Raises `WorkbookError` when it can't begin, saying what to do. What is known of a
    student is on disk as soon as it is known, so a run that was stopped goes on with
    `resume` and repeats nothing.
    """
    places = find(asked.submissions)
    isolation = choose(asked.isolation)
    records = Records(asked.out)
    run = _run_of(asked, isolation, records)
    stations = plan(run.variant)
    limits = Limits(seconds=run.seconds, memory=run.memory * MEBIBYTE)
    try:
        with Walls(isolation, limits) as walls, Workers(limits) as workers:
            runner = Runner(stations, walls, workers, walls.notebooks)
            trial.run(runner, stations)
            records.begin(run)
            grader = _Grader(runner, workers, stations, run, records)
            reports = Reports(asked.out, run, len(places))
            done = _grade_all(grader, places, reports, asked.jobs)
    except (WallsError, WorkerError, Fault) as problem:
        weaker = f" {WEAKER}" if isinstance(problem, WallsError) and isolation == "bwrap" else ""
        raise WorkbookError(f"Grading can't begin: {problem}.{weaker}") from problem
    return sorted(done, key=lambda record: record.student)


def summary(records: Sequence[Record], out: Path) -> str:
    """What to tell whoever started the run, in a few lines."""
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


def _commonest_fault(records: Sequence[Record]) -> str:
    """What this computer failed with most often, in one line that is not too long."""
    told = Counter(each.notes[-1] for each in records if each.status == "infrastructure")
    return clean.line(told.most_common(1)[0][0], 66)


def _counted(number: int, name: str) -> str:
    return f"{number} {name}" if number == 1 else f"{number} {name}s"


def _run_of(asked: Grading, isolation: Isolation, records: Records) -> Run:
    """The run's settings: those of the run to resume, or new ones with a drawn variant."""
    earlier = records.run()
    if earlier is not None and not asked.resume:
        raise WorkbookError(
            f"{asked.out} holds an earlier run. Go on with it: --resume. "
            "Or name another folder: --out DIR"
        )
    variant = asked.variant
    if variant is None:
        variant = earlier.variant if earlier else secrets.randbelow(1 << 48) + 1
    return Run(variant, isolation, float(asked.timeout), asked.memory, asked.show_expected)


def _grade_all(
    grader: "_Grader", places: Sequence[Place], reports: Reports, jobs: int | None
) -> list[Record]:
    bar = Bar(len(places))
    done: list[Record] = []
    written = time.monotonic()
    pool = ThreadPoolExecutor(jobs or os.cpu_count() or 1)
    try:
        waiting: set[Future[Record]] = {pool.submit(grader.grade, place) for place in places}
        while waiting:
            ready, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in ready:
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
        runner: Runner,
        workers: Workers,
        stations: Sequence[Station],
        run: Run,
        records: Records,
    ) -> None:
        self._runner = runner
        self._workers = workers
        self._stations = stations
        self._run = run
        self._records = records
        self._stopped = threading.Event()

    def stop(self) -> None:
        """Begin with no other submission."""
        self._stopped.set()

    def grade(self, place: Place) -> Record:
        """The student's record: the one that is there, or a new one."""
        if self._stopped.is_set():
            raise WorkbookError("The run was stopped. Go on with it: --resume")
        submission = place.read()
        digest = self._run.digest(submission)
        record = self._records.find(submission.student, digest)
        if record is None:
            record = self._fresh(submission, digest)
            self._records.write(record)
        return record

    def _fresh(self, submission: Submission, digest: str) -> Record:
        notes = [clean.line(problem) for problem in submission.problems]
        printed = ""
        found: dict[str, str] = {}
        verdicts: list[Verdict]
        how: Status
        try:
            if "session.py" not in submission.files:
                how, verdicts = "unreadable", self._none_passed("session.py was not read")
            else:
                ran = self._runner.run(submission.answers)
                seen = ran.seen
                if ran.fingerprints is None:  # the last notebook did not come to its end
                    found = self._workers.fingerprints(flags.request(submission.answers))
                else:
                    found = ran.fingerprints
                verdicts = judge(self._stations, seen, show_expected=self._run.show_expected)
                how = "unreadable" if notes else status(self._stations, seen)
                printed = _printed(seen)
        except (Fault, WorkerError) as problem:
            how, verdicts = "infrastructure", self._none_passed("not graded")
            notes.append(clean.line(str(problem)))
        except Exception as problem:  # a fault of ours with one costs no other its grade
            how, verdicts = "infrastructure", self._none_passed("not graded")
            notes.append(clean.line(f"coursekit failed: {type(problem).__name__}: {problem}"))
        return Record(
            student=submission.student,
            digest=digest,
            status=how,
            verdicts=verdicts,
            predictions=predictions(submission.files),
            notes=notes,
            printed=printed,
            fingerprints=found,
        )

    def _none_passed(self, why: str) -> list[Verdict]:
        return [Verdict(each.name, False, why, why) for each in self._stations if each.is_check]


def _printed(seen: dict[str, Seen]) -> str:
    """The beginning of what the answers printed."""
    return clean.text("".join(each.printed for each in seen.values()), 2_000)
