"""Where a learner stands, from what the progress file remembers; nothing is run."""

from pathlib import Path
from typing import Any

from coursekit.workbook import edits, given, manifest, predictions
from coursekit.workbook.card import WIDTH
from coursekit.workbook.manifest import Lab
from coursekit.workbook.progress import Progress
from coursekit.workbook.stubs import MODULES

_TITLE = 52
"""Characters of a title, where there is room."""


def status_json(folder: Path) -> dict[str, Any]:
    """The labs with their last results, what was revealed and hinted, and what is next.

    `passed` counts checks that passed when they last ran; `changed` says that the
    lab's file is another one since then. `next` is a lab id, or null.
    `release` is the one whose course the folder holds, null if that was never noted;
    `transfer` tells the same of the exercise beside the labs.
    `behind` are the course's files that the installed release has otherwise.
    """
    progress = Progress(folder)
    now = {module: edits.fingerprint(folder, [module]) for module in MODULES}
    labs = {lab.id: _lab_status(lab, progress, now[lab.module]) for lab in manifest.labs()}
    undone = [lab_id for lab_id, lab in labs.items() if lab["passed"] < lab["total"]]
    return {
        "folder": str(folder),
        "labs": labs,
        "passed": sum(lab["passed"] for lab in labs.values()),
        "total": sum(lab["total"] for lab in labs.values()),
        "revealed": progress.revealed,
        "transfer": {
            "id": (transfer := manifest.transfer().id),
            "revealed": transfer in progress.revealed,
            "hints": progress.hints(transfer),
        },
        "predictions": _predictions(progress),
        "next": undone[0] if undone else None,
        "release": progress.release,
        "behind": given.behind(progress),
    }


def status_text(folder: Path) -> str:
    """The same for a reader, in lines of at most 80 characters but for paths."""
    told = status_json(folder)
    lines = [f"Practice folder {folder}", ""]
    for lab in manifest.labs():
        state = told["labs"][lab.id]
        count = f"{state['passed']}/{state['total']}" if state["run"] else "-"
        line, remarks = f"  {lab.id}  {lab.title:<{_TITLE}}{count:>4}", _remarks(state)
        fits = len(line) + len(remarks) + 2 <= WIDTH
        lines += [f"{line}  {remarks}".rstrip()] if fits else [line, f"{'':8}{remarks}"]
    if remarks := _remarks(told["transfer"]):
        lines.append(f"  {told['transfer']['id']}: {remarks}")
    if any(state["changed"] for state in told["labs"].values()):
        lines.append("  * its file changed after this check")
    lines += ["", f"{told['passed']}/{told['total']} checks passed when they last ran."]
    made = told["predictions"]
    lines.append(
        f"{made['right']} predictions right, of {made['given']} made and {made['total']} in all."
    )
    lines += upkeep(told["release"], len(told["behind"]))
    lines.append(_next_step(told["next"]))
    return "\n".join(lines)


def _remarks(state: dict[str, Any]) -> str:
    notes = [
        "revealed" if state["revealed"] else "",
        f"{state['hints']} hint{'s' * (state['hints'] != 1)}" if state["hints"] else "",
    ]
    remarks = ", ".join(note for note in notes if note)
    return f"{remarks} *".strip() if state.get("changed") else remarks


def _predictions(progress: Progress) -> dict[str, int]:
    """How many predictions are right as they stand now, were made, and are in the course."""
    verdicts = predictions.collect(progress.predictions)
    return {
        "right": sum(verdict.right for verdict in verdicts),
        "given": len(verdicts),
        "total": len(predictions.predictions()),
    }


def upkeep(release: str | None, behind: int) -> list[str]:
    """What to say where the folder's course is not the installed release's."""
    if given.is_newer(release):
        return [
            f"This folder holds the course of coursekit {release}, and this is {given.RELEASE}.",
            "Install the newer one: pip install --upgrade coursekit",
        ]
    if not behind:
        return []
    made = "an older release" if release in (None, given.RELEASE) else f"coursekit {release}"
    files = "1 file is" if behind == 1 else f"{behind} files are"
    return [
        f"This folder was made by {made}; {files} newer in this one.",
        "Bring them in, and keep all that is yours: coursekit update",
    ]


def _lab_status(lab: Lab, progress: Progress, now: str) -> dict[str, Any]:
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


def _next_step(lab_id: str | None) -> str:
    if lab_id is None:
        transfer = manifest.transfer()
        return f"All five labs are done. Beside them there is {transfer.notebook}."
    lab = manifest.find(lab_id)
    return f"Next: lab {lab.id} in {lab.notebook}, then: coursekit check {lab.id}"
