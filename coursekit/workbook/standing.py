"""Where a learner stands, from what the progress file remembers; nothing is run."""

from pathlib import Path
from typing import TypedDict

from coursekit.check.course import Course, Lab
from coursekit.workbook.answer_files import fingerprint
from coursekit.workbook.chosen_course import course_of
from coursekit.workbook.course_files import RELEASE, files_behind, is_newer
from coursekit.workbook.predictions import judge_stored, predictions_of
from coursekit.workbook.progress import Progress
from coursekit.workbook.shown_text import WIDTH, number_in_words

_TITLE = 52
"""Characters of a title, where there is room."""


class _Help(TypedDict):
    """What help was taken with an exercise."""

    revealed: bool
    hints: int


class TransferStatus(_Help):
    """Where the exercise beside the labs stands."""

    id: str


class LabStatus(_Help):
    """Where a lab stands.

    `passed` counts checks that passed when they last ran, if one ever did; `changed` says
    that the lab's file is another one since then.
    """

    title: str
    passed: int
    total: int
    run: bool
    changed: bool


class PredictionCounts(TypedDict):
    """How many predictions are right as they stand now, were made, and are in the course."""

    right: int
    given: int
    total: int


class Status(TypedDict):
    """Where a learner stands, as JSON.

    `labs` are by id; `revealed` has the ids of exercises filled in, and `next` that of a lab.
    `release` is the one whose course the folder holds, null if that was never noted.
    `behind` are the course's files that are different in the installed release.
    """

    folder: str
    labs: dict[str, LabStatus]
    passed: int
    total: int
    revealed: list[str]
    transfer: TransferStatus | None
    predictions: PredictionCounts
    next: str | None
    release: str | None
    behind: list[str]


def status_json(folder: Path) -> Status:
    """The labs with their last results, what was revealed and hinted, and what is next."""
    course = course_of(folder)
    progress = Progress(folder)
    now = {module: fingerprint(folder, [module]) for module in course.modules}
    labs = {lab.id: _lab_status(lab, progress, now[lab.module]) for lab in course.labs}
    undone = [lab_id for lab_id, lab in labs.items() if lab["passed"] < lab["total"]]
    return {
        "folder": str(folder),
        "labs": labs,
        "passed": sum(lab["passed"] for lab in labs.values()),
        "total": sum(lab["total"] for lab in labs.values()),
        "revealed": progress.revealed,
        "transfer": _transfer(course, progress),
        "predictions": _predictions(course, progress),
        "next": undone[0] if undone else None,
        "release": progress.release,
        "behind": files_behind(course, progress),
    }


def status_text(folder: Path) -> str:
    """The same for a reader, in lines of at most 80 characters but for paths."""
    course = course_of(folder)
    status = status_json(folder)
    lines = [f"Practice folder {folder}", ""]
    widest = max(len(lab.id) for lab in course.labs)
    for lab in course.labs:
        state = status["labs"][lab.id]
        count = f"{state['passed']}/{state['total']}" if state["run"] else "-"
        line, remarks = f"  {lab.id:<{widest}}  {lab.title:<{_TITLE}}{count:>4}", _remarks(state)
        fits = len(line) + len(remarks) + 2 <= WIDTH
        lines += [f"{line}  {remarks}".rstrip()] if fits else [line, f"{'':{widest + 4}}{remarks}"]
    if status["transfer"] is not None and (remarks := _remarks(status["transfer"])):
        lines.append(f"  {status['transfer']['id']}: {remarks}")
    if any(state["changed"] for state in status["labs"].values()):
        lines.append("  * its file changed after this check")
    lines += ["", f"{status['passed']}/{status['total']} checks passed when they last ran."]
    made = status["predictions"]
    lines.append(
        f"{made['right']} predictions right, of {made['given']} made and {made['total']} in all."
    )
    lines += upkeep(status["release"], len(status["behind"]))
    lines.append(_next_step(course, status["next"]))
    return "\n".join(lines)


def _remarks(state: LabStatus | TransferStatus) -> str:
    notes = [
        "revealed" if state["revealed"] else "",
        f"{state['hints']} hint{'s' * (state['hints'] != 1)}" if state["hints"] else "",
    ]
    remarks = ", ".join(note for note in notes if note)
    return f"{remarks} *".strip() if state.get("changed") else remarks


def _transfer(course: Course, progress: Progress) -> TransferStatus | None:
    exercise = course.transfer
    if exercise is None:
        return None
    return {
        "id": exercise.id,
        "revealed": exercise.id in progress.revealed,
        "hints": progress.hints(exercise.id),
    }


def _predictions(course: Course, progress: Progress) -> PredictionCounts:
    answers = judge_stored(course, progress.predictions)
    return {
        "right": sum(answer.right for answer in answers),
        "given": len(answers),
        "total": len(predictions_of(course)),
    }


def upkeep(release: str | None, behind: int) -> list[str]:
    """What to say where the folder's course is not the installed release's."""
    if is_newer(release):
        return [
            f"This folder holds the course of coursekit {release}, and this is {RELEASE}.",
            "Install the newer one: pip install --upgrade coursekit",
        ]
    if not behind:
        return []
    made = "an older release" if release in (None, RELEASE) else f"coursekit {release}"
    files = "1 file is" if behind == 1 else f"{behind} files are"
    return [
        f"This folder was made by {made}; {files} newer in this one.",
        "Bring them in, and keep all that is yours: coursekit update",
    ]


def _lab_status(lab: Lab, progress: Progress, now: str) -> LabStatus:
    ended = [progress.passed(check.name) for check in lab.checks]
    seen = {progress.answers(check.name) for check in lab.checks} - {None}
    return {
        "title": lab.title,
        "passed": ended.count(True),
        "total": len(ended),
        "run": any(each is not None for each in ended),
        "changed": bool(seen - {now}),
        "revealed": lab.id in progress.revealed,
        "hints": progress.hints(lab.id),
    }


def _next_step(course: Course, lab_id: str | None) -> str:
    if lab_id is None:
        done = f"All {number_in_words(len(course.labs))} labs are done."
        transfer = course.transfer
        return done if transfer is None else f"{done} Beside them there is {transfer.notebook}."
    lab = course.find(lab_id)
    return f"Next: lab {lab.id} in {lab.notebook}, then: coursekit check {lab.id}"
