"""The maintainer's tool writes, when run again, what is stored."""

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

from tests.notebooks.stored_notebooks import Stored

TOOL = Path(__file__).parents[2] / "tools" / "notebooks.py"


@pytest.fixture(scope="module")
def tool() -> dict[str, Any]:
    return runpy.run_path(str(TOOL))


@pytest.mark.gate
def test_a_run_writes_what_is_stored(
    notebook: Stored, finished: Path, tool: dict[str, Any]
) -> None:
    # More than nbval compares: tables as HTML, prints, counts, ids, metadata, layout.
    assert undrawn(tool["executed"](notebook.text, finished)) == undrawn(notebook.text)


def undrawn(text: str) -> dict[str, Any]:
    """The notebook without drawings, which differ between versions of Graphviz."""
    notebook: dict[str, Any] = json.loads(text)
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            output.get("data", {}).pop("image/svg+xml", None)
    return notebook


def test_what_a_machine_leaves_is_taken_out(tool: dict[str, Any]) -> None:
    import nbformat

    cell = nbformat.v4.new_code_cell("status()", id="here", execution_count=3)
    cell.metadata = nbformat.from_dict(
        {"tags": ["nbval-ignore-output"], "execution": {"iopub.busy": "now"}, "trusted": True}
    )
    cell.outputs = [nbformat.v4.new_output("execute_result", {"text/plain": "/home/me"})]
    shown = nbformat.v4.new_code_cell("1", id="shown", metadata={"collapsed": True})
    shown.outputs = [nbformat.v4.new_output("execute_result", {"text/plain": "1"})]
    shown.outputs[0].metadata = nbformat.from_dict({"isolated": True})
    live = nbformat.v4.new_code_cell("explorer", id="live")
    view = {"application/vnd.jupyter.widget-view+json": {"model_id": "1f"}, "text/plain": "live"}
    live.outputs = [nbformat.v4.new_output("display_data", view)]
    notebook = nbformat.v4.new_notebook(cells=[cell, shown, live])
    notebook.metadata = nbformat.from_dict({"language_info": {"version": "3.11.4"}, "widgets": {}})

    stored = tool["normalised"](notebook)

    assert stored.metadata == tool["METADATA"]
    assert stored.cells[0].outputs == []
    assert stored.cells[0].metadata == {"tags": ["nbval-ignore-output"]}
    assert stored.cells[1].metadata == {}
    assert stored.cells[1].outputs[0].data == {"text/plain": "1"}
    assert stored.cells[1].outputs[0].metadata == {}
    assert stored.cells[2].outputs[0].data == {"text/plain": "live"}
    assert [each.id for each in stored.cells] == ["here", "shown", "live"]
