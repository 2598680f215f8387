"""Which names are near, and which file of several is chosen."""

import pytest

from coursekit.grading.intake.near_names import choose, is_near, plain

MODULES = ("session.py", "context.py")


@pytest.mark.parametrize(
    "name",
    [
        "session.py",
        "Session.py",
        "SESSION.PY",
        "session (1).py",
        "session(12).py",
        "session-1.py",
        "session_2.py",
        "session 2.py",
        "session.py.txt",
        "session - Copy.py",
        "session - Kopie (2).py",
        "session - 副本.py",
        "session copy 2.py",
        " session.py",
        "session-0f8b6c1e-1111-4222-8333-123456789abc.py",
        "Ana Lima - session.py",
    ],
)
def test_near_names(name: str) -> None:
    assert is_near(name, "session.py")
    assert not is_near(name, "context.py")


@pytest.mark.parametrize(
    "name", ["my_session.py", "session.pyc", "session.txt", "sessions.py", "session.py.zip", ".py"]
)
def test_other_names(name: str) -> None:
    assert not is_near(name, "session.py")


def test_a_progress_file_may_have_lost_its_dot() -> None:
    assert is_near("coursekit.json", ".coursekit.json")
    assert is_near(".coursekit (1).json", ".coursekit.json")


def test_modules_that_are_numbered_are_kept_apart() -> None:
    found = choose([("lab_1.py",), ("lab_2.py",)], ("lab_1.py", "lab_2.py"), [])
    assert [found[name].taken for name in ("lab_1.py", "lab_2.py")] == [0, 1]
    assert choose([("lab_2 (1).py",)], ("lab_1.py", "lab_2.py"), [])["lab_2.py"].taken == 0
    assert choose([("lab_2.py",)], ("lab_1.py", "lab_2.py"), [])["lab_1.py"].taken is None


def test_the_highest_folder_has_the_answers() -> None:
    paths = [("a", "b", "session.py"), ("a", "session.py"), ("z", "b", "context.py")]
    found = choose(paths, MODULES, [])
    assert found["session.py"].taken == 1
    assert found["session.py"].note == ""
    assert found["context.py"].taken == 2
    assert found["context.py"].note == "z/b/context.py"


def test_of_two_folders_the_one_with_more_answers_counts() -> None:
    paths = [("old", "session.py"), ("new", "session.py"), ("new", "context.py")]
    found = choose(paths, MODULES, [])
    assert (found["session.py"].taken, found["context.py"].taken) == (1, 2)


def test_of_two_equal_folders_neither_is_guessed() -> None:
    found = choose([("a", "session.py"), ("b", "session.py")], MODULES, [])
    assert found["session.py"].taken is None
    assert found["session.py"].candidates == (0, 1)


def test_hidden_and_deep_folders_hold_no_answers() -> None:
    paths = [(".old", "session.py"), ("__x", "session.py"), (*"abcde", "session.py")]
    assert choose(paths, MODULES, [])["session.py"].candidates == ()


def test_a_plain_name_keeps_what_tells_files_apart() -> None:
    assert plain("Labs (2).ZIP") == plain("labs.zip") == "labs.zip"
    assert plain("README") == "readme"
    assert plain("notes.txt") == "notes.txt"
