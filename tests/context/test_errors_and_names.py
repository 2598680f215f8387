"""The public names of the two modules that learners read, and their one family of errors."""

import ast
import inspect
import subprocess
import sys
from types import ModuleType

import pytest

import coursekit.context
import coursekit.session
from coursekit.session import CourseError

SESSION = """
AssistantMessage CompactionSessionEntry CompactionSummary CourseError InMemorySessionStore
JsonValue JsonlSessionStore Message MessageSessionEntry MetadataSessionEntry STOP_REASONS
SUMMARY_KEYS SessionEntry SessionEntryError SessionPathError SessionStoreError StopReason
StoreWarning TextContent ToolCall ToolResultMessage Usage UserMessage entry_to_json is_finite
parse_compaction parse_session_entry path_to read_json read_list read_non_blank
read_non_negative read_number read_object read_string read_strings summary_to_json
"""
CONTEXT = """
BudgetError BuildContextResult CUT_OFF CompactionError ContextTokens InteractionError
InteractionGroup LedgerRow Restoration TokenEstimator build_context check_amount
create_compaction_entry group_interactions ledger restore
"""
FAMILY = {
    "CourseError": "ValueError",
    "SessionEntryError": "CourseError",
    "SessionPathError": "CourseError",
    "SessionStoreError": "CourseError",
    "InteractionError": "CourseError",
    "BudgetError": "CourseError",
    "CompactionError": "CourseError",
}


def tree(module: ModuleType) -> ast.Module:
    return ast.parse(inspect.getsource(module))


def public_names(module: ModuleType) -> set[str]:
    names: set[str] = set()
    for node in tree(module).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.AnnAssign | ast.Assign):
            targets = [node.target] if isinstance(node, ast.AnnAssign) else node.targets
            names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return {name for name in names if not name.startswith("_")}


@pytest.mark.parametrize(
    ("module", "names"), [(coursekit.session, SESSION), (coursekit.context, CONTEXT)]
)
def test_the_public_names_are_these_and_each_says_what_it_is(
    module: ModuleType, names: str
) -> None:
    assert public_names(module) == set(names.split())
    for name in names.split():
        each = getattr(module, name)
        if inspect.isclass(each) or inspect.isfunction(each):
            # A dataclass without a docstring gets its signature for one.
            assert not (each.__doc__ or name).startswith(name), name


def test_the_errors_are_one_small_family_of_value_errors() -> None:
    found = {}
    for module in (coursekit.session, coursekit.context):
        for name, each in vars(module).items():
            if inspect.isclass(each) and issubclass(each, BaseException):
                [base] = each.__bases__
                found[name] = base.__name__
    assert found == FAMILY


def test_nothing_is_raised_but_this_family() -> None:
    """A ValueError inside the reading of a line is the one exception: it is caught there."""
    raised = {
        node.exc.func.id
        for module in (coursekit.session, coursekit.context)
        for node in ast.walk(tree(module))
        if isinstance(node, ast.Raise)
        and isinstance(node.exc, ast.Call)
        and isinstance(node.exc.func, ast.Name)
    }
    assert raised - {"ValueError"} <= set(FAMILY)


def test_ids_are_those_that_are_there() -> None:
    assert CourseError("no", ids=["a", None, "b"]).ids == ("a", "b")
    assert CourseError("no").ids == ()


def test_the_two_modules_need_the_standard_library_alone() -> None:
    """And not even all of it: nothing heavy, so that a browser edition can follow."""
    code = "import sys; import coursekit.context; print(*sorted(sys.modules))"
    out = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True
    )
    loaded = {name.split(".")[0] for name in out.stdout.split()}
    ours = {name for name in out.stdout.split() if name.startswith("coursekit")}
    assert ours == {"coursekit", "coursekit.session", "coursekit.context"}
    assert not loaded & {"subprocess", "pandas", "IPython", "msgspec", "socket", "asyncio"}
    for module in (coursekit.session, coursekit.context):
        for node in ast.walk(tree(module)):
            if isinstance(node, ast.Import):
                assert {alias.name for alias in node.names} <= sys.stdlib_module_names
            elif isinstance(node, ast.ImportFrom):
                top = (node.module or "").split(".")[0]
                assert top == "coursekit" or top in sys.stdlib_module_names


def test_no_function_calls_itself() -> None:
    """Chains are long: nothing here may recurse."""
    for module in (coursekit.session, coursekit.context):
        for node in ast.walk(tree(module)):
            if isinstance(node, ast.FunctionDef):
                called = {
                    call.func.id
                    for call in ast.walk(node)
                    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
                }
                assert node.name not in called
