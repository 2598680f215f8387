"""The canvas without a browser: what its script asks for is there."""

from __future__ import annotations

import re

from coursekit.view.canvas import SvgCanvas


def test_the_script_reads_and_writes_what_the_widget_has() -> None:
    asked = set(re.findall(r'model\.[gs]et\("(\w+)"', str(SvgCanvas._esm)))
    heard = set(re.findall(r'"change:(\w+)"', str(SvgCanvas._esm)))
    ours = {"svg", "text", "names", "picked", "clicks"}
    assert asked == ours
    assert heard < ours
    assert ours <= set(SvgCanvas().traits(sync=True))


def test_a_pick_is_heard_each_time() -> None:
    canvas = SvgCanvas()
    heard: list[int] = []
    canvas.observe(lambda change: heard.append(change["new"]), "clicks")
    for _ in range(2):
        canvas.picked = "a"
        canvas.clicks += 1
    assert heard == [1, 2]
