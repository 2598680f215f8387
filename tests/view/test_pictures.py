"""Pictures: DOT text that never changes for the same session, and how they show themselves."""

from __future__ import annotations

import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from drawn_sessions import compact, label, leaf_exercise, line, random_tree, say, trees
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from coursekit import transcripts
from coursekit.view import Picture, RenderError, draw, render
from coursekit.view.dot import escape

SVG = "{http://www.w3.org/2000/svg}"


def test_the_leaf_exercise_in_dot():
    dot = draw(leaf_exercise()).dot
    boxes = dict(re.findall(r'^  (e\d) \[label="(\w) · ', dot, re.MULTILINE))
    assert list(boxes.values()) == ["A", "B", "C", "D", "E"]
    edges = re.findall(r"^  (\w+) -> (\w+) \[(.*)\]", dot, re.MULTILINE)
    solid = [(boxes[a], boxes.get(b, b)) for a, b, look in edges if "dashed" not in look]
    dashed = [(boxes[a], boxes[b]) for a, b, look in edges if "dashed" in look]
    assert solid == [("A", "B"), ("B", "E"), ("E", "leaf")]
    assert dashed == [("B", "C"), ("C", "D")]


@given(trees())
def test_the_same_session_gives_the_same_bytes(entries):
    first, again = draw(entries), draw(iter(entries))
    assert first.dot == again.dot
    assert first.text == again.text


