"""Where a learner stands, from what the progress file remembers; nothing is run."""

from pathlib import Path
from typing import Any

from coursekit.workbook import edits, manifest
from coursekit.workbook.manifest import Lab
from coursekit.workbook.progress import Progress


def status_json(folder: Path) -> dict[str, Any]:
    """The labs with their last results, what was revealed and hinted, and what is next.

    `passed` counts checks that passed when they last ran; `changed` says that a
    file of the answers is another one since then. `next` is a lab id, or null.
    """
    progress = Progress(folder)
    now = edits.fingerprint(folder)
    labs = {lab.id: _lab_status(lab, progress, now) for lab in manifest.labs()}
    undone = [lab_id for lab_id, lab in labs.items() if lab["passed"] < lab["total"]]
    return {
        "folder": str(folder),
        "labs": labs,
        "passed": sum(lab["passed"] for lab in labs.values()),
        "total": sum(lab["total"] for lab in labs.values()),
        "revealed": progress.revealed,
        "predictions": len(progress.predictions),
        "next": undone[0] if undone else None,
    }


def status_text(folder: Path) -> str:
    """The same for a reader, in lines of at most 80 characters but for paths."""
    told = status_json(folder)
    lines = [f"Practice folder {folder}", ""]
    for lab in manifest.labs():
        state = told["labs"][lab.id]
        count = f"{state['passed']}/{state['total']}" if state["run"] else "-"
        notes = [
            "revealed" if state["revealed"] else "",
            f"hints {state['hints']}" if state["hints"] else "",
            "changed since" if state["changed"] else "",
        ]
        remark = ", ".join(note for note in notes if note)
        lines.append(f"  {lab.id}  {lab.title:<52}{count:>4}  {remark}".rstrip())
    transfer = manifest.transfer()
    if transfer.id in told["revealed"]:
        lines.append(f"  {transfer.id}: revealed")
    lines += ["", f"{told['passed']}/{told['total']} checks passed when they last ran."]
    if told["predictions"]:
        lines.append(f"Predictions made: {told['predictions']}.")
    lines.append(_next_step(told["next"]))
    return "\n".join(lines)


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
