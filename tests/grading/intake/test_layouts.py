"""Which layout lies before us."""

from coursekit.grading.intake.layouts import LAYOUTS


def test_each_layout_has_its_own_name() -> None:
    assert len({layout.name for layout in LAYOUTS}) == len(LAYOUTS)
