"""The shell: `coursekit VERB`, one thin command per verb.

Only argparse is imported to read a command line; each verb imports what it needs.
Over 300 lines, because every verb has its arguments and its one function here, and no more.
An exit status of 1 says that a check did not pass, 2 that the command failed.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from coursekit import __version__

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
    from coursekit.check.coursekit_error import CoursekitError

    try:
        status: int = asked.run(asked)
        sys.stdout.flush()
    except CoursekitError as problem:
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


def _print_json(value: object) -> None:
    """Print for a program: in ASCII, so that no terminal's encoding loses a character."""
    import json

    print(json.dumps(value, indent=2))


# --- what a command line is made of ------------------------------------------------

_Run = Callable[[argparse.Namespace], int]
_Argument = tuple[Sequence[str], dict[str, Any]]

_VERBS: list[tuple[_Run, str, str, Sequence[_Argument]]] = []
"""Function, help, example and arguments of each verb, in the order of the help."""


def _verb(help: str, example: str, *arguments: _Argument) -> Callable[[_Run], _Run]:
    """Make `_draw`, say, the command `coursekit draw`; its help ends with the example."""

    def add(run: _Run) -> _Run:
        _VERBS.append((run, help, example, arguments))
        return run

    return add


def _argument(*names: str, **settings: Any) -> _Argument:
    """An argument as `argparse` takes it."""
    return names, settings


def _json(help: str) -> _Argument:
    return _argument("--json", action="store_true", help=help)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="coursekit",
        description="A workbook on how a coding agent's session works.",
        epilog="Begin with: coursekit lab",
    )
    parser.add_argument("--version", action="version", version=f"coursekit {__version__}")
    parser.set_defaults(run=None)
    verbs = parser.add_subparsers(title="verbs", metavar="VERB")
    for run, help, example, arguments in _VERBS:
        verb = verbs.add_parser(
            run.__name__.removeprefix("_"),
            help=help,
            description=f"{help[0].upper()}{help[1:]}.",
            epilog=f"Example: coursekit {example}",
        )
        for names, settings in arguments:
            verb.add_argument(*names, **settings)
        verb.set_defaults(run=run)
    return parser


