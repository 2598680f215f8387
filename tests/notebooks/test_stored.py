"""What is stored: executed, valid, the same everywhere, and what the rules promise."""

import ast
import json
import re
from importlib import import_module

import pytest

from coursekit.check.case import Rule
from coursekit.course import COURSE
from coursekit.view.text_width import columns
from tests.notebooks.stored_notebooks import Cell, Stored, is_folded, is_prose, source, stored, tags

NOT_STORED = "nbval-ignore-output"
OF_A_MACHINE = re.compile(
    r"/(tmp|home|root|Users|usr|work|var)/|[A-Z]:\\\\|site-packages"  # a path
    r"|\b0x[0-9a-f]{6,}|\bat 0x"  # the id of an object
    r"|\b20\d\d-\d\d-\d\d|\b\d\d:\d\d:\d\d"  # a time
    r"|\b[Vv]ersion\b|\b\d+\.\d+\.\d+\b"  # a version
)


SHOWN = ("execute_result", "display_data")
"""Outputs that a value leaves: most as a result, the explorers as a display."""


def named(name: str) -> Stored:
    return next(each for each in stored() if each.name == name)


def test_all_of_the_course_is_there() -> None:
    wanted = {COURSE.first_notebook, "damaged_records.ipynb"}
    wanted |= {exercise.notebook for exercise in COURSE.exercises}
    assert {each.name for each in stored()} >= wanted


def test_it_is_a_valid_notebook(notebook: Stored) -> None:
    import nbformat

    nbformat.validate(nbformat.reads(notebook.text, as_version=4))
    ids = [cell["id"] for cell in notebook.cells]
    assert len(set(ids)) == len(ids)


def test_every_cell_was_run_from_the_top(notebook: Stored) -> None:
    # nbval passes a cell that was never run, and compares nothing.
    counts = [cell["execution_count"] for cell in notebook.code]
    assert counts == list(range(1, len(counts) + 1))
    for cell in notebook.code:
        results = [out for out in cell["outputs"] if out["output_type"] in SHOWN]
        assert bool(results) == (has_a_value(cell) and NOT_STORED not in tags(cell)), cell["id"]
        assert all(out["output_type"] != "error" for out in cell["outputs"]), cell["id"]


def has_a_value(cell: Cell) -> bool:
    """Whether the last statement is an expression, as IPython shows its value."""
    lines = [line for line in source(cell).splitlines() if not line.startswith("%")]
    body = ast.parse("\n".join(lines)).body
    return bool(body) and isinstance(body[-1], ast.Expr)


def test_outputs_name_no_machine_time_or_version(notebook: Stored) -> None:
    for cell in notebook.code:
        for output in cell["outputs"]:
            text = json.dumps({**output, "data": without_drawing(output)}, ensure_ascii=False)
            found = OF_A_MACHINE.search(text)
            assert found is None, f"{cell['id']}: {found}"


def test_outputs_fit_eighty_columns_and_code_a_hundred(notebook: Stored) -> None:
    """So nothing is cut, wrapped or scrolled sideways beside JupyterLab's file list."""
    for cell in notebook.code:
        assert widest(source(cell)) <= 100, cell["id"]
        for output in cell["outputs"]:
            text = output.get("text") or output["data"].get("text/plain", "")
            assert widest("".join(text)) <= 80, cell["id"]


def widest(text: str) -> int:
    return max(map(columns, text.splitlines()), default=0)


def test_what_is_imported_is_used(notebook: Stored) -> None:
    """What stands behind a `#` to be taken away counts as used."""
    whole = "\n".join(source(cell) for cell in notebook.code)
    code = "\n".join(line for line in whole.splitlines() if not line.startswith("%"))
    imported = {
        each.asname or each.name
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for each in node.names
    }
    for name in imported:
        assert len(re.findall(rf"\b{name}\b", code)) > 1, name


def without_drawing(output: Cell) -> Cell:
    """Drawings hold web addresses and coordinates of their own."""
    return {kind: data for kind, data in output.get("data", {}).items() if "svg" not in kind}


