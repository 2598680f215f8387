"""Workers: what nbval is let do, and what of a kernel's messages is passed on."""

import subprocess
import sys
from pathlib import Path

import pytest
from nbformat import NotebookNode

from coursekit.course import COURSE
from coursekit.grading.comparison import worker
from coursekit.grading.comparison.pool import environment
from coursekit.grading.graded_notebook import document, plan
from coursekit.grading.sandbox.inside.bench import LARGEST, NOTE, OBSERVED, REFUSALS
from coursekit.grading.sandbox.limits import Limits


def test_nbval_gives_up_no_cell_before_the_supervisor_does(tmp_path: Path) -> None:
    notebook = tmp_path / "all.ipynb"
    notebook.write_text(document(plan(COURSE, 5)))
    code = (
        "import sys; from coursekit.grading.comparison import worker; worker._warm_up()\n"
        "for cell in worker.collect(sys.argv[1]): print(cell.output_timeout)"
    )
    command = [sys.executable, "-c", code, str(notebook)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, env=environment())
    timeouts = ran.stdout.split()
    assert len(timeouts) > 14
    assert min(map(float, timeouts)) > Limits(seconds=100_000).check_seconds


@pytest.mark.parametrize(
    "data", [None, [], "text", {OBSERVED: 1}, {OBSERVED: "x" * (LARGEST + 1)}, {REFUSALS: ["a"]}]
)
def test_what_no_bench_could_have_shown_is_left_out(data: object) -> None:
    shown = NotebookNode(output_type="execute_result", data=data)
    odd = NotebookNode(output_type="stream", text=7)
    printed = NotebookNode(output_type="stream", text="p" * 10_000)
    assert worker._outputs([shown, odd, printed]) == {
        "observed": None,
        "refusals": None,
        "note": None,
        "printed": "p" * worker.PRINTED,
    }


def test_the_last_result_of_a_cell_is_passed_on() -> None:
    first, last = (
        NotebookNode(output_type="execute_result", data={OBSERVED: each, NOTE: each})
        for each in ("1", "2")
    )
    assert worker._outputs([first, last])["observed"] == "2"
    assert worker._outputs(None)["observed"] is None
