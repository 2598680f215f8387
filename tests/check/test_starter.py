"""Starters: cut from the reference, and nothing else."""

import ast
import importlib
import sys
from pathlib import Path

import pytest

from coursekit.check.starter import stub_labels
from coursekit.course import COURSE

EXERCISES = {lab.function: lab for lab in COURSE.exercises}


@pytest.mark.parametrize("module", stubs.MODULES)
def test_the_stored_starters_are_what_the_reference_gives(module: str) -> None:
    reference = COURSE.reference_source(module).read_text(encoding="utf-8")
    made = stubs.make_starter(module, reference, stub_labels(COURSE))
    stored = (COURSE.starters / module).read_text(encoding="utf-8")
    assert stored == made, "run: make starters"


@pytest.mark.parametrize("module", stubs.MODULES)
def test_a_starter_differs_by_the_five_bodies_and_the_import_alone(module: str) -> None:
    """By another way than the maker's: compared as trees, statement by statement."""
    reference = ast.parse(COURSE.reference_source(module).read_bytes()).body
    starter = ast.parse((COURSE.starters / module).read_bytes()).body
    starter = [node for node in starter if getattr(node, "name", "") != "LabNotDone"]
    assert len(starter) == len(reference)
    for ours, given in zip(starter, reference, strict=True):
        if isinstance(given, ast.FunctionDef) and given.name in EXERCISES:
            assert isinstance(ours, ast.FunctionDef)
            assert len(ours.body) == 2
            assert isinstance(ours.body[1], ast.Raise)
            assert ast.get_docstring(ours) == ast.get_docstring(given)
            ours.body = given.body
        elif isinstance(given, ast.ImportFrom) and given.module == "coursekit.session":
            assert isinstance(ours, ast.ImportFrom)
            assert ours.module == "session"
            names = [alias.name for alias in ours.names if alias.name != "LabNotDone"]
            assert names == [alias.name for alias in given.names]
            continue
        assert ast.dump(ours) == ast.dump(given)


def test_each_stub_raises_and_names_its_lab(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(COURSE.starters))
    for name in ("session", "context"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    session = importlib.import_module("session")
    context = importlib.import_module("context")
    labels = stub_labels(COURSE)
    calls = {
        "parse_compaction": lambda: session.parse_session_entry({"type": "compaction", "id": "c"}),
        "group_interactions": lambda: context.group_interactions([]),
        "build_context": lambda: context.build_context(
            [], max_tokens=1, reserved_output=0, safety_margin=0, estimate_tokens=len
        ),
        "create_compaction_entry": lambda: context.create_compaction_entry(
            [], id="c", timestamp=1, summary={}, first_kept_entry_id="u", tokens_before=1
        ),
        "restore": lambda: context.restore([]),
        "ledger": lambda: context.ledger([], available_for_messages=1, estimate_tokens=len),
    }
    assert calls.keys() == EXERCISES.keys()
    for function, call in calls.items():
        with pytest.raises(session.LabNotDone, match=rf"^{labels[function]}: {function} "):
            call()
    for name in ("session", "context"):
        monkeypatch.delitem(sys.modules, name)


@pytest.mark.parametrize("lab", COURSE.exercises, ids=lambda lab: lab.id)
def test_a_reference_function_needs_no_name_that_its_starter_lacks(lab: Lab) -> None:
    """So a revealed function runs in a starter: no import or helper comes with it."""
    names = {
        node.id
        for node in ast.walk(ast.parse((COURSE.reference_source(lab.module)).read_bytes()))
        if isinstance(node, ast.Name)
    }
    starter = ast.parse((COURSE.starters / lab.module).read_bytes())
    source = stubs.function_source(
        COURSE.reference_source(lab.module).read_bytes(), lab.function, lab.module
    )
    used = {
        node.id
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }
    local = {
        node.id
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    local |= {node.arg for node in ast.walk(ast.parse(source)) if isinstance(node, ast.arg)}
    local |= {
        node.name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.ExceptHandler) and node.name
    }
    top: set[str] = set(dir(__import__("builtins")))
    for node in starter.body:
        top |= stubs._bound_names(node)
    assert used <= names
    assert used - local <= top


def test_writing_the_starters_anew_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(content, "starters", lambda: tmp_path)
    stored = Path(__file__).parents[2] / "starters"
    stubs._write_starters()
    for module in stubs.MODULES:
        assert (tmp_path / module).read_bytes() == (stored / module).read_bytes()
        assert f"{module}\n" in capsys.readouterr().out or module == "context.py"
