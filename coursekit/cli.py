"""The shell: `coursekit VERB`, one thin command per verb.

Only argparse is imported to read a command line; each verb imports what it needs.
An exit status of 1 says that a check did not pass, 2 that the command failed.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from coursekit import __version__

if TYPE_CHECKING:
    from coursekit.workbook.doctor import Finding
    from coursekit.workbook.manifest import Lab

OK, NOT_PASSED, FAILED = 0, 1, 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and give its exit status."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that can't show a character must not stop a learner.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    parser = _parser()
    asked = parser.parse_args(argv)
    if asked.run is None:
        parser.print_help()
        return OK
    from coursekit.workbook.errors import WorkbookError

    try:
        status: int = asked.run(asked)
        sys.stdout.flush()
    except WorkbookError as problem:
        return _fail(str(problem))
    except BrokenPipeError:  # the reader, `head` say, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except OSError as problem:
        named = problem.filename is not None and problem.strerror
        return _fail(f"{problem.filename}: {problem.strerror}" if named else str(problem))
    except KeyboardInterrupt:
        return 130
    return status


def _fail(message: str) -> int:
    print(f"coursekit: {message}", file=sys.stderr)
    return FAILED


# --- the verbs --------------------------------------------------------------------


def _lab(asked: argparse.Namespace) -> int:
    from coursekit.workbook import jupyter, practice

    folder = _folder_for_lab(asked.folder)
    if not folder.exists():
        practice.make(folder)
        print(f"Made {folder}")
    practice.find(folder)
    return jupyter.open_lab(folder, port=asked.port, ip=asked.ip, browser=not asked.no_browser)


def _folder_for_lab(given: Path | None) -> Path:
    """Where to open JupyterLab: as asked, else the folder you stand in, else `practice`."""
    from coursekit.workbook import practice
    from coursekit.workbook.errors import WorkbookError

    if given is not None:
        return given.absolute()
    try:
        return practice.find()
    except WorkbookError:
        return Path(practice.DEFAULT).absolute()


def _practice(asked: argparse.Namespace) -> int:
    from coursekit.workbook import practice

    folder = practice.make(asked.folder)
    print(f"Made {folder}")
    print(f"Next: coursekit lab {_shown(asked.folder)}")
    return OK


def _check(asked: argparse.Namespace) -> int:
    from coursekit.workbook import manifest, practice

    labs = _labs(asked.labs, manifest.labs())
    folder = practice.find(asked.dir)
    if asked.watch:
        return _watch(asked, folder, labs)
    from coursekit.workbook import attempt

    report, problem = attempt.attempt([lab.id for lab in labs], folder)
    if asked.json:
        import json

        print(json.dumps(report.to_json(), indent=2, ensure_ascii=False))
    else:
        print(attempt.report_text(report))
    if problem:
        print(f"coursekit: {problem}", file=sys.stderr)
    return OK if report.passed == report.total else NOT_PASSED


def _watch(asked: argparse.Namespace, folder: Path, labs: Sequence["Lab"]) -> int:
    from coursekit.workbook import watch
    from coursekit.workbook.errors import WorkbookError

    if asked.json or len(asked.labs) > 1:
        raise WorkbookError(
            "--watch takes one lab to begin at, or none, and no --json: coursekit check --watch "
            f"{labs[0].id}"
        )
    try:
        return OK if watch.watch(folder, labs[0] if asked.labs else None) else NOT_PASSED
    except KeyboardInterrupt:
        print("\nNo longer watching.")
        raise


def _checkpoint(asked: argparse.Namespace) -> int:
    from coursekit.workbook import card, manifest

    if asked.lab is None:
        print(card.course_card())
    else:
        print(card.lab_card(manifest.find(asked.lab)))
    return OK


def _status(asked: argparse.Namespace) -> int:
    from coursekit.workbook import overview, practice

    folder = practice.find(asked.dir)
    if asked.json:
        import json

        print(json.dumps(overview.status_json(folder), indent=2, ensure_ascii=False))
    else:
        print(overview.status_text(folder))
    return OK


def _hint(asked: argparse.Namespace) -> int:
    from coursekit.workbook import card, hints, manifest, practice

    lab = manifest.find(asked.lab)
    print(card.wrapped(hints.next_hint(practice.find(asked.dir), lab)))
    return OK


def _reset(asked: argparse.Namespace) -> int:
    from coursekit.workbook import edits, manifest, practice

    lab = manifest.find(asked.lab)
    backup = edits.reset(practice.find(asked.dir), lab)
    print(f"{lab.module}: {lab.function} is the starter's again.")
    print(f"What was there is kept in {backup}" if backup else "Nothing of yours was in its place.")
    return OK


def _reveal(asked: argparse.Namespace) -> int:
    from coursekit.workbook import edits, manifest, practice

    labs = manifest.exercises() if asked.lab == "all" else (manifest.find(asked.lab),)
    folder = practice.find(asked.dir)
    for lab in labs:
        backup = edits.reveal(folder, lab)
        print(f"{lab.module}: {lab.function} is filled in.")
        if backup:
            print(f"  What was there is kept in {backup}")
    return OK


def _update(asked: argparse.Namespace) -> int:
    from coursekit.workbook import practice, update

    print(update.update_text(update.update(practice.find(asked.dir))))
    return OK


def _doctor(asked: argparse.Namespace) -> int:
    from coursekit.workbook import doctor

    shows = sys.stderr.isatty() and not asked.json
    findings = []
    for finding in doctor.examine(asked.dir, say=_say_for_now if shows else lambda told: None):
        findings.append(finding)
        if shows:
            _say_for_now("")
        if not asked.json:
            print(doctor.finding_text(finding), flush=True)
    if shows:
        _say_for_now("Raising walls for a trial …")
    findings.append(_isolation())
    if shows:
        _say_for_now("")
    fit = doctor.is_fit(findings)
    if asked.json:
        import json

        told = {"fit": fit, "findings": [each.to_json() for each in findings]}
        print(json.dumps(told, indent=2, ensure_ascii=False))
    else:
        print(doctor.finding_text(findings[-1]))
        ending = "All that a learner needs is here." if fit else "What is MISSING is needed."
        print(f"\n{ending}")
    return OK if fit else NOT_PASSED


def _say_for_now(told: str) -> None:
    """A line on the terminal that the next one takes the place of."""
    print(f"\r\x1b[K{told}", end="", file=sys.stderr, flush=True)


def _isolation() -> "Finding":
    """Whether the walls that grading puts around answers can be raised here."""
    from coursekit.workbook.doctor import Finding

    if not sys.platform.startswith("linux"):
        return Finding("isolation", "optional", "grading needs Linux; the course does not")
    try:
        from coursekit.grading.walls import describe
    except ImportError as problem:
        return Finding("isolation", "optional", f"grading can't be loaded: {problem}")
    told = describe()
    state: Literal["good", "optional"] = "good" if "bubblewrap works" in told else "optional"
    return Finding("isolation", state, told)


def _draw(asked: argparse.Namespace) -> int:
    from coursekit.view import Leaf, RenderError, ViewError, draw
    from coursekit.view.files import load

    _ask_for_patience(asked.file)
    try:
        file = load(asked.file)
        picture = draw(file, leaf=asked.leaf or Leaf.CURRENT, unfold=asked.unfold)
        if asked.out is None:
            print(picture.text)
        else:
            print(f"Drew {picture.save(asked.out)}")
    except (ViewError, RenderError, ValueError) as problem:
        return _fail(str(problem))
    for warning in file.warnings:
        print(f"coursekit: {warning}", file=sys.stderr)
    return OK


def _diagnose(asked: argparse.Namespace) -> int:
    from coursekit.diagnose import diagnose

    _ask_for_patience(asked.file)
    findings = diagnose(asked.file)
    if asked.json:
        import json

        print(json.dumps([finding.to_json() for finding in findings], indent=2))
    else:
        from coursekit.diagnose.told import findings_text

        print(findings_text(findings, asked.file))
    return NOT_PASSED if any(each.severity == "error" for each in findings) else OK


_LARGE_FILE = 50_000_000
"""Bytes; from here on reading may take more than two seconds."""


def _ask_for_patience(file: Path) -> None:
    if sys.stderr.isatty() and file.stat().st_size > _LARGE_FILE:
        print("Reading a large file; this takes some seconds.", file=sys.stderr)


def _grade(asked: argparse.Namespace) -> int:
    from coursekit.grading.supervisor import Grading, grade, summary

    given = {key: value for key, value in vars(asked).items() if key != "run"}
    try:
        records = grade(Grading(**given))
    except KeyboardInterrupt:
        print("\nStopped. What is graded is kept; go on with: --resume", file=sys.stderr)
        return 130
    print(summary(records, asked.out))
    return NOT_PASSED if any(each.status == "infrastructure" for each in records) else OK


def _labs(asked: Sequence[str], known: Sequence["Lab"]) -> list["Lab"]:
    """The labs asked for, each once, in the order asked; all of them if none was."""
    from coursekit.workbook import manifest

    if not asked:
        return list(known)
    return [manifest.find(lab_id, known) for lab_id in dict.fromkeys(asked)]


def _shown(path: Path) -> str:
    import shlex

    return shlex.quote(str(path))


# --- the command line ---------------------------------------------------------------


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="coursekit",
        description="A workbook on how a coding agent's session works.",
        epilog="Begin with: coursekit lab",
    )
    parser.add_argument("--version", action="version", version=f"coursekit {__version__}")
    parser.set_defaults(run=None)
    verbs = parser.add_subparsers(title="verbs", metavar="VERB")

    lab = _verb(verbs, "lab", _lab, "open JupyterLab on a practice folder", "lab my-practice")
    lab.add_argument(
        "folder",
        metavar="DIR",
        nargs="?",
        type=Path,
        help="made if missing (default: the folder you stand in, else ./practice)",
    )
    lab.add_argument("--port", type=int, help="the first port to try (default: 8888)")
    lab.add_argument("--ip", help="the address to listen on (0.0.0.0 inside a container)")
    lab.add_argument("--no-browser", action="store_true", help="print the address, open nothing")

    practice = _verb(
        verbs, "practice", _practice, "make a new practice folder", "practice my-practice"
    )
    practice.add_argument(
        "folder",
        metavar="DIR",
        nargs="?",
        type=Path,
        default=Path("practice"),
        help="a name not yet taken (default: ./practice)",
    )

    check = _verb(verbs, "check", _check, "check labs; exit 0 only if all pass", "check 11.2")
    check.add_argument("labs", metavar="LAB", nargs="*", help="such as 11.2 (default: all five)")
    check.add_argument("--json", action="store_true", help="print the results as JSON")
    check.add_argument(
        "--watch",
        action="store_true",
        help="check again whenever a file is saved, and go on when a lab passes",
    )
    _takes_dir(check)

    checkpoint = _verb(
        verbs, "checkpoint", _checkpoint, "tell the goal of the course, or of a lab", "checkpoint"
    )
    checkpoint.add_argument("lab", metavar="LAB", nargs="?", help="such as 11.2")

    status = _verb(verbs, "status", _status, "tell what is done, and what is next", "status")
    status.add_argument("--json", action="store_true", help="print it as JSON")
    _takes_dir(status)

    hint = _verb(verbs, "hint", _hint, "give the next hint of a lab", "hint 11.2")
    hint.add_argument("lab", metavar="LAB", help="such as 11.2")
    _takes_dir(hint)

    reset = _verb(verbs, "reset", _reset, "start a lab over, with a backup", "reset 11.2")
    reset.add_argument("lab", metavar="LAB", help="such as 11.2")
    _takes_dir(reset)

    reveal = _verb(
        verbs, "reveal", _reveal, "fill a lab in, so that a later one can be tried", "reveal 11.1"
    )
    reveal.add_argument("lab", metavar="LAB", help="such as 11.1, or all")
    _takes_dir(reveal)

    update = _verb(
        verbs, "update", _update, "bring a newer release's course into the folder", "update"
    )
    _takes_dir(update)

    doctor = _verb(
        verbs, "doctor", _doctor, "say what the course lacks here, and how to mend it", "doctor"
    )
    doctor.add_argument("--json", action="store_true", help="print the findings as JSON")
    _takes_dir(doctor)

    draw = _verb(
        verbs, "draw", _draw, "draw the tree of a session file", "draw s.jsonl -o tree.svg"
    )
    draw.add_argument("file", metavar="FILE", type=Path, help="a course file, or one of Pi's")
    draw.add_argument(
        "-o", dest="out", metavar="OUT", type=Path, help=".svg, .png, .dot or .txt (default: text)"
    )
    draw.add_argument("--leaf", metavar="ID", help="the entry to stand at (default: the newest)")
    draw.add_argument("--unfold", action="store_true", help="show every entry of a long run")

    diagnose = _verb(
        verbs, "diagnose", _diagnose, "say what is wrong with a session file", "diagnose s.jsonl"
    )
    diagnose.add_argument("file", metavar="FILE", type=Path, help="a course file, or one of Pi's")
    diagnose.add_argument("--json", action="store_true", help="print the findings as JSON")

    grade = _verb(
        verbs, "grade", _grade, "grade a folder of submissions", "grade submissions --out report"
    )
    grade.add_argument(
        "submissions", metavar="SUBMISSIONS", type=Path, help="a folder or a zip for each student"
    )
    grade.add_argument(
        "--out", metavar="DIR", type=Path, default=Path("grades"), help="default: ./grades"
    )
    grade.add_argument(
        "--variant", metavar="N", type=int, help="of the cases (default: one that nobody knows)"
    )
    grade.add_argument(
        "--jobs", metavar="N", type=_at_least_one, help="at a time (default: one for each CPU)"
    )
    grade.add_argument(
        "--timeout",
        metavar="S",
        type=_at_least_one,
        default=60,
        help="seconds for one submission (default: 60)",
    )
    grade.add_argument(
        "--memory",
        metavar="MB",
        type=_at_least_one,
        default=512,
        help="for one submission (default: 512)",
    )
    grade.add_argument(
        "--isolation",
        choices=["auto", "bwrap", "process"],
        default="auto",
        help="what stands around answers; process is weaker (default: auto)",
    )
    grade.add_argument(
        "--resume", action="store_true", help="go on with an earlier run, repeating nothing"
    )
    grade.add_argument(
        "--show-expected", action="store_true", help="tell students the expected values, too"
    )
    return parser


def _at_least_one(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return number


def _verb(
    verbs: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    run: Callable[[argparse.Namespace], int],
    help: str,
    example: str,
) -> argparse.ArgumentParser:
    """A verb's own parser; its help ends with an example."""
    parser = verbs.add_parser(
        name,
        help=help,
        description=f"{help[0].upper()}{help[1:]}.",
        epilog=f"Example: coursekit {example}",
    )
    parser.set_defaults(run=run)
    return parser


def _takes_dir(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--dir",
        type=Path,
        help="the practice folder (default: the one you stand in, else ./practice)",
    )


if __name__ == "__main__":
    sys.exit(main())
