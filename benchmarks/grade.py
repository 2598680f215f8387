"""What grading costs: coursekit grade beside nbgrader autograde and otter run.

All three grade the same right answers with the same 14 checks, in one run. Printed are
CPU seconds a submission, of a process and all that it started, and their ratios; then
what 10 to 200 submissions cost here. nbgrader and otter-grader are installed into an
environment of their own, in build/graders.

    python benchmarks/grade.py [--submissions 10 50 200]
"""

import argparse
import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from coursekit.check.observing import load_observations
from coursekit.check.outcome import compared_json
from coursekit.check.report import checks_of, expect
from coursekit.course import COURSE
from coursekit.workbook.right_answers import right_answer

ROOT = Path(__file__).resolve().parents[1]
GRADERS = ROOT / "build" / "graders"
CHECKS = [check.name for check in checks_of(COURSE)]
VARIANT = 20_000
AT_LEAST = {"nbgrader": 4, "otter": 20}

FIRST = "from coursekit.workbook import observe"
"""The cell that the course's own check cells begin with, too."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--submissions", type=int, nargs="+", default=[10, 50, 200])
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="coursekit-bench-") as folder:
        work = Path(folder)
        _write_answers(work / "answers")
        print("CPU seconds a submission, what a tool needs once left out:")
        ours = _marginal(work, _ours, 4, 24)
        print(f"  coursekit grade     {ours:7.3f}")
        _install()
        for name, run, few, many in (
            ("nbgrader", _nbgrader, 2, 8),
            ("otter", _otter, 1, 3),
        ):
            theirs = _marginal(work, run, few, many)
            print(
                f"  {name:<19} {theirs:7.3f}   {theirs / ours:5.1f} times as much "
                f"(at least {AT_LEAST[name]} wanted)"
            )
        print("coursekit grade, all in:")
        for number in asked.submissions:
            began = time.monotonic()
            spent = _ours(work, number)
            wall = time.monotonic() - began
            print(
                f"  {number:4} submissions  {spent:7.1f} CPU s  {spent / number:6.3f} each  "
                f"{wall:7.1f} s of wall time"
            )


def _marginal(work: Path, run: Any, few: int, many: int) -> float:
    """CPU seconds of one more submission."""
    return float((run(work, many) - run(work, few)) / (many - few))


def _cpu(command: Sequence[str | Path], cwd: Path, **environment: str) -> float:
    """CPU seconds of a command and of all that it starts, whoever waits for that."""
    group, usage = _group()
    before = usage()
    done = subprocess.run(
        ["sh", "-c", f'echo $$ > {group}/cgroup.procs && exec "$@"', "sh", *map(str, command)],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    return usage() - before


@cache
def _group() -> tuple[Path, Callable[[], float]]:
    """A cgroup that counts: what ends behind walls is in no parent's account."""
    name = f"coursekit-bench-{os.getpid()}"
    first, second = Path("/sys/fs/cgroup/cpuacct") / name, Path("/sys/fs/cgroup") / name
    for group in (first, second):
        try:
            group.mkdir()
        except OSError:
            continue
        atexit.register(group.rmdir)
        if group is first:
            return group, lambda: int((first / "cpuacct.usage").read_text()) / 1e9
        return group, lambda: int((second / "cpu.stat").read_text().split()[1]) / 1e6
    sys.exit("This benchmark counts with a cgroup, and can't make one here: run it as root.")


def _write_answers(folder: Path) -> None:
    folder.mkdir()
    for module in COURSE.modules:
        (folder / module).write_bytes(right_answer(COURSE, module))


@cache
def _test(name: str) -> str:
    """A check as a graded cell: what the course's check cell shows, and what it must be."""
    case = COURSE.case(name, VARIANT)
    seen = expect(COURSE, case, load_observations(COURSE.observations))
    expected = [compared_json(*pair) for pair in zip(case.steps, seen, strict=True)]
    return f"assert observe({name!r}, {VARIANT}) == {expected!r}"


# --- the three graders ------------------------------------------------------------


