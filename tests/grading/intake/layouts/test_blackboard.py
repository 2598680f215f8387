"""Whose a file of Blackboard's download is."""

from coursekit.grading.intake.layouts import find_layout
from coursekit.grading.intake.layouts.placement import Student
from coursekit.grading.intake.member import Member
from coursekit.grading.intake.source import Source
from tests.grading.intake.layouts.placed import Content, place, places


def test_blackboard_names_without_records_are_what_all_share() -> None:
    time = "2026-11-30-10-11-12"
    found = places(
        "blackboard", f"Lab_11_a_b_attempt_{time}_a_b.py", f"Lab_11_c_attempt_{time}_session.py"
    )
    assert [each and (each.student.id, each.path, each.attempt) for each in found] == [
        ("a_b", ("a_b.py",), time),
        ("c", ("session.py",), time),
    ]
    alone = place("blackboard", f"Lab_11_ada_attempt_{time}_session.py")
    assert alone.student.id == "ada"


def test_blackboard_records_name_the_student() -> None:
    base = "Lab_11_x_ada_attempt_2026-11-30-10-11-12"
    record = "\ufeffName: Ada (Countess) Byron (x_ada)\r\nAssignment: Lab".encode()
    members = [Member((f"{base}_a.py",), Content(b"")), Member((f"{base}.txt",), Content(record))]
    _, found = find_layout("blackboard", Source("class", True, members), members)
    assert {each.student for each in found if each} == {Student("Ada (Countess) Byron", "x_ada")}
