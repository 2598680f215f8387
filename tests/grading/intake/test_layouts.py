"""Whose a file is: what each layout reads from paths, and what it leaves alone."""

import pytest

from coursekit.grading.intake.layouts import LAYOUTS, find_layout
from coursekit.grading.intake.layouts.placement import Placement, Student
from coursekit.grading.intake.member import Member
from coursekit.grading.intake.source import Source


class Content:
    """A member's bytes."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def read(self, limit: int) -> bytes:
        return self._content[:limit]


def places(
    layout: str, *paths: str, name: str = "class", is_folder: bool = True
) -> list[Placement | None]:
    members = [
        Member(
            tuple(path.rstrip("/").split("/")),
            Content(b""),
            is_folder=path.endswith("/"),
            aside="git" if path.endswith(".git") else "",
        )
        for path in paths
    ]
    return find_layout(layout, Source(name, is_folder, members), members)[1]


def place(layout: str, path: str, *others: str) -> Placement:
    found = places(layout, path, *others)[0]
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("path", "student", "inside"),
    [
        ("Ana Lima_12_assignsubmission_file_/session.py", Student("Ana Lima", "12"), "session.py"),
        ("Ana Lima_12_assignsubmission_file/session.py", Student("Ana Lima", "12"), "session.py"),
        ("x/Ana_12_assignsubmission_file_/in/a.py", Student("Ana", "12"), "in/a.py"),
        ("Ana_12_assignsubmission_file_my_code.py", Student("Ana", "12"), "my_code.py"),
        ("Default group_assignsubmission_file_/a.py", Student("Default group"), "a.py"),
        ("Team_2_3_assignsubmission_file_/a.py", Student("Team_2", "3"), "a.py"),
    ],
)
def test_moodle(path: str, student: Student, inside: str) -> None:
    found = place("moodle", path)
    assert (found.student, "/".join(found.path), found.late) == (student, inside, None)


@pytest.mark.parametrize("kind", ["onlinetext", "comments"])
def test_moodle_texts_are_the_students_and_set_aside(kind: str) -> None:
    for end in ("_/onlinetext.html", "_onlinetext.html"):
        found = place("moodle", f"Ana Lima_12_assignsubmission_{kind}{end}")
        assert found.student == Student("Ana Lima", "12")
        assert found.aside


@pytest.mark.parametrize(
    ("path", "student", "file", "version", "late"),
    [
        ("byronada_101_5003_session.py", Student("byronada", "101"), "session.py", 5003, False),
        ("byronada_LATE_101_5003_a-1.py", Student("byronada", "101"), "a-1.py", 5003, True),
        ("李雷_101_5003_a_1_2_b.py", Student("李雷", "101"), "a_1_2_b.py", 5003, False),
        ("o_neil_101_5003_a.py", Student("o_neil", "101"), "a.py", 5003, False),
        ("anon_x7Yz_5003_a.py", Student("anon_x7Yz", "anon_x7Yz"), "a.py", 5003, False),
        ("LATE_anon_x7Yz_5003_a.py", Student("anon_x7Yz", "anon_x7Yz"), "a.py", 5003, True),
        ("late_LATE_101_5003_.coursekit.json", Student("late", "101"), ".coursekit.json", 5003, 1),
    ],
)
def test_canvas(path: str, student: Student, file: str, version: int, late: bool) -> None:
    found = place("canvas", path)
    assert found == Placement(student, (file,), version=version, late=bool(late))


def test_canvas_texts_are_set_aside() -> None:
    assert place("canvas", "byronada_LATE_101_text.html").aside == "online text"
    assert place("canvas", "byronada_101_link.html").student == Student("byronada", "101")
    assert places("canvas", "notes.txt", "session.py", "lab_11_2.py") == [None] * 3


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


def test_classroom_takes_the_assignment_off_only_where_it_is_known() -> None:
    tree = ["lab-1-submissions/lab-1-ada/.git", "lab-1-submissions/lab-1-ada/a.py"]
    assert place("classroom", tree[1], tree[0]).student == Student("ada", "lab-1-ada")
    assert place("classroom", "lab-1-ada/a.py", "lab-1-ada/.git").student.name == "lab-1-ada"
    found = places("classroom", "x-ada/.git", "x-ada/a.py", "x-bob/a.py", name="x-submissions")
    assert [each and each.student.name for each in found] == ["ada", "ada", "bob"]


def test_nbgrader() -> None:
    found = place("nbgrader", "course/submitted/ada/lab/in/a.py")
    assert (found.student.id, found.path) == ("ada", ("lab", "in", "a.py"))
    assert place("nbgrader", "submitted/ada/lab/timestamp.txt").aside
    assert places("nbgrader", "ada/lab/a.py", name="submitted")[0] is not None
    assert places("nbgrader", "source/lab/a.py") == [None]


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


@pytest.mark.parametrize(
    "paths",
    [
        ["Ana/session.py", "Ben/lab_1_2_x.py"],
        ["Ana/submissions/a.py", "Ben/a.py"],
        ["Ana_Lima/a.py", "Ben_Lee/a.py", "x_1_2_session.py/a.py"],
    ],
)
def test_a_class_in_folders_is_taken_for_nothing_else(paths: list[str]) -> None:
    members = [Member(tuple(path.split("/")), Content(b"")) for path in paths]
    layout, found = find_layout("auto", Source("class", True, members), members)
    assert layout.name == "folders"
    assert None not in found


def test_one_folder_around_a_class_in_an_archive_is_no_student() -> None:
    found = places("folders", "all/Ana/a.py", "all/Ben/a.py", "all/Cleo/", is_folder=False)
    assert [each and each.student.name for each in found] == ["Ana", "Ben", "Cleo"]
    alone = places("folders", "Ana/session.py", "Ana/in/a.py", is_folder=False)
    assert [each and each.student.name for each in alone] == ["Ana", "Ana"]
    folder = places("folders", "all/Ana/a.py", "all/Ben/a.py")
    assert [each and each.student.name for each in folder] == ["all", "all"]


def test_each_layout_has_its_own_name() -> None:
    assert len({layout.name for layout in LAYOUTS}) == len(LAYOUTS)
