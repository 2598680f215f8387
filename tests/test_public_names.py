"""The names that others rely on: there, where they are looked for, and under no second list."""

import ast
import importlib
import inspect
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "coursekit"

NAMES = {
    "pi": """
        Agent AgentSession CompactionError CompactionSettings CycleError DuplicateIdError
        EntryNotFoundError FileChangedError PiSessionError ScriptError ScriptedModel
        SessionFileError SessionManager SummaryError build_context_entries
        build_session_context build_session_projection compact estimate_context_tokens
        estimate_projected_context_tokens estimate_tokens prepare_compaction should_compact
    """,
    "view": """
        BudgetExplorer LeafExplorer budget_table draw groups_table ledger_table
        projection_table token_curve token_table transcript_table
    """,
    "workbook": "check hint observe predict status",
}
"""By package; `session` and `context` have theirs in tests/context/test_errors_and_names.py."""

OF_A_MANAGER = """
    append_compaction append_context_edit append_custom_entry append_custom_message_entry
    append_label_change append_message append_model_change append_session_info
    append_thinking_level_change append_usage branch branch_with_summary
    build_context_entries build_session_context build_session_projection continue_recent
    create create_branched_session fork_from get_branch get_leaf_id get_session_name
    get_tree in_memory list open reset_leaf
""".split()


@pytest.mark.parametrize("package", NAMES)
def test_a_package_has_what_it_promises_and_all_that_it_lists(package: str) -> None:
    module = importlib.import_module(f"coursekit.{package}")
    assert set(NAMES[package].split()) <= set(module.__all__)
    for name in module.__all__:
        assert getattr(module, name) is not None


@pytest.mark.parametrize("package", NAMES)
def test_an_unknown_name_is_an_error_that_says_so(package: str) -> None:
    module = importlib.import_module(f"coursekit.{package}")
    with pytest.raises(AttributeError, match=f"coursekit.{package}.*no_such_name"):
        module.no_such_name  # noqa: B018


@pytest.mark.parametrize("package", ["pi", "view"])
def test_what_a_type_checker_sees_is_what_a_program_gets(package: str) -> None:
    """A package's stub, where it has one, is what both read; else late names stand twice."""
    stub = PACKAGE / package / "__init__.pyi"
    source = stub if stub.exists() else stub.with_suffix(".py")
    seen: set[str] = set()
    for node in ast.walk(ast.parse(source.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module not in ("__future__", "typing"):
            seen |= {alias.asname or alias.name for alias in node.names}
    assert seen == set(importlib.import_module(f"coursekit.{package}").__all__)


def test_a_session_manager_has_the_methods_of_pis() -> None:
    from coursekit.pi import SessionManager

    for name in OF_A_MANAGER:
        method = inspect.getattr_static(SessionManager, name)
        assert (getattr(method, "__doc__", "") or "").strip(), f"{name} says nothing of itself"
