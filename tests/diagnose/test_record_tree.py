"""The tree of the records: what hangs on what, and what hangs on nothing."""

from coursekit.diagnose.entry_record import EntryRecord
from coursekit.diagnose.record_tree import RecordTree
from tests.diagnose.damaged_files import user


def tree_of(*links: tuple[str, str | None]) -> RecordTree:
    return RecordTree([EntryRecord(user(*link), at) for at, link in enumerate(links, start=2)])


def test_a_walk_enters_parents_first_and_leaves_children_first() -> None:
    tree = tree_of(("a", None), ("b", "a"), ("c", "a"))
    assert [(act, record.id) for act, record in tree.walk()] == [
        ("enter", "a"),
        ("enter", "b"),
        ("leave", "b"),
        ("enter", "c"),
        ("leave", "c"),
        ("leave", "a"),
    ]


def test_the_path_runs_from_the_leaf_to_the_root() -> None:
    tree = tree_of(("a", None), ("b", "a"), ("c", "a"))
    assert [record.id for record in tree.path(tree.by_id["c"])] == ["c", "a"]


def test_a_cycle_is_found_once_and_a_path_on_it_ends() -> None:
    tree = tree_of(("a", "c"), ("b", "a"), ("c", "b"), ("d", "c"))
    (finding,) = tree.findings
    assert (finding.code, finding.line, set(finding.ids)) == ("cycle", 2, {"a", "b", "c"})
    assert [record.id for record in tree.path(tree.by_id["d"])] == ["d", "c", "b", "a"]
    assert list(tree.walk()) == []
