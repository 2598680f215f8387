"""The budget explorer without a browser: whose function it asks, and what it says."""

from __future__ import annotations

import sys
import types
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from coursekit import context, session, transcripts
from coursekit.view import BudgetExplorer


def kept(explorer: BudgetExplorer) -> list[int]:
    return list(explorer.outcome.kept_numbers)


def test_the_kept_suffix_follows_the_window_across_its_edge() -> None:
    explorer = BudgetExplorer()
    assert kept(explorer) == [2, 3]
    assert "one token less (30): group 3, trimmed" in explorer.beside
    explorer.sliders["window"].value = 30
    assert kept(explorer) == [3]
    assert "one token more (31): groups 2 to 3, trimmed" in explorer.beside
    # 31 - 3 - 4 - 2 = 22 = 15 + 7; all three groups need 7 more.
    assert [edge for edge, _ in explorer.outcome.edges] == [24, 31, 38]
    for name, value in (("reserve", 3), ("margin", 2)):
        explorer.sliders[name].value = value
    assert kept(explorer) == [2, 3]


def test_any_variant_and_a_summary_are_shown() -> None:
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


def test_entries_need_an_estimator() -> None:
    with pytest.raises(TypeError, match="estimate_tokens"):
        BudgetExplorer(transcripts.opening().entries)


@pytest.fixture
def learner(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A learner's `context` module whose build_context can be set."""
    module: Any = types.ModuleType("context")
    module.__file__ = "/practice/context.py"
    module.parse_session_entry = session.parse_session_entry
    monkeypatch.setitem(sys.modules, "context", module)
    return module


def test_the_learners_own_function_is_asked_and_named(learner: Any) -> None:
    asked = []

    def build_context(path: Any, **options: Any) -> Any:
        asked.append(options["max_tokens"])
        return context.build_context(path, **options)

    learner.build_context = build_context
    explorer = BudgetExplorer()
    assert 31 in asked
    assert explorer.who == "by your build_context, from context.py"
    assert explorer.text.endswith(explorer.who)

    def broken(path: Any, **options: Any) -> Any:
        result = context.build_context(path, **options)
        result.kept_entry_ids = result.kept_entry_ids[-3:]
        return result

    learner.build_context = broken
    explorer.sliders["window"].value = 32
    assert "3 of 5 kept" in explorer.text


def test_a_lab_not_done_yet_is_said_and_the_library_steps_in(learner: Any) -> None:
    class LabNotDone(Exception):
        pass

    def build_context(path: Any, **options: Any) -> Any:
        raise LabNotDone("lab 11.3 is not done yet")

    learner.build_context = build_context
    explorer = BudgetExplorer()
    assert explorer.outcome.kept_numbers == (2, 3)
    assert "because yours says: lab 11.3 is not done yet" in explorer.who


def test_a_file_that_cannot_be_imported_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "context.py").write_text("def build_context(:\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "context", raising=False)
    explorer = BudgetExplorer()
    assert "your context.py can't be imported: SyntaxError" in explorer.who
    assert explorer.outcome.kept_numbers == (2, 3)


def test_an_error_in_a_learners_function_is_shown(learner: Any) -> None:
    def build_context(path: Any, **options: Any) -> Any:
        raise KeyError("tokens")

    learner.build_context = build_context
    explorer = BudgetExplorer()
    assert explorer.text.startswith("build_context raised KeyError: 'tokens'")
    ElementTree.fromstring(explorer.canvas.svg)


def test_a_function_passed_in_is_used() -> None:
    explorer = BudgetExplorer(build_context=lambda path, **o: context.build_context(path, **o))
    assert explorer.who.startswith("by your build_context")
    library = BudgetExplorer(build_context=context.build_context)
    assert library.who == "by coursekit.context.build_context"
    assert library.still()["text/plain"] == library.text
