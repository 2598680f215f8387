"""The tree under every picture."""

from __future__ import annotations

import pytest

from coursekit.view.facts import ViewError
from coursekit.view.forest import MISSING, forest_of
from coursekit.view.scene import scene_of
from tests.view.drawn_sessions import Json, leaf_exercise, line, random_tree, say


def test_the_path_runs_from_the_root_to_the_leaf() -> None:
    forest = forest_of(leaf_exercise())
    assert forest.path("E") == ["A", "B", "E"]
    assert forest.path("D") == ["A", "B", "C", "D"]
    assert forest.path(None) == []
    assert forest.order == ["A", "B", "C", "D", "E"]


def test_entries_may_stand_before_their_parents() -> None:
    forest = forest_of(leaf_exercise()[::-1])
    assert forest.path("D") == ["A", "B", "C", "D"]
    assert forest.order == ["A", "B", "E", "C", "D"]


def test_a_missing_parent_gets_a_stand_in() -> None:
    forest = forest_of([say("b", "lost")])
    assert forest.path("b") == ["lost", "b"]
    assert forest.entries["lost"] == {"type": MISSING, "id": "lost"}


@pytest.mark.parametrize(
    ("entries", "ids"),
    [
        ([say("a", None), say("a", "a")], ("a",)),
        ([say("root", None), say("a", "b"), say("b", "a"), say("c", "b")], ("a", "b")),
        ([say("a", "a")], ("a",)),
    ],
    ids=["duplicate", "cycle", "own parent"],
)
def test_what_is_no_tree_is_refused_by_its_ids(entries: list[Json], ids: tuple[str, ...]) -> None:
    with pytest.raises(ViewError) as caught:
        scene_of(entries)
    assert caught.value.ids == ids
    assert all(each in str(caught.value) for each in ids)


def test_a_chain_of_any_length_is_walked_without_recursion() -> None:
    scene = scene_of(line(100_000))
    assert len(scene.path) == 100_000
    assert scene_of(random_tree(20_000, 3)).describe().startswith("20,000 entries, leaf e19999")
