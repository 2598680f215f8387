"""From a leaf to its root, in any forest, and what stands in the way."""

import copy
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coursekit.session import SessionEntry, SessionPathError, parse_session_entry, path_to
from coursekit.transcripts import Json
from tests.builders import little_stack, metadata, opening, user
from tests.independence import share_nothing, wreck
from tests.strategies import sessions


def tree(*links: tuple[str, str | None]) -> list[SessionEntry]:
    return [parse_session_entry(metadata(each) | {"parentId": parent}) for each, parent in links]


def refused(entries: list[SessionEntry], leaf: str) -> SessionPathError:
    with pytest.raises(SessionPathError) as caught:
        path_to(entries, leaf)
    for each in caught.value.ids:
        assert repr(each) in str(caught.value)
    return caught.value


def test_the_path_is_the_branch_of_the_leaf_and_no_other() -> None:
    forest = tree(("a", None), ("b", "a"), ("side", "a"), ("c", "b"), ("root 2", None))
    assert [entry.id for entry in path_to(forest, "c")] == ["a", "b", "c"]
    assert [entry.id for entry in path_to(forest, "side")] == ["a", "side"]
    assert [entry.id for entry in path_to(forest, "root 2")] == ["root 2"]


def test_a_parent_may_stand_after_its_child() -> None:
    forest = tree(("c", "b"), ("b", "a"), ("a", None))
    assert [entry.id for entry in path_to(iter(forest), "c")] == ["a", "b", "c"]


def test_an_unknown_leaf() -> None:
    assert refused(tree(("a", None)), "b").ids == ("b",)
    assert refused([], "b").ids == ("b",)


def test_a_duplicate_id_even_off_the_path() -> None:
    assert refused(tree(("a", None), ("b", "a"), ("b", None)), "a").ids == ("b",)


def test_the_duplicate_id_of_the_field_case_is_an_error_and_no_endless_walk() -> None:
    forest = tree(("u1", None), ("a1", "u1"), ("u1", "a1"))
    assert refused(forest, "a1").ids == ("u1",)


def test_a_missing_parent_is_named_with_its_child() -> None:
    assert set(refused(tree(("a", None), ("c", "b")), "c").ids) == {"b", "c"}


@pytest.mark.parametrize(
    ("links", "leaf"),
    [
        ([("u1", "u2"), ("u2", "u1")], "u1"),
        ([("u1", "u1")], "u1"),
        ([("u1", "u2"), ("u2", "u3"), ("u3", "u2")], "u1"),
    ],
)
def test_a_cycle_is_named_by_ids_on_it(links: list[tuple[str, str | None]], leaf: str) -> None:
    error = refused(tree(*links), leaf)
    assert "cycle" in str(error)
    assert set(error.ids) <= {each for each, _ in links}
    assert error.ids


def test_a_fault_on_another_branch_is_not_this_paths_business() -> None:
    forest = tree(("a", None), ("x", "gone"), ("y", "z"), ("z", "y"))
    assert [entry.id for entry in path_to(forest, "a")] == ["a"]


def oracle(links: dict[str, str | None], leaf: str) -> list[str] | None:
    """The path by asking, as often as there are entries, for the parent's parent."""
    path: list[str] = []
    step: str | None = leaf
    for _ in range(len(links) + 1):
        if step is None:
            return path[::-1]
        if step not in links:
            return None
        path.append(step)
        step = links[step]
    return None


ids = st.sampled_from("abcdefg")


@given(st.dictionaries(ids, st.one_of(st.none(), ids), max_size=7), ids, st.randoms())
def test_any_graph_of_parents(
    links: dict[str, str | None], leaf: str, order: random.Random
) -> None:
    entries = tree(*links.items())
    order.shuffle(entries)
    expected = oracle(links, leaf)
    if expected is None:
        refused(entries, leaf)
    else:
        assert [entry.id for entry in path_to(entries, leaf)] == expected


@given(sessions().filter(bool))
def test_the_path_is_made_of_copies(session: list[Json]) -> None:
    entries = [parse_session_entry(entry) for entry in session]
    kept = copy.deepcopy(entries)
    path = path_to(entries, session[-1]["id"])
    assert path == entries
    assert share_nothing(path, entries)
    wreck(path)
    assert entries == kept


def test_the_path_is_the_callers_list() -> None:
    entries = [parse_session_entry(entry) for entry in opening()]
    path_to(entries, "a3").clear()
    assert len(path_to(entries, "a3")) == 9


def test_twenty_thousand_entries_in_one_chain_and_in_one_cycle() -> None:
    links = [(f"e{i}", f"e{i - 1}" if i else None) for i in range(20_000)]
    entries = tree(*links)
    with little_stack():
        path = path_to((entry for entry in entries), "e19999")
        assert [entry.id for entry in path] == [each for each, _ in links]
        entries[0].parent_id = "e19999"
        assert "cycle" in str(refused(entries, "e10000"))


def test_order_of_entries_is_no_order_of_the_path() -> None:
    entries = [parse_session_entry(user("u1")), parse_session_entry(user("u0"))]
    entries[0].parent_id = "u0"
    assert [entry.id for entry in path_to(entries, "u1")] == ["u0", "u1"]
