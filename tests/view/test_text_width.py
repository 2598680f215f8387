"""How wide text is, counted in columns."""

from __future__ import annotations

import subprocess
import sys

import pytest

from coursekit.view.text_width import OWN_MARKS, clip, columns, has_wide, pad


def test_clipping_counts_columns_and_not_characters() -> None:
    assert columns("ab检查") == 6
    assert clip("检查检查", 5) == "检查…"
    assert clip("检查检查", 8) == "检查检查"
    assert pad("检", 4) == "检  "
    assert pad("7", 3, right=True) == "  7"


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("e\u0301", 1),  # a letter and an accent over it
        ("ที่", 1),  # Thai: two marks over a consonant
        ("각", 2),
        ("ａ", 2),
        ("⚠\ufe0f", 2),  # an emoji by its style: one or two columns, so two
        ("✅", 2),
    ],
)
def test_marks_take_no_column_and_wide_characters_two(text: str, width: int) -> None:
    assert columns(text) == width


def test_our_own_marks_are_what_wcwidth_says_they_are() -> None:
    from wcwidth import wcwidth

    assert {wcwidth(mark) for mark in OWN_MARKS} == {1}


def test_a_text_is_wide_by_one_of_its_characters() -> None:
    assert has_wide("a\nb检")
    assert not has_wide("a\nb·●é")


def test_wcwidth_is_imported_for_other_scripts_only() -> None:
    code = (
        "import sys; from coursekit.view.text_width import columns\n"
        "columns('● naïve · …'); print('wcwidth' in sys.modules)\n"
        "columns('检'); print('wcwidth' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