def test_metadata_holds_no_more_than_the_reader_needs(notebook: Stored) -> None:
    assert set(notebook.json["metadata"]) == {"kernelspec", "language_info"}
    assert "version" not in notebook.json["metadata"]["language_info"]
    for cell in notebook.cells:
        assert set(cell["metadata"]) <= {"jupyter", "scrolled", "tags"}
        assert all(output.get("metadata", {}) == {} for output in cell.get("outputs", []))


def test_it_opens_with_objectives_and_the_files_it_touches(notebook: Stored) -> None:
    first = source(notebook.cells[0])
    assert first.startswith("# ")
    assert re.search(r"^\*\*After this (lab|notebook|exercise) you can\*\*$", first, re.M)
    assert re.search(r"^- ", first, re.M)
    assert re.search(r"^\*\*Files it touches:\*\* ", first, re.M)


def test_its_title_is_the_manifests() -> None:
    for lab in COURSE.labs:
        assert named(lab.notebook).headings[0] == f"Lab {lab.id} · {lab.title}"
    transfer = COURSE.transfer
    assert transfer is not None
    assert named(transfer.notebook).headings[0] == transfer.title


def test_the_first_notebook_leads_to_every_lab() -> None:
    text = "\n".join(source(cell) for cell in named(COURSE.first_notebook).cells)
    for lab in COURSE.labs:
        row = f"| [{lab.id} {lab.title}]({lab.notebook}) | `{lab.function}` | `{lab.module}` "
        assert f"{row}| {len(lab.checks)} |" in text
    assert COURSE.transfer is not None
    assert COURSE.transfer.notebook in text


def test_links_lead_to_notebooks(notebook: Stored) -> None:
    prose = "\n".join(source(cell) for cell in notebook.cells if is_prose(cell))
    for target in re.findall(r"\]\(([^)#]+)\)", prose):
        assert (COURSE.notebooks / target).is_file(), target


def test_a_lab_lists_the_manifests_steps() -> None:
    for exercise in COURSE.exercises:
        steps = source(named(exercise.notebook).section("Your turn")[0]).replace("`", "")
        for number, step in enumerate(exercise.steps, start=1):
            assert f"{number}. {step}" in steps


RULES = [
    (lab.notebook, rule.heading)
    for lab in COURSE.labs
    for rule in vars(import_module(f"coursekit.course.lab_{lab.id.replace('.', '_')}")).values()
    if isinstance(rule, Rule)
]


@pytest.mark.parametrize(("name", "heading"), sorted(set(RULES)))
def test_what_a_failed_check_says_to_read_is_there(name: str, heading: str) -> None:
    section = named(name).section(heading)
    prose = " ".join(source(cell) for cell in section if is_prose(cell))
    assert len(prose.split()) >= 25, "the rule is explained in words"
    assert any(not is_prose(cell) for cell in section), "and by an example"


def test_each_lab_has_its_check_cells() -> None:
    for lab in COURSE.labs:
        cells = named(lab.notebook).code
        assert [source(cell) for cell in cells if "parameters" in tags(cell)] == ["variant = 0"]
        assert [source(cell) for cell in cells if f"check:{lab.id}" in tags(cell)] == [
            f'check("{lab.id}")'
        ]
        for check in lab.checks:
            tagged = [cell for cell in cells if f"check:{check.name}" in tags(cell)]
            assert [source(cell) for cell in tagged] == [f'observe("{check.name}", variant)']


def test_the_reader_predicts_before_running(notebook: Stored) -> None:
    questions = [heading for heading in notebook.headings if heading.startswith("Predict: ")]
    assert questions
    for heading in questions:
        section = notebook.section(heading)
        asked = " ".join(source(cell) for cell in section if is_prose(cell))
        assert "?" in asked
        folded = [cell for cell in section if is_folded(cell)]
        assert folded, heading
        for cell in folded:
            # A folded output still shows its first line, so that must not be the answer.
            assert cell["outputs"][0]["output_type"] == "stream"
            assert len(cell["outputs"]) > 1