def test_bytes_do_not_depend_on_the_hash_seed():
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from drawn_sessions import random_tree, label\n"
        "from coursekit.view import draw\n"
        "tree = random_tree(600, 5, branching=.2)\n"
        "p = draw([*tree, label('l', 'e9', 'e7', 'x')], leaf='e300', projection=['e0'])\n"
        "print(p.dot, p.text)"
    )
    drawn = {
        subprocess.run(
            [sys.executable, "-c", code, str(__file__).rpartition("/")[0]],
            env={"PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(drawn) == 1


def test_what_the_picture_shows_of_a_compaction():
    entries = [*line(4), compact("k1", "n3", "n2"), say("n4", "k1")]
    dot = draw(entries, projection=["n2", "n3", "n4"]).dot
    summarised, seen = (
        re.search(rf"subgraph cluster_{name}\d {{\n(.*?)^  }}", dot, re.M | re.S)[1]
        for name in ("summarised", "context")
    )
    assert re.findall(r'label="(\w+) ·', summarised) == ["n0", "n1"]
    assert re.findall(r'label="(\w+) ·', seen) == ["n2", "n3", "k1", "n4"]
    assert re.findall(r"(\w+) -> (\w+) \[.*constraint", dot) == [("e4", "e2")]


def test_a_gap_in_the_context_makes_two_groups():
    dot = draw(line(5), projection=["n0", "n1", "n3", "n4"]).dot
    assert len(re.findall("subgraph cluster_context", dot)) == 2


@pytest.mark.dot
def test_no_edge_crosses_a_frames_label():
    entries = [say(f"n{at}", f"n{at - 1}" if at else None, "user", "-") for at in range(6)]
    drawn = draw(entries, projection=["n0", "n2", "n3", "n5"]).svg()
    root = ElementTree.fromstring(drawn)
    frames = [each for each in root.iter(f"{SVG}g") if each.get("class") == "cluster"]
    assert len(frames) == 3
    edges = [
        each.find(f"{SVG}path").get("d")
        for each in root.iter(f"{SVG}g")
        if "edge" in each.get("class", "")
    ]
    for frame in frames[1:]:
        label = frame.find(f"{SVG}text")
        middle, size = float(label.get("x")), float(label.get("font-size"))
        # The label's anchor is its middle; no letter of a sans-serif is wider than 0.6 em on
        # average.
        right = middle + len(label.text) * 0.6 * size / 2
        down = min(float(re.match(r"M(-?[\d.]+)", way)[1]) for way in edges)
        assert right < down


def test_two_leaf_positions_side_by_side_say_what_moved():
    entries = leaf_exercise()
    before, after = draw(entries[:4]), draw(entries)
    both = draw(before, after)
    assert both.text.endswith("leaf moves from D to E; appended: E; off the active path: C, D.")
    assert "subgraph cluster_before" in both.dot
    assert draw(entries[:4], entries).dot == both.dot
    back = draw(after, draw(entries, leaf="D"))
    assert "back on the active path: C, D" in back.text
    assert "leaf stays at E" in draw(after, after).text
    assert "from E to none" in draw(after, draw(entries, leaf=None)).text


def test_a_picture_keeps_its_moment():
    entries = leaf_exercise()[:4]
    before = draw(entries)
    text = before.text
    entries.append(say("E", "B"))
    assert before.text == text
    assert "4 entries" in draw(before, draw(entries)).text


def test_escape_leaves_nothing_that_dot_would_read():
    assert escape('a"b\\n&lt;') == 'a\\"b\\\\n&amp;lt;'


@pytest.mark.dot
@settings(max_examples=25, deadline=None)
@given(st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=4, unique=True), st.text())
def test_any_id_and_any_text_make_a_good_drawing(ids, text):
    entries = [
        say(each, above, "user", text) for above, each in zip([None, *ids], ids, strict=False)
    ]
    root = ElementTree.fromstring(draw(entries).svg())
    groups = [each for each in root.iter(f"{SVG}g") if "entry" in each.get("class", "")]
    assert len(groups) == len(ids)


SESSIONS = {
    "empty": [],
    "opening transcript": transcripts.opening().entries,
    "leaf exercise": leaf_exercise(),
    "two compactions": [
        *line(6),
        compact("k1", "n5", "n3"),
        say("n6", "k1"),
        compact("k2", "n6", "n3"),
        say("n7", "k2"),
    ],
    "three branches": [
        *line(4),
        *[say(f"b{at}", "n1", text="另一条路") for at in range(3)],
        label("l1", "b2", "b0", "first try"),
        label("l2", "l1", "n1", "fork"),
    ],
    "long line": line(1000),
    "random tree": random_tree(10_000, 4),
    "missing parent": [say("a", "lost")],
}


@pytest.mark.dot
@pytest.mark.parametrize("entries", SESSIONS.values(), ids=SESSIONS)
def test_svg_has_a_title_a_description_and_no_noise(entries):
    picture = draw(entries)
    svg = picture.svg()
    root = ElementTree.fromstring(svg)
    assert root.get("role") == "img"
    assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    assert root.find(f"{SVG}title").text == picture.scene.describe()
    assert root.find(f"{SVG}desc").text == picture.text
    assert svg.startswith("<svg")
    assert "<!--" not in svg


@pytest.mark.dot
def test_chinese_labels_fit_their_boxes():
    svg = draw(
        [*transcripts.opening().entries, say("w", "a3", "user", "读取实现并运行聚焦测试" * 3)]
    ).svg()
    for group in ElementTree.fromstring(svg).iter(f"{SVG}g"):
        shape = group.find(f".//{SVG}polygon")
        words = [each.text or "" for each in group.iter(f"{SVG}text")]
        if group.get("class", "").startswith("node entry") and shape is not None:
            across = [float(point.split(",")[0]) for point in shape.get("points").split()]
            # A Chinese character is one em wide in every font: 11 points here.
            wide = max(sum(11 for char in each if char > "⺀") for each in words)
            assert wide <= max(across) - min(across)


@pytest.mark.dot
def test_a_notebook_gets_svg_and_text():
    picture = draw(leaf_exercise())
    bundle = picture._repr_mimebundle_()
    assert bundle == {"text/plain": picture.text, "image/svg+xml": picture.svg()}
    assert repr(picture) == picture.text


@pytest.fixture
def no_dot(monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(render, "_wheel_program", lambda: None)
    render.dot_program.cache_clear()
    yield
    render.dot_program.cache_clear()


@pytest.fixture
def only_the_wheel(monkeypatch):
    monkeypatch.setenv("PATH", "")
    render.dot_program.cache_clear()
    yield
    render.dot_program.cache_clear()


@pytest.mark.usefixtures("only_the_wheel")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(trees(most=20))
def test_the_wheel_draws_the_same_boxes(entries):
    assert "graphviz-pure" in render.dot_program()
    root = ElementTree.fromstring(draw(entries).svg())
    groups = [each for each in root.iter(f"{SVG}g") if "entry" in each.get("class", "").split()]
    assert len(groups) == len(entries)


@pytest.mark.dot
def test_system_and_wheel_agree_on_the_layout(monkeypatch):
    picture = draw(random_tree(2000, 1, branching=0.1))

    def places():
        render.dot_program.cache_clear()
        groups = ElementTree.fromstring(picture.svg()).iter(f"{SVG}g")
        nodes = [each for each in groups if each.get("class", "").startswith("node")]
        across = [float(each.find(f".//{SVG}text").get("x")) for each in nodes]
        return [sum(a < b for a in across) for b in across], len(nodes)

    by_system = places()
    monkeypatch.setenv("PATH", "")
    by_wheel = places()
    render.dot_program.cache_clear()
    assert by_wheel == by_system


@pytest.mark.usefixtures("no_dot")
def test_without_dot_the_text_stands_and_one_sentence_says_why(capsys, monkeypatch):
    monkeypatch.setattr("coursekit.view.picture._told", [])
    picture = draw(leaf_exercise())
    assert picture._repr_mimebundle_() == {"text/plain": picture.text}
    assert picture._repr_mimebundle_() == {"text/plain": picture.text}
    assert capsys.readouterr().err == render.NO_DOT + "\n"
    with pytest.raises(RenderError, match="dot was not found"):
        picture.svg()


@pytest.mark.dot
def test_a_fault_of_dot_is_passed_on():
    with pytest.raises(RenderError, match="syntax error"):
        render.render("digraph {")


@pytest.mark.dot
def test_save_by_the_ending_of_the_name(tmp_path):
    picture = draw([*leaf_exercise(), label("l", "E", "A", "begin")])
    assert picture.save(tmp_path / "a.svg").read_text() == picture.svg()
    assert picture.save(tmp_path / "a.dot").read_text() == picture.dot
    assert picture.save(str(tmp_path / "a.txt")).read_text() == picture.text + "\n"
    assert picture.save(tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ValueError, match="gif"):
        picture.save(tmp_path / "a.gif")
    assert isinstance(picture, Picture)
