"""Text for eighty columns."""

from hypothesis import given
from hypothesis import strategies as st

from coursekit.workbook.shown_text import WIDTH, ShownText, number_in_words, wrapped

words = st.text("abc", min_size=1, max_size=20)
paragraphs = st.lists(st.lists(words, min_size=1, max_size=30).map(" ".join), min_size=1)


@given(paragraphs)
def test_wrapping_keeps_words_and_paragraphs(parts: list[str]) -> None:
    text = wrapped("\n\n".join(parts))
    assert all(len(line) <= WIDTH for line in text.splitlines())
    assert [part.split() for part in text.split("\n\n")] == [part.split() for part in parts]


def test_a_cell_shows_the_text_as_it_is() -> None:
    assert repr(ShownText("a\n  'b'")) == "a\n  'b'"


def test_numbers_up_to_ten_are_words() -> None:
    assert [number_in_words(number) for number in (0, 5, 10, 11)] == ["no", "five", "ten", "11"]
