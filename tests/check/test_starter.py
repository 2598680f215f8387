"""Starters: cut from the reference, and nothing else."""

import ast
import builtins
import importlib
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from coursekit.check.course import Course, Lab
from coursekit.check.source_text import _bound_names, function_source
from coursekit.check.starter import make_starter, stub_labels, write_starters
from coursekit.course import COURSE

EXERCISES = {lab.function: lab for lab in COURSE.exercises}


@pytest.mark.parametrize("module", COURSE.modules)
def test_the_stored_starters_are_made_from_the_reference(module: str) -> None:
    made = make_starter(COURSE, module)
    stored = (COURSE.starters / module).read_text(encoding="utf-8")
    assert stored == made, "run: make starters"


@pytest.mark.parametrize("module", COURSE.modules)
def test_a_starter_differs_by_the_five_bodies_and_the_import_alone(module: str) -> None:
    """By another way than the maker's: compared as trees, statement by statement."""
    reference = ast.parse(COURSE.reference_source(module).read_bytes()).body
    starter = ast.parse((COURSE.starters / module).read_bytes()).body
    starter = [node for node in starter if getattr(node, "name", "") != "LabNotDone"]
    assert len(starter) == len(reference)
    for ours, whole in zip(starter, reference, strict=True):
        if isinstance(whole, ast.FunctionDef) and whole.name in EXERCISES:
            assert isinstance(ours, ast.FunctionDef)
            assert len(ours.body) == 2
            assert isinstance(ours.body[1], ast.Raise)
            assert ast.get_docstring(ours) == ast.get_docstring(whole)
            ours.body = whole.body
        elif isinstance(whole, ast.ImportFrom) and whole.module == "coursekit.session":
            assert isinstance(ours, ast.ImportFrom)
            assert ours.module == "session"
            names = [alias.name for alias in ours.names if alias.name != "LabNotDone"]
            assert names == [alias.name for alias in whole.names]
            continue
        assert ast.dump(ours) == ast.dump(whole)


def test_each_stub_raises_and_names_its_lab(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(COURSE.starters))
    for name in ("session", "context"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    session = importlib.import_module("session")
    context = importlib.import_module("context")
    labels = stub_labels(COURSE)
    calls: dict[str, Callable[[], object]] = {
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
        for node in ast.walk(ast.parse(COURSE.reference_source(lab.module).read_bytes()))
        if isinstance(node, ast.Name)
    }
    starter = ast.parse((COURSE.starters / lab.module).read_bytes())
    source = function_source(
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
    top: set[str] = set(dir(builtins))
    for statement in starter.body:
        top |= _bound_names(statement)
    assert used <= names
    assert used - local <= top


def test_writing_the_starters_anew_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = COURSE.starters
    monkeypatch.setattr(Course, "starters", tmp_path)
    write_starters(COURSE)
    for module in COURSE.modules:
        assert (tmp_path / module).read_bytes() == (stored / module).read_bytes()
