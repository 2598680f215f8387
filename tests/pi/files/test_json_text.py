"""JSON text: what is read, what is refused, and what was cut short."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coursekit.pi import (
    PiSessionError,
)
from coursekit.pi.files.json_text import decode, encode, is_cut_short
from tests.pi.strategies import texts, values


@given(values)
def test_json_text_is_read_as_the_standard_library_reads_it(value: Any) -> None:
    for ascii_only in (True, False):
        text = json.dumps(value, ensure_ascii=ascii_only)
        data = text.encode("utf-8", "replace" if ascii_only else "surrogatepass")
        if b"\xed" not in data:
            assert decode(data) == json.loads(data)
    assert decode(encode(value)) == json.loads(json.dumps(value))


@given(
    st.binary(max_size=60)
    | st.text(alphabet='{}[]":,\\u0dtrue1.e-\n ', max_size=40).map(str.encode)
)
def test_whatever_is_not_json_is_a_value_error(data: bytes) -> None:
    try:
        decode(data)
    except ValueError:
        return
    json.loads(data.decode("utf-8", "replace"))


@given(st.dictionaries(texts, values, min_size=1), st.data())
def test_a_beginning_of_an_object_is_cut_short_and_nothing_else_is(
    value: dict[str, Any], data: st.DataObject
) -> None:
    line = encode(value)
    cut = data.draw(st.integers(1, len(line) - 1))
    assert is_cut_short(line[:cut])
    assert not is_cut_short(line)
    assert not is_cut_short(line + line)
    assert not is_cut_short(b"\0" * cut + line)
    assert not is_cut_short(line[:-1] + b"]")


@given(st.floats())
def test_what_json_cannot_hold_is_refused(number: float) -> None:
    if math.isfinite(number):
        assert decode(encode(number)) == number
    else:
        with pytest.raises(PiSessionError, match="not a JSON value"):
            encode({"a": [number]})
