"""The tree in plain text."""

from __future__ import annotations

from hypothesis import given

from coursekit.view import draw
from coursekit.view.text_width import columns
from tests.view.drawn_sessions import Json, compact, label, leaf_exercise, line, say, trees


def test_the_leaf_exercise_reads_as_it_is_drawn_by_hand() -> None:
    assert draw(leaf_exercise()).text.splitlines() == [
        "5 entries, leaf E, 3 on the active path.",
        "  ●   A  user       Read a.ts",
        "  ●   B  assistant  Here it is.",
        "  ├─○ C  user       Rename it",
        "  │ ○ D  assistant  Renamed.",
        "  ●   E  user       Delete it  ◀ leaf",
        "● active path   ○ other branch",
    ]


def test_what_comes_after_a_leaf_that_moved_back_is_set_in() -> None:
    lines = draw(leaf_exercise()[:4], leaf="B").text.splitlines()
    assert [each[:6] for each in lines[1:5]] == ["  ●   ", "  ●   ", "  ├─○ ", "  │ ○ "]


def test_marks_say_what_is_seen_summarised_labelled_and_kept() -> None:
    entries = [*line(4), compact("k1", "n3", "n2", "目标"), label("l1", "k1", "n2", "start")]
    text = draw(entries, projection=["n2", "n3"]).text
    rows = text.splitlines()[1:-1]
    lines = dict(zip(("n0", "n1", "n2", "n3", "k1", "l1"), rows, strict=True))
    assert [each[0] for each in rows] == list("░░┃┃┃ ")
    assert lines["n2"].endswith("[start]")
    assert lines["k1"].endswith("目标  keeps from n2")
    assert text.splitlines()[-1] == "● active path   ┃ in the context   ░ summarised"


def test_an_empty_session_and_a_session_without_a_leaf_say_so() -> None:
    assert draw([]).text == "Empty session, no leaf."
    assert "leaf: none" in draw(leaf_exercise(), leaf=None).text


@given(trees())
def test_every_line_fits_a_terminal(entries: list[Json]) -> None:
    text = draw(entries).text
    assert all(columns(each) <= 80 for each in text.splitlines())


def test_wide_text_long_ids_and_control_characters_fit_too() -> None:
    entry_id = "01890a5d-ac96-774b-bcce-b302099a8057"
    entries = [
        say(entry_id, None, "user", "确认写入边界" * 40),
        say("b", entry_id, text="a\x00\nb\u2028c"),
    ]
    lines = draw(entries).text.splitlines()
    assert all(columns(each) <= 80 for each in lines)
    assert lines[1].endswith("…")
    assert "a b c" in lines[2]
