"""What the manifest says of the labs that a lab builds on is what its checks need."""

import pytest

from coursekit.check.course import Lab
from coursekit.check.source_text import function_source
from coursekit.course import COURSE
from tests.solutions.answers import messages, with_function


@pytest.mark.parametrize("lab", COURSE.labs, ids=lambda lab: lab.id)
def test_a_stub_costs_its_own_checks_and_those_of_the_labs_that_build_on_it(lab: Lab) -> None:
    building = {later.id for later in COURSE.labs if lab.id in later.builds_on}
    starter = (COURSE.starters / lab.module).read_bytes()
    answers = with_function(lab, function_source(starter, lab.function, lab.module))
    for variant in (0, 3):
        by_check = messages(answers, variant=variant)
        red = {COURSE.lab_of(name).id for name, message in by_check.items() if message}
        assert red == {lab.id, *building}
