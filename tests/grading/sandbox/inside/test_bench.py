"""The bench: what a cell shows, and how much of it."""

import json

from coursekit.check.protocol import Request
from coursekit.grading.sandbox.inside import bench


def test_what_is_packed_is_unpacked() -> None:
    request = Request("parse", {"text": "漢" * 1_000})
    packed = bench.packed({"fresh": True, "requests": [request.to_json()]})
    assert bench.unpacked(packed) == (True, [request])
    assert len(packed) < 200


def test_equal_values_have_one_text_and_too_long_ones_none() -> None:
    assert bench.canonical({"b": 1, "a": 2}) == bench.canonical({"a": 2, "b": 1})
    assert json.loads(bench.canonical("x" * bench.LARGEST)) == {"too long": True}


def test_what_refusals_say_is_cut_only_when_all_is_too_much() -> None:
    long = "x" * (bench.LARGEST_REFUSALS // 2)
    assert json.loads(bench.Shown([], [[long, ""], None], []).refusals) == [[long, ""], None]
    cut = json.loads(bench.Shown([], [[long, long], None], []).refusals)
    assert cut == [[long[:1_000], long[:1_000]], None]
