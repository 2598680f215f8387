"""Text from students, made harmless."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coursekit.grading.reports import safe_text

NASTY = st.text(st.characters(codec=None), max_size=300)


@given(NASTY)
def test_text_can_be_written_and_shows_what_it_is(value: str) -> None:
    safe = safe_text.text(value)
    safe.encode()
    for character in safe:
        assert character == "\n" or unicodedata.category(character) not in ("Cc", "Cf", "Cs")


@given(NASTY)
def test_a_cell_is_one_line_and_no_formula(value: str) -> None:
    safe = safe_text.cell(value)
    assert "\n" not in safe
    assert not safe.startswith(("=", "+", "-", "@"))


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=300))
def test_a_file_name_has_no_folder_and_fits(value: str) -> None:
    name = safe_text.file_name(value)
    assert name == "" or not set(name) & set('/\\\0\n:*?"<>|')
    assert name not in (".", "..")
    assert len(name.encode()) <= 120


@given(st.text(max_size=40), st.text(max_size=40))
def test_file_names_are_each_students_own(one: str, other: str) -> None:
    assert (safe_text.file_name(one) == safe_text.file_name(other)) == (one == other)


@pytest.mark.parametrize(
    ("value", "safe"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07text", "text"),
        ("<object at 0x7f00deadbeef>", "<object at 0x…>"),
        ("a\tb", "a    b"),
        ("\ud800", "\\ud800"),
        ("right\u202eleft", "right\\u202eleft"),
    ],
)
def test_what_becomes_of_some(value: str, safe: str) -> None:
    assert safe_text.text(value) == safe


def test_long_text_is_cut() -> None:
    assert len(safe_text.text("x" * 1_000_000)) < 5_000
