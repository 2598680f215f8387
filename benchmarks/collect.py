"""`coursekit collect` on a class of 1,000: how long, and how much memory?

Run it: python benchmarks/collect.py
It prints seconds of wall time and the most memory of the whole command, for a class in a
folder, a zip and a compressed tar. Each student has two answers, a file of progress and a
notebook.
"""

import io
import os
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

from coursekit.course import COURSE

STUDENTS = 1_000


def main() -> None:
    """Make the class in each form, collect it, and print."""
    print(f"{STUDENTS:,} submissions, {4 * STUDENTS:,} files")
    print(f"{'source':<28}{'seconds':>8}{'MB':>6}")
    with tempfile.TemporaryDirectory() as workshop:
        work = Path(workshop)
        for name, source in _sources(work):
            seconds, megabytes = _collected(source, work / f"out of {source.name}")
            print(f"{name:<28}{seconds:>8.1f}{megabytes:>6.0f}")


def _files() -> Iterator[tuple[str, bytes]]:
    answers = [(name, (COURSE.starters / name).read_bytes()) for name in COURSE.modules]
    for number in range(STUDENTS):
        base = f"Student {number}_{10_000 + number}_assignsubmission_file_"
        for name, content in answers:
            yield f"{base}/{name}", content
        yield f"{base}/.coursekit.json", b"{}"
        yield f"{base}/labs.ipynb", b'{"cells": []}'


def _sources(work: Path) -> Iterator[tuple[str, Path]]:
    folder = work / "class"
    for name, content in _files():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    yield "a folder", folder
    with zipfile.ZipFile(work / "class.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in _files():
            packed.writestr(name, content)
    yield "a zip", work / "class.zip"
    with tarfile.open(work / "class.tar.gz", "w:gz") as tar:
        for name, content in _files():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    yield "a compressed tar", work / "class.tar.gz"
    with zipfile.ZipFile(work / "zips.zip", "w") as packed:
        for number in range(STUDENTS):
            inner = io.BytesIO()
            with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as own:
                for name in COURSE.modules:
                    own.writestr(f"practice/{name}", (COURSE.starters / name).read_bytes())
            base = f"student{number}_{number}_{5_000 + number}_labs.zip"
            packed.writestr(base, inner.getvalue())
    yield "a zip of zips", work / "zips.zip"


def _collected(source: Path, out: Path) -> tuple[float, float]:
    command: list[str | Path] = [
        sys.executable,
        "-m",
        "coursekit.cli",
        "collect",
        source,
        "--out",
        out,
    ]
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"coursekit collect ended with {child.returncode}")
    return seconds, used.ru_maxrss / 1024


if __name__ == "__main__":
    main()
