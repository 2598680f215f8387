"""Pictures before they are DOT: what stands in which frame, and what fits."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from coursekit import transcripts
from coursekit.view import draw
from coursekit.view.diagram import diagram_of
from coursekit.view.fold import boxes_of
from coursekit.view.scene import scene_of
from tests.view.drawn_sessions import SVG, compact, inside, line, say


def test_text_stands_in_a_diagram_as_it_is_read() -> None:
    scene = scene_of([say("a", None, text='<b>"x"\\n&lt;</b>')])
    node = diagram_of(scene, boxes_of(scene)).nodes[0]
    assert node.lines == ("a · user", '<b>"x"\\n&lt;</b>')
    assert node.tooltip is None


def test_what_is_cut_off_is_in_the_tooltip() -> None:
    scene = scene_of([say("a", None, text="word " * 20)])
    node = diagram_of(scene, boxes_of(scene)).nodes[0]
    assert node.lines[1].endswith("word…")
    assert node.tooltip == " ".join(["word"] * 20)


def test_the_compaction_shown_points_to_what_it_keeps() -> None:
    scene = scene_of([*line(4), compact("k1", "n3", "n2")])
    dotted = [e for e in diagram_of(scene, boxes_of(scene)).edges if "constraint" in e.look]
    assert [(edge.tail, edge.head) for edge in dotted] == [("e4", "e2")]


@pytest.mark.dot
def test_no_edge_crosses_a_frames_label() -> None:
    entries = [say(f"n{at}", f"n{at - 1}" if at else None, "user", "-") for at in range(6)]
    drawn = draw(entries, projection=["n0", "n2", "n3", "n5"]).svg()
    root = ElementTree.fromstring(drawn)
    frames = [each for each in root.iter(f"{SVG}g") if each.get("class") == "cluster"]
    assert len(frames) == 3
    edges = [
        inside(each, "path").attrib["d"]
        for each in root.iter(f"{SVG}g")
        if "edge" in each.get("class", "")
    ]
    for frame in frames[1:]:
        label = inside(frame, "text")
        middle, size = float(label.attrib["x"]), float(label.attrib["font-size"])
        # The label's anchor is its middle; no letter of a sans-serif is wider than 0.6 em on
        # average.
        right = middle + len(label.text or "") * 0.6 * size / 2
        down = min(float(re.findall(r"^M(-?[\d.]+)", way)[0]) for way in edges)
        assert right < down


@pytest.mark.dot
def test_chinese_labels_fit_their_boxes() -> None:
    svg = draw(
        [*transcripts.opening().entries, say("w", "a3", "user", "读取实现并运行聚焦测试" * 3)]
    ).svg()
    for group in ElementTree.fromstring(svg).iter(f"{SVG}g"):
        shape = group.find(f".//{SVG}polygon")
        words = [each.text or "" for each in group.iter(f"{SVG}text")]
        if group.get("class", "").startswith("node entry") and shape is not None:
            across = [float(point.split(",")[0]) for point in shape.attrib["points"].split()]
            # A Chinese character is one em wide in every font: 11 points here.
            wide = max(sum(11 for char in each if char > "⺀") for each in words)
            assert wide <= max(across) - min(across)