def _ours(work: Path, number: int) -> float:
    submissions, out = work / "submissions", work / "report"
    for folder in (submissions, out):
        shutil.rmtree(folder, ignore_errors=True)
    for i in range(number):
        (submissions / f"student {i}").mkdir(parents=True)
        for module in COURSE.modules:
            shutil.copyfile(work / "answers" / module, submissions / f"student {i}" / module)
    command: list[str | Path] = [
        sys.executable,
        "-m",
        "coursekit.cli",
        "grade",
        submissions,
        "--out",
        out,
    ]
    # One at a time, as the peers: side by side, hyper-threads bill each other's waiting.
    return _cpu([*command, "--variant", str(VARIANT), "--jobs", "1"], work)


def _nbgrader(work: Path, number: int) -> float:
    course = work / "course"
    shutil.rmtree(course, ignore_errors=True)
    source = course / "source" / "labs"
    source.mkdir(parents=True)
    notebook = _notebook(
        [
            ({"grade": True, "points": 1, "locked": True}, _test(name), f"check{i}")
            for i, name in enumerate(CHECKS)
        ]
    )
    (source / "labs.ipynb").write_text(json.dumps(notebook))
    tool = GRADERS / "bin" / "nbgrader"
    _cpu([tool, "generate_assignment", "labs", "--course-dir", course], course, **_peers())
    for i in range(number):
        place = course / "submitted" / f"student{i}" / "labs"
        shutil.copytree(work / "answers", place)
        shutil.copyfile(course / "release" / "labs" / "labs.ipynb", place / "labs.ipynb")
    return _cpu([tool, "autograde", "labs", "--course-dir", course], course, **_peers())


def _otter(work: Path, number: int) -> float:
    folder = work / "otter"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(work / "answers", folder)
    (folder / "tests").mkdir()
    for i, name in enumerate(CHECKS):
        case = {"code": f">>> {FIRST}\n>>> {_test(name)}", "hidden": False, "locked": False}
        suite = {"cases": [case], "scored": True, "setup": "", "teardown": "", "type": "doctest"}
        test = {"name": f"check{i}", "points": 1, "suites": [suite]}
        (folder / "tests" / f"check{i}.py").write_text(f"OK_FORMAT = True\n\ntest = {test!r}\n")
    (folder / "labs.ipynb").write_text(json.dumps(_notebook([])))
    tool = GRADERS / "bin" / "otter"
    files = ["session.py", "context.py"]
    made = ["-t", "tests", "-o", "autograder.zip", "--no-environment"]
    _cpu([tool, "generate", *made, *files], folder, **_peers())
    return sum(
        _cpu([tool, "run", "-a", "autograder.zip", "labs.ipynb"], folder, **_peers())
        for _ in range(number)
    )


def _notebook(cells: Sequence[tuple[dict[str, Any], str, str]]) -> dict[str, Any]:
    """A notebook whose first cell imports, with these graded cells."""
    grade = {"schema_version": 3, "solution": False, "task": False}
    made: list[dict[str, Any]] = [
        {"cell_type": "code", "id": "first", "metadata": {}, "source": FIRST}
    ]
    for metadata, source, name in cells:
        marked = {"nbgrader": grade | metadata | {"grade_id": name}}
        made.append({"cell_type": "code", "id": name, "metadata": marked, "source": source})
    for cell in made:
        cell |= {"execution_count": None, "outputs": []}
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return {"cells": made, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def _peers() -> dict[str, str]:
    """The environment of the peers: their programs by name, and the course to import."""
    path = f"{GRADERS / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return {"PATH": path, "PYTHONPATH": str(ROOT)}


def _install() -> None:
    """nbgrader and otter-grader, once."""
    if not (GRADERS / "bin" / "otter").exists():
        print("installing nbgrader and otter-grader into build/graders …", flush=True)
        venv.create(GRADERS, with_pip=True)
        _cpu([GRADERS / "bin" / "pip", "install", "-q", "nbgrader", "otter-grader"], ROOT)


if __name__ == "__main__":
    main()
