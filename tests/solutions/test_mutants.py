"""Mutants of the reference: the 14 checks kill each one that is not equivalent.

mutmut makes the mutants of the five functions. Each is run beside the cases, with
no other test to help. `equivalent.toml` lists the survivors with the reason why no
check should distinguish them from the reference.
"""

import ast
import os
import signal
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from coursekit.check.course import Lab
from coursekit.check.source_text import function_source
from coursekit.course import COURSE
from coursekit.workbook.right_answers import right_answer
from tests.solutions.answers import CHECKS, messages, with_function

if TYPE_CHECKING:
    import libcst

pytestmark = pytest.mark.gate

EQUIVALENT = Path(__file__).parent / "equivalent.toml"
TIME_LIMIT = 20
"""Seconds for one mutant; a mutant that needs more is caught in an endless loop."""

OTHER_VARIANT = 7
"""A variant such as the grader draws: the same cases, other ids, texts, costs and order."""


@pytest.mark.parametrize("variant", [0, OTHER_VARIANT])
@pytest.mark.parametrize("lab", COURSE.labs, ids=lambda lab: lab.id)
def test_every_mutant_is_killed_or_equivalent(lab: Lab, variant: int) -> None:
    source = function_source(right_answer(COURSE, lab.module), lab.function, lab.module).decode()
    known = equivalents(lab)
    survivors = {}
    count = 0
    for mutant in mutants(source):
        count += 1
        if survives(lab, mutant, variant):
            survivors[change(source, mutant)] = mutant
    assert count > 30
    unexpected = [f"- {was}\n+ {now}" for was, now in survivors if (was, now) not in known]
    assert not unexpected, "\n\n".join([f"of {count} mutants survive:", *unexpected])
    if variant == 0:
        assert known <= survivors.keys(), "killed after all, so not equivalent"


def equivalents(lab: Lab) -> set[tuple[str, str]]:
    """The changes of a lab's function that make no difference, as `equivalent.toml` lists them."""
    table = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))
    return {
        (was, now)
        for group in table["equivalent"]
        if group["function"] == lab.function
        for was, now in group["changes"]
    }


def mutants(source: str) -> Iterator[str]:
    """The source with one change each; those that only touch what never runs are left out."""
    import libcst
    from mutmut.mutation.mutators import mutation_operators

    module = libcst.parse_module(source)
    seen = {_runs(source)}
    for node in _nodes(module):
        for kind, operator in mutation_operators:
            if not isinstance(node, kind):
                continue
            for changed in operator(node):
                assert isinstance(changed, libcst.CSTNode)
                replaced = module.deep_replace(node, changed)
                assert isinstance(replaced, libcst.Module)
                mutant = replaced.code
                key = _runs(mutant)
                if key not in seen:
                    seen.add(key)
                    yield mutant


def _nodes(node: "libcst.CSTNode") -> "Iterator[libcst.CSTNode]":
    yield node
    for child in node.children:
        yield from _nodes(child)


def _runs(source: str) -> str:
    """What of a function runs: its tree without docstring and annotations."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
            if ast.get_docstring(node) is not None:
                node.body = node.body[1:]
        elif isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(None)
    return ast.dump(tree)


def change(source: str, mutant: str) -> tuple[str, str]:
    """The lines that a mutant changes, before and after, without the space around them."""
    before, after = source.splitlines(), mutant.splitlines()
    while before and after and before[0] == after[0]:
        before, after = before[1:], after[1:]
    while before and after and before[-1] == after[-1]:
        before, after = before[:-1], after[:-1]
    was, now = ("\n".join(line.strip() for line in each) for each in (before, after))
    return was, now


def survives(lab: Lab, mutant: str, variant: int) -> bool:
    """Whether all checks pass a mutant; it runs in a process of its own, for it may hang."""
    answers = with_function(lab, mutant.encode())
    child = os.fork()
    if child == 0:
        signal.alarm(TIME_LIMIT)
        try:
            own = sorted(CHECKS, key=lambda name: not name.startswith(lab.id))
            killed = any(messages(answers, [name], variant)[name] for name in own)
        except BaseException:
            killed = True
        os._exit(killed)
    return os.waitpid(child, 0)[1] == 0
