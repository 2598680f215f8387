"""Where a learner stands: counted from the progress file, with nothing run."""

from pathlib import Path

from coursekit.course import COURSE
from coursekit.workbook import answer_files, hints, standing
from coursekit.workbook.progress import Progress


def test_status_counts_and_says_what_is_next(folder: Path) -> None:
    fresh = standing.status_json(folder)
    assert (fresh["passed"], fresh["total"], fresh["next"]) == (0, 14, "11.1")
    now = answer_files.fingerprint(folder, ["session.py"])
    progress = Progress(folder)
    progress.mark_checks({check.name: True for check in COURSE.labs[0].checks}, now)
    progress.mark_checks({"11.3/2": True}, "an older one")
    progress.mark_hints("11.3", 3)
    progress.mark_revealed("11.3")
    progress.save()
    (folder / "context.py").write_text("# another one\n", encoding="utf-8")
    later = standing.status_json(folder)
    assert (later["passed"], later["next"]) == (4, "11.2")
    assert later["labs"]["11.1"]["changed"] is False
    assert later["labs"]["11.3"]["changed"] is True
    text = standing.status_text(folder)
    assert "4/14" in text
    assert "1/3\n        revealed, 3 hints *\n" in text
    assert "3/3\n" in text
    assert text.count("* its file changed after this check") == 1
    assert "Next: lab 11.2" in text
    assert all(len(line) <= 80 for line in text.splitlines()[1:])


def test_status_fits_a_terminal_whatever_there_is_to_say(folder: Path) -> None:
    for lab in COURSE.exercises:
        answer_files.reveal(COURSE, folder, lab)
        hints.next_hint(folder, lab)
    progress = Progress(folder)
    names = [check.name for lab in COURSE.labs for check in lab.checks]
    progress.mark_checks(dict.fromkeys(names, True), "an older one")
    progress.save()
    lines = standing.status_text(folder).splitlines()[1:]
    assert max(map(len, lines)) <= 80
    assert sum("revealed, 1 hint *" in line for line in lines) == 5


def test_status_when_all_is_done_points_to_the_transfer_exercise(folder: Path) -> None:
    progress = Progress(folder)
    for lab in COURSE.labs:
        progress.mark_checks({check.name: True for check in lab.checks}, "x")
    progress.save()
    assert standing.status_json(folder)["next"] is None
    assert "transfer_ledger.ipynb" in standing.status_text(folder)


def test_status_speaks_of_the_transfer_exercise_once_it_was_begun(folder: Path) -> None:
    assert COURSE.transfer is not None
    assert "ledger" not in standing.status_text(folder)
    hints.next_hint(folder, COURSE.transfer)
    assert "  ledger: 1 hint" in standing.status_text(folder).splitlines()
    answer_files.reveal(COURSE, folder, COURSE.transfer)
    assert "  ledger: revealed, 1 hint" in standing.status_text(folder).splitlines()
    transfer = standing.status_json(folder)["transfer"]
    assert transfer == {"id": "ledger", "revealed": True, "hints": 1}
