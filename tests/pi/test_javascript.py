"""The corners of JavaScript: numbers as text, JSON text, lengths."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from coursekit.pi.javascript import number_text, stringify, trim, utf16_length
from tests.pi.describe import as_javascript
from tests.pi.strategies import texts, values


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_keeps_its_value_in_javascript_text(number: float) -> None:
    assert float(number_text(number)) == number


@given(values)
def test_javascript_text_is_json_of_the_same_value(value: Any) -> None:
    text = stringify(value)
    assert as_javascript(json.loads(text)) == as_javascript(json.loads(json.dumps(value)))
    assert utf16_length(text) == len(text.encode("utf-16-le")) // 2


@given(texts)
def test_lengths_are_utf16_units(text: str) -> None:
    assert utf16_length(text) == len(text.encode("utf-16-le", "surrogatepass")) // 2
    assert trim(trim(text)) == trim(text)
