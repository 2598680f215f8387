"""Folding: every entry is in one box, boxes form a tree, and nothing that differs is mixed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coursekit.view.fold import LIMIT, SMALLEST, boxes_of
from coursekit.view.scene import scene_of
from tests.view.drawn_sessions import Json, compact, label, line, random_tree, say, trees


@given(entries=trees(), data=st.data(), limit=st.integers(0, 60))
def test_folded_or_not_it_is_the_same_tree(
    entries: list[Json], data: st.DataObject, limit: int
) -> None:
    ids = [entry["id"] for entry in entries]
    leaf = data.draw(st.sampled_from([*ids, None]))
    seen = data.draw(st.sets(st.sampled_from(ids))) if ids else set()
    scene = scene_of(entries, leaf=leaf, projection=seen)
    boxes = boxes_of(scene, limit=limit)

    assert sorted(each for box in boxes for each in box.ids) == sorted(ids)
    home = {each: index for index, box in enumerate(boxes) for each in box.ids}
    for entry in entries:
        mine, above = home[entry["id"]], entry["parentId"]
        # An edge of the tree is inside a box or is the edge of two boxes.
        expected = None if above is None else home[above]
        assert expected in (mine, boxes[mine].parent)
    for index, box in enumerate(boxes):
        assert box.parent is None or box.parent < index
        assert index in (boxes[box.parent].children if box.parent is not None else [index])
        assert len({scene.regions.get(each) for each in box.ids if each in scene.on_path}) <= 1
        if box.ids[0] not in scene.on_path:
            assert scene.on_path.isdisjoint(box.ids)
        if not box.folded:
            assert len(box.ids) == 1
    if scene.leaf_id is not None:
        assert boxes[home[scene.leaf_id]].ids == [scene.leaf_id]


@given(trees())
def test_unfolded_has_a_box_for_each_entry(entries: list[Json]) -> None:
    boxes = boxes_of(scene_of(entries), unfold=True, limit=0)
    assert len(boxes) == len(entries)
    assert not any(box.folded for box in boxes)


def test_a_straight_run_folds_between_its_ends() -> None:
    boxes = boxes_of(scene_of(line(1000)))
    # Two at the start, six before and with the leaf: the rest is one fold.
    assert [len(box.ids) for box in boxes] == [1, 1, 992, 1, 1, 1, 1, 1, 1]
    assert boxes[2].words == "… 992 entries …"


def test_a_fold_opens_where_an_id_is_asked_for() -> None:
    scene = scene_of(
        [*line(200), *[say(f"b{at}", f"b{at - 1}" if at else "n50") for at in range(90)]]
    )
    closed = boxes_of(scene)
    opened = boxes_of(scene, unfold=["b40"])
    folds = [box.ids for box in closed if box.folded]
    assert any("b40" in ids for ids in folds)
    assert {each for box in opened if not box.folded for each in box.ids} >= {"b39", "b40", "b41"}
    assert [box.ids for box in opened if box.folded] == [ids for ids in folds if "b40" not in ids]


def test_what_a_reader_looks_for_is_never_folded_away() -> None:
    entries = [*line(400), compact("k", "n399", "n200"), label("l", "k", "n100", "here")]
    boxes = boxes_of(scene_of(entries))
    alone = {box.ids[0] for box in boxes if not box.folded}
    # The root, the label's target, the last summarised, the first kept, the compaction, the leaf.
    assert alone >= {"n0", "n100", "n199", "n200", "k", "l"}


def test_a_fold_ends_where_the_context_does() -> None:
    seen = [f"n{at}" for at in range(20, 40)]
    scene = scene_of(line(60), projection=seen)
    # At limit 0 even the ends of the context have no box of their own.
    folds = [box.ids for box in boxes_of(scene, limit=0) if box.folded]
    assert [(ids[0], ids[-1]) for ids in folds] == [("n1", "n19"), ("n20", "n39"), ("n40", "n53")]


@pytest.mark.parametrize("branching", [0.01, 0.05, 0.3, 1.0])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_ten_thousand_entries_stay_a_readable_number_of_boxes(branching: float, seed: int) -> None:
    scene = scene_of(random_tree(10_000, seed, branching=branching))
    boxes = boxes_of(scene)
    # Each entry shown brings at most two folds: on its path and beside it.
    assert 8 < len(boxes) <= 3 * LIMIT
    assert all(len(box.ids) >= SMALLEST or not box.folded for box in boxes)


def test_a_star_does_not_overflow_the_picture() -> None:
    entries = [say("root", None), *[say(f"s{at}", "root") for at in range(3000)]]
    boxes = boxes_of(scene_of(entries, leaf="s1500"))
    assert len(boxes) < LIMIT
    assert sum(box.tips for box in boxes) > 2900
