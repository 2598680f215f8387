"""What code looks like once names, comments and layout are taken away.

Runs in a process that is thrown away: source is a student's, and parsing it may cost
any time and memory, or crash.
"""

import ast
import hashlib
from collections.abc import Iterable, Mapping

_LEAST = 40
"""Nodes that a function must have before being alike says something."""


def fingerprints(
    source: bytes, functions: Iterable[str], starter_names: Iterable[str]
) -> dict[str, str]:
    """A digest for each function found, with the helpers it calls.

    `starter_names` are top-level names that every student has; helpers beside them are part of
    what a student wrote. Functions that are missing, still stubs or very short have no
    digest; neither has anything in a file that can't be parsed.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    defined = {
        node.name: node
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    }
    common = set(starter_names)
    found: dict[str, str] = {}
    for name in functions:
        if name in defined:
            code = _normalised(name, defined, common)
            if code is not None:
                found[name] = hashlib.sha256(code.encode()).hexdigest()
    return found


def _normalised(name: str, defined: Mapping[str, ast.stmt], common: set[str]) -> str | None:
    parts: list[ast.stmt] = []
    seen: set[str] = set()
    todo = [name]
    while todo:
        each = todo.pop(0)
        if each in seen:
            continue
        seen.add(each)
        parts.append(defined[each])
        todo += [
            node.id
            for node in ast.walk(defined[each])
            if isinstance(node, ast.Name) and node.id in defined and node.id not in common
        ]
    nodes = [node for part in parts for node in ast.walk(part)]
    if len(nodes) < _LEAST or any(_is_stub(node) for node in nodes):
        return None
    own = _Names(seen - {name}, _bound(nodes))
    for part in parts:
        own.visit(part)
    return "\n".join(ast.dump(part) for part in parts)


def _is_stub(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "LabNotDone"


def _bound(nodes: Iterable[ast.AST]) -> set[str]:
    """Names that the code itself defines."""
    bound: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.add(node.id)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            bound.add(node.name)
        elif isinstance(node, ast.ExceptHandler):
            bound.add(node.name or "")
    return bound


class _Names(ast.NodeTransformer):
    """Numbers own names in the order of their use; drops docstrings and annotations."""

    def __init__(self, helpers: set[str], bound: set[str]) -> None:
        self._own = helpers | bound
        self._numbers: dict[str, str] = {}

    def _number(self, name: str) -> str:
        return (
            self._numbers.setdefault(name, f"v{len(self._numbers)}") if name in self._own else name
        )

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self._number(node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.arg = self._number(node.arg)
        node.annotation = None
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        self.generic_visit(node)
        if node.name:
            node.name = self._number(node.name)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name = self._number(node.name)
        node.returns = None
        first = node.body[0]
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
            node.body = node.body[1:] or [ast.Pass()]
        self.generic_visit(node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        self.generic_visit(node)
        if node.value is None:
            return None
        return ast.Assign(targets=[node.target], value=node.value)
