"""The scene set on a tree: its leaf, its labels, what the model sees."""

from __future__ import annotations

import pytest

from coursekit import context, session, transcripts
from coursekit.view import draw
from coursekit.view.facts import ViewError
from coursekit.view.scene import scene_of
from tests.view.drawn_sessions import Json, compact, label, leaf_exercise, line, say


def test_a_missing_parent_is_shown_as_missing() -> None:
    scene = scene_of([say("b", "lost")])
    assert scene.path == ["lost", "b"]
    assert "missing" in draw([say("b", "lost")]).text


def test_an_unknown_leaf_or_projection_is_named() -> None:
    with pytest.raises(ViewError, match="'Z'"):
        scene_of(leaf_exercise(), leaf="Z")
    with pytest.raises(ViewError, match="Y, Z"):
        scene_of(leaf_exercise(), projection=["A", "Y", "Z"])


def test_the_leaf_is_the_sessions_own_or_the_newest_or_chosen() -> None:
    class Manager:
        def get_entries(self) -> list[Json]:
            return leaf_exercise()

        def get_leaf_id(self) -> str:
            return "B"

    assert scene_of(Manager()).leaf_id == "B"
    assert scene_of(leaf_exercise()).leaf_id == "E"
    assert scene_of(leaf_exercise(), leaf="D").leaf_id == "D"
    assert scene_of(leaf_exercise(), leaf=None).path == []
    assert scene_of([]).leaf_id is None


def test_objects_and_json_make_the_same_scene() -> None:
    opening = transcripts.opening()
    entries = [*opening.entries, opening.compaction, *opening.continuation]
    parsed = [session.parse_session_entry(entry) for entry in entries]
    store = session.InMemorySessionStore()
    for entry in parsed:
        store.append(entry)
    scenes = [scene_of(each) for each in (entries, parsed, store)]
    assert scenes[0].path == scenes[1].path == scenes[2].path
    assert scenes[0].regions == scenes[1].regions == scenes[2].regions


def test_regions_follow_the_result_of_build_context() -> None:
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


def test_only_the_newest_compaction_on_the_path_shades() -> None:
    entries = [*line(6), compact("k1", "n5", "n1"), say("n6", "k1"), compact("k2", "n6", "n3")]
    scene = scene_of(entries)
    assert (scene.checkpoint, scene.first_kept_id) == ("k2", "n3")
    assert list(scene.regions) == ["n0", "n1", "n2"]
    assert scene_of(entries, leaf="n6").checkpoint == "k1"


def test_a_label_stands_until_it_is_taken_off() -> None:
    entries = [*leaf_exercise(), label("l1", "E", "B", "good"), label("l2", "l1", "D", "old")]
    assert scene_of(entries).labels == {"B": "good", "D": "old"}
    assert scene_of([*entries, label("l3", "l2", "D", None)]).labels == {"B": "good"}
