"""`coursekit check 11.2`, cold: how long does a learner wait?

Run it: python benchmarks/check.py
It prints milliseconds from start to end of whole commands, the median of some rounds in
turn, and each as a ratio to a Python that does nothing. pytest runs the same checks of the
same folder, with the plugins that are installed.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from coursekit.course import COURSE
from coursekit.workbook import answer_files, practice

ROUNDS = 7


def main() -> None:
    """Measure, in turn so that a busy moment meets all alike, and print."""
    with tempfile.TemporaryDirectory() as workshop:
        folder = practice.make(COURSE, Path(workshop) / "practice")
        for lab in COURSE.exercises:
            answer_files.reveal(COURSE, folder, lab)
        python = [sys.executable]
        commands = {
            "python -c pass": [*python, "-c", "pass"],
            "coursekit check 11.2": [*python, "-m", "coursekit.cli", "check", "11.2"],
            "coursekit check": [*python, "-m", "coursekit.cli", "check"],
            "pytest, lab 11.2": [*python, "-m", "pytest", "-q", "-k", "11.2"],
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(ROUNDS):
            for name, command in commands.items():
                times[name].append(_milliseconds(command, folder))
    least = statistics.median(times["python -c pass"])
    print(f"{'':<24}{'median ms':>10}{'fastest ms':>12}{'ratio':>8}")
    for name, each in times.items():
        median = statistics.median(each)
        print(f"{name:<24}{median:>10.0f}{min(each):>12.0f}{median / least:>8.1f}")


def _milliseconds(command: list[str], folder: Path) -> float:
    start = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return (time.perf_counter() - start) * 1000


if __name__ == "__main__":
    main()
