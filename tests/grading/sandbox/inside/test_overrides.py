"""What the kernel inside overrides of ipykernel is still there, and still used the same way.

A test that fails here after an upgrade says that a private part has changed: read the
library's new source, write the override anew, and then raise the bound in pyproject.toml.
"""

import ast
import inspect

from ipykernel.kernelbase import Kernel

from coursekit.grading.sandbox.inside.overrides import SynchronousKernel
from tests.grading.comparison.test_patches import names_in, parameters


def test_every_override_is_of_something_that_ipykernel_has() -> None:
    (body,) = ast.parse(inspect.getsource(SynchronousKernel)).body
    assert isinstance(body, ast.ClassDef)
    own = {
        node.name if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else name_of(node)
        for node in body.body
        if not isinstance(node, ast.Expr)
    }
    added = {"answer_messages", "publish"}
    assert own - added == {
        "_abort_queues",
        "_execute_sleep",
        "_publish_execute_input",
        "_publish_status",
        "shell_stream",
    }
    for name in own - added:
        assert hasattr(Kernel, name), name
    for name in ("_abort_queues", "_publish_execute_input", "_publish_status"):
        assert "7.4" in (getattr(SynchronousKernel, name).__doc__ or "")


def name_of(node: ast.stmt) -> str:
    assert isinstance(node, ast.Assign)
    return ast.unparse(node.targets[0])


def test_ipykernel_uses_them_as_it_did() -> None:
    assert {"_execute_sleep", "_publish_execute_input", "_abort_queues", "do_execute"} <= names_in(
        Kernel.execute_request
    )
    assert {"_publish_status", "shell_stream", "set_parent", "shell_handlers"} <= names_in(
        Kernel.dispatch_shell
    )
    assert parameters(Kernel._publish_status)[:3] == ["self", "status", "channel"]
    assert parameters(Kernel._publish_execute_input)[0] == "self"
    assert parameters(Kernel.get_parent) == ["self", "channel"]
    assert "iopub_socket" in names_in(Kernel._publish_status)


def test_a_message_is_handled_at_once() -> None:
    """One step takes the coroutine to its end only if all that it awaits is ours or at hand."""
    assert inspect.iscoroutinefunction(Kernel.dispatch_shell)
    assert parameters(Kernel.dispatch_shell)[:2] == ["self", "msg"]
    source = inspect.getsource(Kernel.dispatch_shell) + inspect.getsource(Kernel.execute_request)
    awaited = {line.split("await ", 1)[1] for line in source.splitlines() if "await " in line}
    assert awaited == {"should_handle", "result", "reply_content"}
    assert not inspect.iscoroutinefunction(Kernel.should_handle)
