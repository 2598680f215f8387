"""What `pytest --nbval` compares in a practice folder: answers, not prints or drawings."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

Json = dict[str, Any]

STORED = """\
from IPython.display import SVG, display
print("then")
display(SVG("<svg xmlns='http://www.w3.org/2000/svg' id='then'/>"))
[1, 2]
"""


def cell(source: str, outputs: list[Json]) -> Json:
    return {
        "cell_type": "code",
        "id": "a",
        "execution_count": 1,
        "metadata": {},
        "source": source,
        "outputs": outputs,
    }


def result(text: str) -> Json:
    data = {"text/plain": text, "text/html": "<b>then</b>"}
    return {"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": data}


def run(folder: Path, source: str, outputs: list[Json]) -> subprocess.CompletedProcess[str]:
    notebook = {
        "cells": [cell(source, outputs)],
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    (folder / "try.ipynb").write_text(json.dumps(notebook))
    return subprocess.run(
        [sys.executable, "-m", "pytest", "--nbval", "try.ipynb"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_prints_warnings_and_drawings_change_no_verdict(folder: Path) -> None:
    picture = {
        "image/svg+xml": "<svg id='then'/>",
        "text/plain": "<IPython.core.display.SVG object>",
    }
    stored: list[Json] = [
        {"output_type": "stream", "name": "stdout", "text": "then\n"},
        {"output_type": "display_data", "metadata": {}, "data": picture},
        result("[1, 2]"),
    ]
    noisy = "import warnings; warnings.warn('careful')\n" + STORED.replace("then", "now")
    for source in (noisy, STORED.replace('print("then")', "")):
        done = run(folder, source, stored)
        assert done.returncode == 0, done.stdout


def test_another_answer_fails(folder: Path) -> None:
    done = run(folder, STORED.replace("[1, 2]", "[2, 1]"), [result("[1, 2]")])
    assert done.returncode == 1
    assert "[2, 1]" in done.stdout
