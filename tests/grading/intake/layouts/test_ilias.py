"""Whose a file of ILIAS' download is."""

import pytest

from coursekit.grading.intake.layouts.placement import Placement, Student
from tests.grading.intake.layouts.placed import place


@pytest.mark.parametrize(
    "path",
    [
        "Lima_Ana Maria_alima_301/a.py",
        "Ex_v_2_42/Abgaben/Lima_Ana Maria_alima_301/a.py",
        "Ex/Team 7/Lima_Ana Maria_alima_301/a.py",
    ],
)
def test_ilias(path: str) -> None:
    other = path.replace("Lima_Ana Maria_alima_301", "Lee_Kim_klee_302")
    found = place("ilias", path, other)
    assert found == Placement(Student("Ana Maria Lima", "alima"), ("a.py",), version=1, late=False)


def test_ilias_says_late_in_english_and_perhaps_in_another_language() -> None:
    base = "Lima_Ana_alima_301"
    late = place("ilias", f"{base}/Late Submission - a (2).py")
    assert (late.path, late.version, late.late) == (("a (2).py",), 2, True)
    assert place("ilias", f"{base}/Zu spät - a.py").late is None
