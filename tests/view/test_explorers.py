"""The explorers without a browser: moves by their traits, and the still that they leave."""

from __future__ import annotations

import re
import sys
import types
from xml.etree import ElementTree

import pytest
from drawn_sessions import leaf_exercise, line

from coursekit import context, session, transcripts
from coursekit.pi import SessionManager
from coursekit.view import BudgetExplorer, LeafExplorer
from coursekit.view.moves import Moves


def stamped(entries):
    return [entry | {"timestamp": "2026-01-01T00:00:00.000Z"} for entry in entries]


@pytest.fixture
def explorer():
    return LeafExplorer(stamped(leaf_exercise()[:4]))


def click(explorer, entry_id):
    """What the canvas sends when a box is clicked."""
    explorer.canvas.picked = entry_id
    explorer.canvas.clicks += 1


def press(explorer, key):
    explorer.buttons[key].click()


def test_the_exercise_by_hand(explorer):
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


def test_a_user_message_in_the_tree_leads_to_its_parent_and_offers_its_text(explorer):
    explorer.chosen.value = "C"
    press(explorer, "tree")
    assert explorer.session.get_leaf_id() == "B"
    assert explorer.words.value == "Rename it"
    explorer.chosen.value = "A"
    press(explorer, "tree")
    assert explorer.session.get_leaf_id() is None
    assert explorer.words.value == "Read a.ts"
    assert "session.reset_leaf()" in explorer.call.value


def test_fork_copies_up_to_a_user_message_and_clone_up_to_the_leaf(explorer):
    explorer.chosen.value = "C"
    press(explorer, "fork")
    assert explorer.step.file_entries == ("A", "B")
    assert explorer.words.value == "Rename it"
    explorer.chosen.value = "B"
    press(explorer, "fork")
    assert "/fork starts from a user message" in explorer.call.value


def test_clone_leaves_the_other_branches_behind(explorer):
    explorer.chosen.value = "B"
    press(explorer, "tree")
    before = explorer.session
    press(explorer, "clone")
    assert explorer.step.file_entries == ("A", "B")
    assert explorer.step.leaf_id == "B"
    assert len(before.get_entries()) == 4


def test_compacting_shortens_the_context_and_not_the_file(explorer):
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


def test_what_is_not_possible_is_said_and_changes_nothing(explorer):
    explorer.chosen.value = "B"
    press(explorer, "tree")
    explorer.chosen.value = "D"
    press(explorer, "compact")
    assert "not possible" in explorer.call.value
    assert len(explorer.moves.steps) == 2
    press(explorer, "reset")
    press(explorer, "clone")
    assert "there is no leaf yet" in explorer.call.value


def test_tree_to_the_leaf_itself_makes_no_call(explorer):
    explorer.chosen.value = "D"
    press(explorer, "tree")
    assert "no call" in explorer.call.value
    assert explorer.session.get_leaf_id() == "D"


def test_the_slider_goes_back_through_the_moves(explorer):
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


def test_the_session_given_is_never_changed():
    given = SessionManager.in_memory(entries=stamped(leaf_exercise()))
    given.branch("D")
    explorer = LeafExplorer(given)
    assert explorer.step.leaf_id == "D"
    press(explorer, "reset")
    explorer.words.value = "anew"
    press(explorer, "user")
    assert given.get_leaf_id() == "D"
    assert len(given.get_entries()) == 5


def test_a_click_on_a_fold_opens_it():
    explorer = LeafExplorer(stamped(line(200)))
    fold = next(i for i in explorer.canvas.names.values() if i not in explorer.step.picture.alone)
    before = len(explorer.canvas.names)
    click(explorer, fold)
    assert len(explorer.canvas.names) > before
    assert fold in explorer.canvas.names.values()


def test_a_long_session_lists_what_is_on_screen():
    explorer = LeafExplorer(stamped(line(3000)))
    assert len(explorer.chosen.options) < 20
    assert "older messages, then:" in explorer.step.context
    explorer.chosen.value = explorer.chosen.options[0][1]
    press(explorer, "tree")
    explorer.history.value = 0
    before = explorer.canvas.names
    click(explorer, next(i for i in before.values() if i not in explorer.step.picture.alone))
    assert explorer.canvas.names == before


def test_each_box_of_the_drawing_has_its_entry(explorer):
    root = ElementTree.fromstring(explorer.canvas.svg)
    svg = "{http://www.w3.org/2000/svg}"
    boxes = [g for g in root.iter(f"{svg}g") if "entry" in g.get("class", "").split()]
    assert [explorer.canvas.names[box.find(f"{svg}title").text] for box in boxes] == list("ABCD")


def test_the_still_holds_the_whole_state_as_text(explorer):
    still = explorer.still()
    text = still["text/plain"]
    assert text.startswith(explorer.step.picture.text)
    assert "file entries: A B C D" in text
    assert LeafExplorer(stamped(leaf_exercise()[:4])).still() == still
    assert max(map(len, text.splitlines())) <= 80


