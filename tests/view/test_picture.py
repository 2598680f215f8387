"""Pictures: how they show themselves, where they are saved, and what moved between two."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from coursekit import transcripts
from coursekit.view import Picture, RenderError, draw, render
from tests.view.drawn_sessions import (
    SVG,
    Json,
    compact,
    inside,
    label,
    leaf_exercise,
    line,
    random_tree,
    say,
)


def test_two_leaf_positions_side_by_side_say_what_moved() -> None:
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


def test_a_picture_keeps_its_moment() -> None:
    entries = leaf_exercise()[:4]
    before = draw(entries)
    text = before.text
    entries.append(say("E", "B"))
    assert before.text == text
    assert "4 entries" in draw(before, draw(entries)).text


def test_the_drawing_too_is_of_the_moment_that_it_was_made_in() -> None:
    entries = leaf_exercise()
    expected = draw(leaf_exercise()).dot
    picture = draw(entries)
    entries[0]["message"]["content"][0]["text"] = "changed"
    assert picture.dot == expected


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
def test_svg_has_a_title_a_description_and_no_noise(entries: list[Json]) -> None:
    picture = draw(entries)
    svg = picture.svg()
    root = ElementTree.fromstring(svg)
    assert root.get("role") == "img"
    assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    assert inside(root, "title").text == picture.scene.describe()
    assert inside(root, "desc").text == picture.text
    assert svg.startswith("<svg")
    assert "<!--" not in svg


@pytest.mark.dot
def test_a_notebook_gets_svg_and_text() -> None:
    picture = draw(leaf_exercise())
    bundle = picture._repr_mimebundle_()
    assert bundle == {"text/plain": picture.text, "image/svg+xml": picture.svg()}
    assert repr(picture) == picture.text


@pytest.fixture
def no_dot(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(render, "_wheel_program", lambda: None)
    render.dot_program.cache_clear()
    yield
    render.dot_program.cache_clear()


@pytest.mark.usefixtures("no_dot")
def test_without_dot_the_text_stands_and_one_sentence_says_why(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("coursekit.view.picture._warned", [])
    picture = draw(leaf_exercise())
    assert picture._repr_mimebundle_() == {"text/plain": picture.text}
    assert picture._repr_mimebundle_() == {"text/plain": picture.text}
    assert capsys.readouterr().err == render.NO_DOT + "\n"
    with pytest.raises(RenderError, match="dot was not found"):
        picture.svg()


@pytest.mark.dot
def test_save_by_the_ending_of_the_name(tmp_path: Path) -> None:
    picture = draw([*leaf_exercise(), label("l", "E", "A", "begin")])
    assert picture.save(tmp_path / "a.svg").read_text() == picture.svg()
    assert picture.save(tmp_path / "a.dot").read_text() == picture.dot
    assert picture.save(str(tmp_path / "a.txt")).read_text() == picture.text + "\n"
    assert picture.save(tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ValueError, match="gif"):
        picture.save(tmp_path / "a.gif")
    assert isinstance(picture, Picture)
