"""Right answers: what a learner's files are when all labs are revealed."""

import ast
from pathlib import Path

import pytest

from coursekit.check.source_text import has_function
from coursekit.course import COURSE
from coursekit.workbook import answer_files
from coursekit.workbook.right_answers import right_answer


@pytest.mark.parametrize("module", COURSE.modules)
def test_every_function_is_the_reference_s(module: str) -> None:
    answer = right_answer(COURSE, module)
    ast.parse(answer)
    for lab in COURSE.exercises:
        if lab.module == module:
            assert has_function(answer, lab, COURSE.reference_source(module))


def test_it_is_what_revealing_all_labs_leaves(folder: Path) -> None:
    for lab in COURSE.exercises:
        answer_files.reveal(COURSE, folder, lab)
    for module in COURSE.modules:
        assert (folder / module).read_bytes() == right_answer(COURSE, module)
