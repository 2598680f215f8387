"""A learner edits a file beside an open notebook and runs its cells again."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

from coursekit.course import COURSE
from coursekit.workbook import answer_files
from tests.notebooks.stored_notebooks import is_check, source, stored, tags

Run: TypeAlias = Callable[[str], str]


@pytest.fixture
def run(untouched: Path) -> Iterator[Run]:
    """Runs code in a kernel that stands in the practice folder; returns the value's text."""
    from jupyter_client.manager import start_new_kernel

    manager, client = start_new_kernel(kernel_name="python3", cwd=str(untouched))

    def execute(code: str) -> str:
        texts: list[str] = []

        def collect(message: dict[str, object]) -> None:
            content = message["content"]
            assert isinstance(content, dict)
            texts.append(content.get("data", {}).get("text/plain", ""))
            assert "ename" not in content, content

        client.execute_interactive(code, output_hook=collect, timeout=60)
        return "".join(texts)

    yield execute
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def save(folder: Path, module: str, change: Callable[[str], str], at: list[float]) -> None:
    """Save a file as an editor does some seconds later."""
    path = folder / module
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
    at[0] += 10
    os.utime(path, (at[0], at[0]))


def test_cells_follow_what_was_saved(untouched: Path, run: Run) -> None:
    notebook = next(each for each in stored() if each.name == "11_2_interactions.ipynb")
    loading = next(cell for cell in notebook.code if "%autoreload 2" in source(cell))
    checks = [cell for cell in notebook.code if is_check(cell) and "/" in tags(cell)[0]]
    wanted = {source(cell): "".join(cell["outputs"][0]["data"]["text/plain"]) for cell in checks}
    now = [(untouched / "context.py").stat().st_mtime]
    run("from coursekit.workbook import check, observe\nvariant = 0")
    run(source(loading))
    assert all("LabNotDone" in run(asked) for asked in wanted)
    assert "not written yet" in run('check("11.2")')

    answer_files.reveal(COURSE, untouched, COURSE.find("11.2"))
    save(untouched, "context.py", lambda text: text, now)
    assert {asked: run(asked) for asked in wanted} == wanted

    # Classes of session.py stay the ones that context.py knows, and lines may move.
    save(untouched, "session.py", lambda text: f"# a note to myself\n\n{text}", now)
    save(untouched, "context.py", lambda text: f"# another\n{text}", now)
    assert {asked: run(asked) for asked in wanted} == wanted
    assert run('check("11.2")').splitlines()[-1] == "3/3 checks pass."


def test_a_function_left_in_a_cell_is_reported(untouched: Path, run: Run) -> None:
    run("from coursekit.workbook import check")
    run("def group_interactions(entries):\n    return []")
    assert "group_interactions in a cell of this notebook differs" in run('check("11.2")')
