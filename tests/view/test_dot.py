"""DOT text: it never changes for the same session, and shows every text as it is."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from graphviz.quoting import quote
from hypothesis import given, settings
from hypothesis import strategies as st

from coursekit.view import draw
from coursekit.view.dot import literal
from tests.view.drawn_sessions import SVG, Json, compact, leaf_exercise, line, say, trees


def test_the_leaf_exercise_in_dot() -> None:
    dot = draw(leaf_exercise()).dot
    boxes = dict(re.findall(r'^\t(e\d) \[label="(\w) · ', dot, re.MULTILINE))
    assert list(boxes.values()) == ["A", "B", "C", "D", "E"]
    edges = re.findall(r"^\t(\w+) -> (\w+) \[(.*)\]", dot, re.MULTILINE)
    solid = [(boxes[a], boxes.get(b, b)) for a, b, look in edges if "dashed" not in look]
    dashed = [(boxes[a], boxes[b]) for a, b, look in edges if "dashed" in look]
    assert solid == [("A", "B"), ("B", "E"), ("E", "leaf")]
    assert dashed == [("B", "C"), ("C", "D")]


@given(trees())
def test_the_same_session_gives_the_same_bytes(entries: list[Json]) -> None:
    first, again = draw(entries), draw(iter(entries))
    assert first.dot == again.dot
    assert first.text == again.text


def test_bytes_do_not_depend_on_the_hash_seed() -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from tests.view.drawn_sessions import random_tree, label\n"
        "from coursekit.view import draw\n"
        "tree = random_tree(600, 5, branching=.2)\n"
        "p = draw([*tree, label('l', 'e9', 'e7', 'x')], leaf='e300', projection=['e0'])\n"
        "print(p.dot, p.text)"
    )
    drawn = {
        subprocess.run(
            [sys.executable, "-c", code, str(Path(__file__).parents[2])],
            env={"PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(drawn) == 1


def test_what_the_picture_shows_of_a_compaction() -> None:
    entries = [*line(4), compact("k1", "n3", "n2"), say("n4", "k1")]
    dot = draw(entries, projection=["n2", "n3", "n4"]).dot
    summarised, seen = (
        re.findall(rf"subgraph cluster_{name}\d {{\n(.*?)^\t}}", dot, re.M | re.S)[0]
        for name in ("summarised", "context")
    )
    assert re.findall(r'label="(\w+) ·', summarised) == ["n0", "n1"]
    assert re.findall(r'label="(\w+) ·', seen) == ["n2", "n3", "k1", "n4"]
    assert re.findall(r"(\w+) -> (\w+) \[.*constraint", dot) == [("e4", "e2")]


def test_a_gap_in_the_context_makes_two_groups() -> None:
    dot = draw(line(5), projection=["n0", "n1", "n3", "n4"]).dot
    assert len(re.findall("subgraph cluster_context", dot)) == 2


def test_a_label_leaves_nothing_that_dot_would_read() -> None:
    assert quote(literal('a"b\\n&lt;')) == '"a\\"b\\\\n&amp;lt;"'
    assert quote(literal("a\\")) == '"a\\\\"'


def test_a_label_that_looks_like_html_is_text() -> None:
    assert quote(literal("<b>", "<i>x</i>")) == '"<b>\\n<i>x</i>"'
    assert '[label="<a> · user\\n<i>x</i>" ' in draw([say("<a>", None, text="<i>x</i>")]).dot


@pytest.mark.dot
@settings(max_examples=25, deadline=None)
@given(st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=4, unique=True), st.text())
def test_any_id_and_any_text_make_a_good_drawing(ids: list[str], text: str) -> None:
    entries = [
        say(each, above, "user", text) for above, each in zip([None, *ids], ids, strict=False)
    ]
    root = ElementTree.fromstring(draw(entries).svg())
    groups = [each for each in root.iter(f"{SVG}g") if "entry" in each.get("class", "")]
    assert len(groups) == len(ids)