def test_each_move_names_its_call():
    moves = Moves(stamped(leaf_exercise()))
    moves.tree("B")
    moves.append("assistant", "x")
    moves.compact("A", "so far")
    moves.reset()
    assert [step.call.partition("(")[0] for step in moves.steps] == [
        "SessionManager.in_memory",
        "session.branch",
        "session.append_message",
        "session.append_compaction",
        "session.reset_leaf",
    ]
    with pytest.raises(ValueError, match="'nope'"):
        moves.tree("nope")


def test_the_kept_suffix_follows_the_window_across_its_edge():
    explorer = BudgetExplorer()
    assert explorer.outcome.kept_numbers == (2, 3)
    assert "one token less (30): group 3, trimmed" in explorer.beside
    explorer.sliders["window"].value = 30
    assert explorer.outcome.kept_numbers == (3,)
    assert "one token more (31): groups 2 to 3, trimmed" in explorer.beside
    # 31 - 3 - 4 - 2 = 22 = 15 + 7; all three groups need 7 more.
    assert [edge for edge, _ in explorer.outcome.edges] == [24, 31, 38]
    for name, value in (("reserve", 3), ("margin", 2)):
        explorer.sliders[name].value = value
    assert explorer.outcome.kept_numbers == (2, 3)


def test_overflow_is_unmistakable():
    explorer = BudgetExplorer(max_tokens=12, reserved_output=0, safety_margin=0)
    assert explorer.outcome.total == 18
    assert explorer.text.startswith("OVERFLOW: group 3 alone is too large and kept whole, 6")
    assert "OVERFLOW" in explorer.canvas.svg
    ElementTree.fromstring(explorer.canvas.svg)


def test_any_variant_and_a_summary_are_shown():
    drawn = transcripts.transcript(7)
    entries = [*drawn.entries, drawn.compaction, *drawn.continuation]
    explorer = BudgetExplorer(
        [session.parse_session_entry(entry) for entry in entries],
        estimate_tokens=drawn.options["estimate_tokens"],
        max_tokens=500,
    )
    assert explorer.outcome.summary_cost > 0
    assert "the summary costs" in explorer.text
    ElementTree.fromstring(explorer.canvas.svg)


def test_entries_need_an_estimator():
    with pytest.raises(TypeError, match="estimate_tokens"):
        BudgetExplorer(transcripts.opening().entries)


@pytest.fixture
def learner(monkeypatch):
    """A learner's `context` module whose build_context can be set."""
    module = types.ModuleType("context")
    module.__file__ = "/practice/context.py"
    module.parse_session_entry = session.parse_session_entry
    monkeypatch.setitem(sys.modules, "context", module)
    return module


def test_the_learners_own_function_is_asked_and_named(learner):
    asked = []

    def build_context(path, **options):
        asked.append(options["max_tokens"])
        return context.build_context(path, **options)

    learner.build_context = build_context
    explorer = BudgetExplorer()
    assert 31 in asked
    assert explorer.who == "by your build_context, from context.py"
    assert explorer.text.endswith(explorer.who)

    def broken(path, **options):
        result = context.build_context(path, **options)
        result.kept_entry_ids = result.kept_entry_ids[-3:]
        return result

    learner.build_context = broken
    explorer.sliders["window"].value = 32
    assert "3 of 5 kept" in explorer.text


def test_a_lab_not_done_yet_is_said_and_the_library_steps_in(learner):
    class LabNotDone(Exception):
        pass

    def build_context(path, **options):
        raise LabNotDone("lab 11.3 is not done yet")

    learner.build_context = build_context
    explorer = BudgetExplorer()
    assert explorer.outcome.kept_numbers == (2, 3)
    assert "because yours says: lab 11.3 is not done yet" in explorer.who


def test_a_file_that_cannot_be_imported_is_said(tmp_path, monkeypatch):
    (tmp_path / "context.py").write_text("def build_context(:\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "context", raising=False)
    explorer = BudgetExplorer()
    assert "your context.py can't be imported: SyntaxError" in explorer.who
    assert explorer.outcome.kept_numbers == (2, 3)


def test_an_error_in_a_learners_function_is_shown(learner):
    def build_context(path, **options):
        raise KeyError("tokens")

    learner.build_context = build_context
    explorer = BudgetExplorer()
    assert explorer.text.startswith("build_context raised KeyError: 'tokens'")
    ElementTree.fromstring(explorer.canvas.svg)


def test_a_function_passed_in_is_used():
    explorer = BudgetExplorer(build_context=lambda path, **o: context.build_context(path, **o))
    assert explorer.who.startswith("by your build_context")
    library = BudgetExplorer(build_context=context.build_context)
    assert library.who == "by coursekit.context.build_context"
    assert library.still()["text/plain"] == library.text
