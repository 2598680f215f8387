"""Run a course's notebooks and write their outputs back: `python tools/notebooks.py [NAME …]`.

Each notebook runs in a practice folder that holds the reference's answers, as a
learner's would who has done all labs. What is stored depends on the notebook and on
the library alone: no times, no versions, no paths, and cell ids that stay.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coursekit.check.course import Course
from coursekit.course import COURSE
from coursekit.workbook import answer_files
from coursekit.workbook.chosen_course import course_at

if TYPE_CHECKING:
    from nbformat import NotebookNode

METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"file_extension": ".py", "mimetype": "text/x-python", "name": "python"},
}
KEPT_CELL_METADATA = ("jupyter", "scrolled", "tags")
NOT_STORED = "nbval-ignore-output"
"""The tag of cells whose output is the reader's own, such as where they stand."""

SECONDS_PER_CELL = 120


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the named notebooks, all without names, and store their outputs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="names of notebooks; all without any")
    parser.add_argument("--course", type=Path, help="the folder of another course's package")
    asked = parser.parse_args(arguments)
    course = course_at(asked.course)
    paths = [course.notebooks / Path(name).name for name in asked.names] or sorted(
        course.notebooks.glob("*.ipynb")
    )
    with tempfile.TemporaryDirectory() as workshop:
        folder = finished_practice(Path(workshop) / "practice", course)
        for path in paths:
            old = path.read_text(encoding="utf-8")
            new = executed(old, folder)
            if new != old:
                path.write_text(new, encoding="utf-8")
            print(f"{path.name}: {'as it was' if new == old else 'written'}", flush=True)
    return 0


def finished_practice(folder: Path, course: Course = COURSE) -> Path:
    """A new practice folder with every exercise filled in from the reference."""
    from coursekit.workbook import practice

    practice.make(course, folder)
    for lab in course.exercises:
        answer_files.reveal(course, folder, lab)
    return folder


def executed(source: str, folder: Path) -> str:
    """A notebook's text after a run in `folder`, top to bottom. An error in a cell is raised."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.reads(source, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=SECONDS_PER_CELL,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        record_timing=False,
    )
    client.execute()
    text: str = nbformat.writes(normalised(notebook), version=4)
    return text.rstrip("\n") + "\n"


def normalised(notebook: NotebookNode) -> NotebookNode:
    """The notebook with what only this run or this machine brought taken out, in place."""
    notebook.metadata = _node(METADATA)
    notebook.nbformat_minor = 5
    for cell in notebook.cells:
        cell.metadata = _node(
            {key: cell.metadata[key] for key in KEPT_CELL_METADATA if key in cell.metadata}
        )
        if cell.cell_type == "code":
            if NOT_STORED in cell.metadata.get("tags", []):
                cell.outputs = []
            for output in cell.outputs:
                output.pop("metadata", None)
                if output.output_type in ("execute_result", "display_data"):
                    output.metadata = _node({})
                    # A live widget's id; what a page without a kernel shows is the rest.
                    output.data.pop("application/vnd.jupyter.widget-view+json", None)
    return notebook


def _node(value: dict[str, Any]) -> NotebookNode:
    import nbformat

    node: NotebookNode = nbformat.from_dict(value)
    return node


if __name__ == "__main__":
    sys.exit(main())
