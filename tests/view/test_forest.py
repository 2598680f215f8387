"""The tree under every picture, and the scene set on it."""

from __future__ import annotations

import pytest
from drawn_sessions import compact, label, leaf_exercise, line, random_tree, say

from coursekit import context, session, transcripts
from coursekit.view import draw
from coursekit.view.forest import forest_of
from coursekit.view.facts import ViewError
from coursekit.view.scene import scene_of


def test_the_path_runs_from_the_root_to_the_leaf():
    forest = forest_of(leaf_exercise())
    assert forest.path("E") == ["A", "B", "E"]
    assert forest.path("D") == ["A", "B", "C", "D"]
    assert forest.path(None) == []
    assert forest.order == ["A", "B", "C", "D", "E"]


def test_entries_may_stand_before_their_parents():
    forest = forest_of(leaf_exercise()[::-1])
    assert forest.path("D") == ["A", "B", "C", "D"]
    assert forest.order == ["A", "B", "E", "C", "D"]


def test_a_missing_parent_is_shown_as_missing():
    scene = scene_of([say("b", "lost")])
    assert scene.path == ["lost", "b"]
    assert "missing" in draw([say("b", "lost")]).text


@pytest.mark.parametrize(
    ("entries", "ids"),
    [
        ([say("a", None), say("a", "a")], ("a",)),
        ([say("root", None), say("a", "b"), say("b", "a"), say("c", "b")], ("a", "b")),
        ([say("a", "a")], ("a",)),
    ],
    ids=["duplicate", "cycle", "own parent"],
)
def test_what_is_no_tree_is_refused_by_its_ids(entries, ids):
    with pytest.raises(ViewError) as caught:
        scene_of(entries)
    assert caught.value.ids == ids
    assert all(each in str(caught.value) for each in ids)


@pytest.mark.parametrize(
    ("entry", "part"),
    [
        ({"type": "message"}, "entries[1].id"),
        ({"id": "", "type": "message"}, "entries[1].id"),
        ({"id": "x", "type": 3}, "entries[1] (x).type"),
        ({"id": "x", "type": "message", "parentId": [4]}, "entries[1] (x).parentId"),
        ({"id": "x", "type": "message", "parentId": 4}, "entries[1] (x).parentId"),
    ],
)
def test_an_entry_that_is_none_is_named_by_its_place(entry, part):
    with pytest.raises(ViewError) as caught:
        scene_of([say("a", None), entry])
    assert part in str(caught.value)


@pytest.mark.parametrize("value", [None, 3, "file.jsonl", {"id": "a"}])
def test_what_is_no_session_is_refused_with_what_is_needed(value):
    with pytest.raises(TypeError, match="a session or a list of entries is needed"):
        scene_of(value)


def test_an_unknown_leaf_or_projection_is_named():
    with pytest.raises(ViewError, match="'Z'"):
        scene_of(leaf_exercise(), leaf="Z")
    with pytest.raises(ViewError, match="Y, Z"):
        scene_of(leaf_exercise(), projection=["A", "Y", "Z"])


def test_the_leaf_is_the_sessions_own_or_the_newest_or_chosen():
    class Manager:
        def get_entries(self):
            return leaf_exercise()

        def get_leaf_id(self):
            return "B"

    assert scene_of(Manager()).leaf_id == "B"
    assert scene_of(leaf_exercise()).leaf_id == "E"
    assert scene_of(leaf_exercise(), leaf="D").leaf_id == "D"
    assert scene_of(leaf_exercise(), leaf=None).path == []
    assert scene_of([]).leaf_id is None


def test_objects_and_json_make_the_same_scene():
    opening = transcripts.opening()
    entries = [*opening.entries, opening.compaction, *opening.continuation]
    parsed = [session.parse_session_entry(entry) for entry in entries]
    store = session.InMemorySessionStore()
    for entry in parsed:
        store.append(entry)
    scenes = [scene_of(each) for each in (entries, parsed, store)]
    assert scenes[0].path == scenes[1].path == scenes[2].path
    assert scenes[0].regions == scenes[1].regions == scenes[2].regions


def test_regions_follow_the_result_of_build_context():
    opening = transcripts.opening()
    entries = [*opening.entries, opening.compaction, *opening.continuation]
    parsed = [session.parse_session_entry(entry) for entry in entries]
    result = context.build_context(parsed, **opening.options | {"max_tokens": 100})
    scene = scene_of(parsed, projection=result)
    assert scene.checkpoint == "compact-1"
    assert {each for each, region in scene.regions.items() if region == "summarised"} == {
        "u1",
        "a1",
    }
    seen = [each for each, region in scene.regions.items() if region == "context"]
    assert seen == [each for each in scene.path if each in {*result.kept_entry_ids, "compact-1"}]


def test_only_the_newest_compaction_on_the_path_shades():
    entries = [*line(6), compact("k1", "n5", "n1"), say("n6", "k1"), compact("k2", "n6", "n3")]
    scene = scene_of(entries)
    assert (scene.checkpoint, scene.first_kept_id) == ("k2", "n3")
    assert list(scene.regions) == ["n0", "n1", "n2"]
    assert scene_of(entries, leaf="n6").checkpoint == "k1"


def test_a_label_stands_until_it_is_taken_off():
    entries = [*leaf_exercise(), label("l1", "E", "B", "good"), label("l2", "l1", "D", "old")]
    assert scene_of(entries).labels == {"B": "good", "D": "old"}
    assert scene_of([*entries, label("l3", "l2", "D", None)]).labels == {"B": "good"}


def test_a_chain_of_any_length_is_walked_without_recursion():
    scene = scene_of(line(100_000))
    assert len(scene.path) == 100_000
    assert scene_of(random_tree(20_000, 3)).describe().startswith("20,000 entries, leaf e19999")
