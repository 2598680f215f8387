"""What the manifest says of the labs that a lab builds on is what its checks need."""

import pytest
from answers import Answers, messages, solved

from coursekit.workbook import content, manifest
from coursekit.workbook.manifest import Lab
from coursekit.workbook.stubs import MODULES, function_source, splice_function


def without(lab: Lab) -> Answers:
    """The reference's answers, one lab's stub in them."""
    texts = {module: solved(module).encode() for module in MODULES}
    starter = (content.starters() / lab.module).read_bytes()
    stub = function_source(starter, lab.function, lab.module)
    texts[lab.module] = splice_function(texts[lab.module], lab.function, stub, lab.module)
    return Answers(texts["session.py"].decode(), texts["context.py"].decode())


@pytest.mark.parametrize("lab", manifest.labs(), ids=lambda lab: lab.id)
def test_a_stub_costs_its_own_checks_and_those_of_the_labs_that_build_on_it(lab: Lab) -> None:
    building = {later.id for later in manifest.labs() if lab.id in later.builds_on}
    for variant in (0, 3):
        told = messages(without(lab), variant=variant)
        red = {manifest.lab_of(name).id for name, message in told.items() if message}
        assert red == {lab.id, *building}