def _at_least_one(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return number


_DIR = _argument(
    "--dir",
    type=Path,
    help="the practice folder (default: the one you stand in, else ./practice)",
)
_COURSE = _argument(
    "--course",
    type=Path,
    metavar="PACKAGE",
    help="another course: the folder of its package (default: the built-in one)",
)
_LAB = _argument("lab", metavar="LAB", help="such as 11.2")
_FILE = _argument("file", metavar="FILE", type=Path, help="a course file, or one of Pi's")

# --- the verbs --------------------------------------------------------------------


@_verb(
    "open JupyterLab on a practice folder",
    "lab my-practice",
    _argument(
        "folder",
        metavar="DIR",
        nargs="?",
        type=Path,
        help="made if missing (default: the folder you stand in, else ./practice)",
    ),
    _argument("--port", type=int, help="the first port to try (default: 8888)"),
    _argument("--ip", help="the address to listen on (0.0.0.0 inside a container)"),
    _argument("--no-browser", action="store_true", help="print the address, open nothing"),
    _COURSE,
)
def _lab(asked: argparse.Namespace) -> int:
    from coursekit.workbook import jupyter, practice
    from coursekit.workbook.chosen_course import course_at

    folder = practice.find_or_name(asked.folder)
    if not folder.exists():
        practice.make(course_at(asked.course), folder)
        print(f"Made {folder}")
    practice.find(folder)
    return jupyter.open_lab(folder, port=asked.port, ip=asked.ip, browser=not asked.no_browser)


@_verb(
    "make a new practice folder",
    "practice my-practice",
    _argument(
        "folder",
        metavar="DIR",
        nargs="?",
        type=Path,
        default=Path("practice"),
        help="a name not yet taken (default: ./practice)",
    ),
    _COURSE,
)
def _practice(asked: argparse.Namespace) -> int:
    import shlex

    from coursekit.workbook import practice
    from coursekit.workbook.chosen_course import course_at

    folder = practice.make(course_at(asked.course), asked.folder)
    print(f"Made {folder}")
    print(f"Next: coursekit lab {shlex.quote(str(asked.folder))}")
    return OK


@_verb(
    "check labs; exit 0 only if all pass",
    "check 11.2",
    _argument("labs", metavar="LAB", nargs="*", help="such as 11.2 (default: all)"),
    _json("print the results as JSON"),
    _argument(
        "--watch",
        action="store_true",
        help="check again whenever a file is saved, and go on when a lab passes",
    ),
    _DIR,
)
def _check(asked: argparse.Namespace) -> int:
    if asked.watch:
        return _watch(asked)
    from coursekit.workbook import practice
    from coursekit.workbook.attempt import attempt, report_text
    from coursekit.workbook.chosen_course import course_of

    folder = practice.find(asked.dir)
    course = course_of(folder)
    labs = [lab.id for lab in course.choose(asked.labs)]
    report, problem = attempt(course, labs, folder)
    if asked.json:
        _print_json(report.to_json())
    else:
        print(report_text(course, report))
    if problem:
        print(f"coursekit: {problem}", file=sys.stderr)
    return OK if report.passed == report.total else NOT_PASSED


def _watch(asked: argparse.Namespace) -> int:
    from coursekit.check.coursekit_error import CoursekitError
    from coursekit.workbook import practice
    from coursekit.workbook.chosen_course import course_of
    from coursekit.workbook.watch import watch

    folder = practice.find(asked.dir)
    course = course_of(folder)
    labs = course.choose(asked.labs)
    if asked.json or len(asked.labs) > 1:
        raise CoursekitError(
            "--watch takes one lab to begin at, or none, and no --json: coursekit check --watch "
            f"{labs[0].id}"
        )
    try:
        return OK if watch(course, folder, labs[0] if asked.labs else None) else NOT_PASSED
    except KeyboardInterrupt:
        print("\nNo longer watching.")
        raise


@_verb(
    "show the goal of the course, or of a lab",
    "checkpoint",
    _argument("lab", metavar="LAB", nargs="?", help="such as 11.2"),
    _COURSE,
)
def _checkpoint(asked: argparse.Namespace) -> int:
    from coursekit.workbook import checkpoint
    from coursekit.workbook.chosen_course import course_at, course_here

    course = course_at(asked.course) if asked.course else course_here()
    if asked.lab is None:
        print(checkpoint.course_text(course))
    else:
        print(checkpoint.lab_text(course.find(asked.lab)))
    return OK


@_verb("show what is done, and what is next", "status", _json("print it as JSON"), _DIR)
def _status(asked: argparse.Namespace) -> int:
    from coursekit.workbook import practice
    from coursekit.workbook.standing import status_json, status_text

    folder = practice.find(asked.dir)
    if asked.json:
        _print_json(status_json(folder))
    else:
        print(status_text(folder))
    return OK


@_verb("show the next hint of a lab", "hint 11.2", _LAB, _DIR)
def _hint(asked: argparse.Namespace) -> int:
    from coursekit.workbook import practice
    from coursekit.workbook.chosen_course import course_of
    from coursekit.workbook.hints import next_hint
    from coursekit.workbook.shown_text import wrapped

    folder = practice.find(asked.dir)
    print(wrapped(next_hint(folder, course_of(folder).find(asked.lab))))
    return OK


@_verb("start a lab over, with a backup", "reset 11.2", _LAB, _DIR)
def _reset(asked: argparse.Namespace) -> int:
    from coursekit.workbook import answer_files, practice
    from coursekit.workbook.chosen_course import course_of

    folder = practice.find(asked.dir)
    course = course_of(folder)
    lab = course.find(asked.lab)
    backup = answer_files.reset(course, folder, lab)
    print(f"{lab.module}: {lab.function} is the starter's again.")
    print(f"What was there is kept in {backup}" if backup else "Nothing of yours was in its place.")
    return OK


@_verb(
    "fill a lab in, so that a later one can be tried",
    "reveal 11.1",
    _argument("lab", metavar="LAB", help="such as 11.1, or all"),
    _DIR,
)
def _reveal(asked: argparse.Namespace) -> int:
    from coursekit.workbook import answer_files, practice
    from coursekit.workbook.chosen_course import course_of

    folder = practice.find(asked.dir)
    course = course_of(folder)
    labs = course.exercises if asked.lab == "all" else (course.find(asked.lab),)
    for lab in labs:
        backup = answer_files.reveal(course, folder, lab)
        print(f"{lab.module}: {lab.function} is filled in.")
        if backup:
            print(f"  What was there is kept in {backup}")
    return OK


@_verb("bring a newer release's course into the folder", "update", _DIR)
def _update(asked: argparse.Namespace) -> int:
    from coursekit.workbook import practice, update

    print(update.update_text(update.update(practice.find(asked.dir))))
    return OK


@_verb(
    "say what the course lacks here, and how to mend it",
    "doctor",
    _json("print what was found as JSON"),
    _DIR,
)
def _doctor(asked: argparse.Namespace) -> int:
    from coursekit.grading.sandbox import availability
    from coursekit.workbook import doctor

    also = [doctor.SlowLook("Raising walls to try them …", availability.examine)]
    if asked.json:
        found = list(doctor.examine(asked.dir, also))
        as_json = [each.to_json() for each in found]
        _print_json({"fit": doctor.is_fit(found), "findings": as_json})
    else:
        found = doctor.print_requirements(asked.dir, also)
    return OK if doctor.is_fit(found) else NOT_PASSED


@_verb(
    "draw the tree of a session file",
    "draw s.jsonl -o tree.svg",
    _FILE,
    _argument(
        "-o", dest="out", metavar="OUT", type=Path, help=".svg, .png, .dot or .txt (default: text)"
    ),
    _argument("--leaf", metavar="ID", help="the entry to stand at (default: the newest)"),
    _argument("--unfold", action="store_true", help="show every entry of a long run"),
)
def _draw(asked: argparse.Namespace) -> int:
    from coursekit.view import Leaf, RenderError, draw
    from coursekit.view.session_file import load

    _ask_for_patience(asked.file)
    try:
        file = load(asked.file)
        picture = draw(file, leaf=asked.leaf or Leaf.CURRENT, unfold=asked.unfold)
        if asked.out is None:
            print(picture.text)
        else:
            print(f"Drew {picture.save(asked.out)}")
    except (ValueError, RenderError) as problem:
        return _fail(str(problem))
    for warning in file.warnings:
        print(f"coursekit: {warning}", file=sys.stderr)
    return OK


@_verb(
    "say what is wrong with a session file",
    "diagnose s.jsonl",
    _FILE,
    _json("print the findings as JSON"),
)
def _diagnose(asked: argparse.Namespace) -> int:
    from coursekit.diagnose import diagnose

    _ask_for_patience(asked.file)
    findings = diagnose(asked.file)
    if asked.json:
        _print_json([finding.to_json() for finding in findings])
    else:
        from coursekit.diagnose.printout import findings_text

        print(findings_text(findings, asked.file))
    return NOT_PASSED if any(each.severity == "error" for each in findings) else OK


_LARGE_FILE = 50_000_000
"""Bytes; from here on reading may take more than two seconds."""


def _ask_for_patience(file: Path) -> None:
    if sys.stderr.isatty() and file.stat().st_size > _LARGE_FILE:
        print("Reading a large file; this takes some seconds.", file=sys.stderr)


@_verb(
    "make a folder of submissions from what a platform hands over",
    "collect class.zip --out submissions",
    _argument(
        "source", metavar="SOURCE", type=Path, help="a folder, a zip or a tar of the whole class"
    ),
    _argument(
        "--out",
        metavar="DIR",
        type=Path,
        default=Path("submissions"),
        help="a new folder (default: ./submissions)",
    ),
    _argument(
        "--layout",
        default="auto",
        metavar="NAME",
        help="auto (default), folders, moodle, canvas, blackboard, classroom, nbgrader, ilias",
    ),
    _json("print what became of each file as JSON"),
    _COURSE,
)
def _collect(asked: argparse.Namespace) -> int:
    from coursekit.grading.intake.account_table import account_text
    from coursekit.grading.intake.collect import collect
    from coursekit.workbook.chosen_course import course_at

    account = collect(course_at(asked.course), asked.source, asked.out, asked.layout)
    if asked.json:
        _print_json(account.to_json())
    else:
        print(account_text(account))
        print(f"Next: coursekit grade {asked.out}")
    return OK


@_verb(
    "grade a folder of submissions",
    "grade submissions --out report",
    _argument(
        "submissions", metavar="SUBMISSIONS", type=Path, help="a folder or a zip for each student"
    ),
    _argument("--out", metavar="DIR", type=Path, default=Path("grades"), help="default: ./grades"),
    _argument(
        "--variant", metavar="N", type=int, help="of the cases (default: one that nobody knows)"
    ),
    _argument(
        "--jobs", metavar="N", type=_at_least_one, help="at a time (default: one for each CPU)"
    ),
    _argument(
        "--timeout",
        metavar="S",
        type=_at_least_one,
        default=60,
        help="seconds for one submission (default: 60)",
    ),
    _argument(
        "--memory",
        metavar="MB",
        type=_at_least_one,
        default=512,
        help="for one submission (default: 512)",
    ),
    _argument(
        "--isolation",
        choices=["auto", "bwrap", "process"],
        default="auto",
        help="what stands around answers; process is weaker (default: auto)",
    ),
    _argument("--resume", action="store_true", help="go on with an earlier run, repeating nothing"),
    _argument(
        "--show-expected", action="store_true", help="show students the expected values, too"
    ),
    _COURSE,
)
def _grade(asked: argparse.Namespace) -> int:
    from coursekit.grading.grade import GradeOptions, grade, summary
    from coursekit.workbook.chosen_course import course_at

    options = {key: value for key, value in vars(asked).items() if key != "run"}
    options["course"] = course_at(asked.course)
    try:
        records = grade(GradeOptions(**options))
    except KeyboardInterrupt:
        print("\nStopped. What is graded is kept; go on with: --resume", file=sys.stderr)
        return 130
    print(summary(records, asked.out))
    return NOT_PASSED if any(each.status == "infrastructure" for each in records) else OK


if __name__ == "__main__":
    sys.exit(main())
