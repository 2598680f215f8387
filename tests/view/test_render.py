"""The one place that runs a drawing program, and the wheel that stands in."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings

from coursekit.view import RenderError, draw, render
from tests.view.drawn_sessions import SVG, Json, inside, random_tree, trees


@pytest.fixture
def only_the_wheel(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("PATH", "")
    render.dot_program.cache_clear()
    yield
    render.dot_program.cache_clear()


@pytest.mark.usefixtures("only_the_wheel")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(trees(most=20))
def test_the_wheel_draws_the_same_boxes(entries: list[Json]) -> None:
    assert "graphviz-pure" in str(render.dot_program())
    root = ElementTree.fromstring(draw(entries).svg())
    groups = [each for each in root.iter(f"{SVG}g") if "entry" in each.get("class", "").split()]
    assert len(groups) == len(entries)


@pytest.mark.dot
def test_system_and_wheel_agree_on_the_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = draw(random_tree(2000, 1, branching=0.1))

    def places() -> tuple[list[int], int]:
        render.dot_program.cache_clear()
        groups = ElementTree.fromstring(picture.svg()).iter(f"{SVG}g")
        nodes = [each for each in groups if each.get("class", "").startswith("node")]
        across = [float(inside(each, "text").attrib["x"]) for each in nodes]
        return [sum(a < b for a in across) for b in across], len(nodes)

    by_system = places()
    monkeypatch.setenv("PATH", "")
    by_wheel = places()
    render.dot_program.cache_clear()
    assert by_wheel == by_system


@pytest.mark.dot
def test_a_fault_of_dot_is_passed_on() -> None:
    with pytest.raises(RenderError, match="syntax error"):
        render.render("digraph {")


@pytest.mark.dot
def test_a_drawing_that_takes_too_long_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "TIMEOUT", 0.001)
    with pytest.raises(RenderError, match=r"longer than 0\.001 seconds"):
        render.render(draw(random_tree(500, 1), unfold=True).dot)
