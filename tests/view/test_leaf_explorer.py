"""The leaf explorer without a browser: moves by their traits, and the still that they leave."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from coursekit.pi import SessionManager
from coursekit.view import LeafExplorer
from tests.view.drawn_sessions import SVG, inside, leaf_exercise, line, stamped


@pytest.fixture
def explorer() -> LeafExplorer:
    return LeafExplorer(stamped(leaf_exercise()[:4]))


def click(explorer: LeafExplorer, entry_id: str) -> None:
    """What the canvas sends when a box is clicked."""
    explorer.canvas.picked = entry_id
    explorer.canvas.clicks += 1


def press(explorer: LeafExplorer, key: str) -> None:
    explorer.buttons[key].click()


def test_the_exercise_by_hand(explorer: LeafExplorer) -> None:
    click(explorer, "B")
    assert explorer.chosen.value == "B"
    press(explorer, "tree")
    assert explorer.session.get_leaf_id() == "B"
    assert 'session.branch("B")'.replace('"', "&quot;") in explorer.call.value
    explorer.words.value = "Delete it"
    press(explorer, "user")
    added = explorer.session.get_leaf_id()
    # The new entry hangs on B, and C and D are still in the file.
    assert [e.id for e in explorer.session.get_branch()] == ["A", "B", added]
    assert explorer.step.file_entries == ("A", "B", "C", "D", added)
    assert explorer.step.picture.scene.path == ["A", "B", added]
    assert "Delete it" in explorer.step.context
    assert "Rename it" not in explorer.step.context
    assert explorer.canvas.text == explorer.step.picture.text


def test_tree_to_a_user_message_goes_to_its_parent_and_offers_its_text(
    explorer: LeafExplorer,
) -> None:
    explorer.chosen.value = "C"
    press(explorer, "tree")
    assert explorer.session.get_leaf_id() == "B"
    assert explorer.words.value == "Rename it"
    explorer.chosen.value = "A"
    press(explorer, "tree")
    assert explorer.session.get_leaf_id() is None
    assert explorer.words.value == "Read a.ts"
    assert "session.reset_leaf()" in explorer.call.value


def test_fork_copies_up_to_a_user_message_and_clone_up_to_the_leaf(explorer: LeafExplorer) -> None:
    explorer.chosen.value = "C"
    press(explorer, "fork")
    assert explorer.step.file_entries == ("A", "B")
    assert explorer.words.value == "Rename it"
    explorer.chosen.value = "B"
    press(explorer, "fork")
    assert "/fork starts from a user message" in explorer.call.value


def test_clone_leaves_the_other_branches_behind(explorer: LeafExplorer) -> None:
    explorer.chosen.value = "B"
    press(explorer, "tree")
    before = explorer.session
    press(explorer, "clone")
    assert explorer.step.file_entries == ("A", "B")
    assert explorer.step.leaf_id == "B"
    assert len(before.get_entries()) == 4


def test_compacting_shortens_the_context_and_not_the_file(explorer: LeafExplorer) -> None:
    explorer.chosen.value = "C"
    explorer.words.value = "a.ts was read"
    press(explorer, "compact")
    assert len(explorer.step.file_entries) == 5
    assert "a.ts was read" in explorer.step.context
    assert "Read a.ts" not in explorer.step.context
    # Half of the explorer is the picture: three columns fit beside it, five did not.
    heads = re.findall(r"<th [^>]*>([^<]*)</th>", explorer.state.value)
    assert heads == ["role", "text", "source"]
    assert explorer.step.picture.scene.first_kept_id == "C"


def test_what_is_not_possible_is_said_and_changes_nothing(explorer: LeafExplorer) -> None:
    explorer.chosen.value = "B"
    press(explorer, "tree")
    explorer.chosen.value = "D"
    press(explorer, "compact")
    assert "not possible" in explorer.call.value
    assert len(explorer.moves.steps) == 2
    press(explorer, "reset")
    press(explorer, "clone")
    assert "there is no leaf yet" in explorer.call.value


def test_tree_to_the_leaf_itself_makes_no_call(explorer: LeafExplorer) -> None:
    explorer.chosen.value = "D"
    press(explorer, "tree")
    assert "no call" in explorer.call.value
    assert explorer.session.get_leaf_id() == "D"


def test_the_slider_goes_back_through_the_moves(explorer: LeafExplorer) -> None:
    explorer.chosen.value = "B"
    press(explorer, "tree")
    press(explorer, "reset")
    assert explorer.history.value == 2
    explorer.history.value = 0
    assert explorer.step.leaf_id == "D"
    assert explorer.canvas.text == explorer.moves.steps[0].picture.text
    assert all(button.disabled for button in explorer.buttons.values())
    explorer.history.value = 2
    assert not any(button.disabled for button in explorer.buttons.values())


def test_the_session_passed_in_is_never_changed() -> None:
    original = SessionManager.in_memory(entries=stamped(leaf_exercise()))
    original.branch("D")
    explorer = LeafExplorer(original)
    assert explorer.step.leaf_id == "D"
    press(explorer, "reset")
    explorer.words.value = "anew"
    press(explorer, "user")
    assert original.get_leaf_id() == "D"
    assert len(original.get_entries()) == 5


def test_a_click_on_a_fold_opens_it() -> None:
    explorer = LeafExplorer(stamped(line(200)))
    fold = next(i for i in explorer.canvas.names.values() if i not in explorer.step.picture.alone)
    before = len(explorer.canvas.names)
    click(explorer, fold)
    assert len(explorer.canvas.names) > before
    assert fold in explorer.canvas.names.values()


def test_a_long_session_lists_what_is_on_screen() -> None:
    explorer = LeafExplorer(stamped(line(3000)))
    assert len(explorer.chosen.options) < 20
    assert "older messages, then:" in explorer.step.context
    explorer.chosen.value = explorer.chosen.options[0][1]
    press(explorer, "tree")
    explorer.history.value = 0
    before = explorer.canvas.names
    click(explorer, next(i for i in before.values() if i not in explorer.step.picture.alone))
    assert explorer.canvas.names == before


def test_each_box_of_the_drawing_has_its_entry(explorer: LeafExplorer) -> None:
    root = ElementTree.fromstring(explorer.canvas.svg)
    boxes = [g for g in root.iter(f"{SVG}g") if "entry" in g.get("class", "").split()]
    assert [explorer.canvas.names[inside(box, "title").text or ""] for box in boxes] == list("ABCD")


def test_the_still_holds_the_whole_state_as_text(explorer: LeafExplorer) -> None:
    still = explorer.still()
    text = still["text/plain"]
    assert text.startswith(explorer.step.picture.text)
    assert "file entries: A B C D" in text
    assert LeafExplorer(stamped(leaf_exercise()[:4])).still() == still
    assert max(map(len, text.splitlines())) <= 80
