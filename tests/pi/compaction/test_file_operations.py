"""The files of the summarised calls, and those of the compaction before."""

from __future__ import annotations

from typing import Any

import pytest

from coursekit.pi.compaction.file_operations import FileOperations
from tests.pi.compaction.script import Script


@pytest.mark.parametrize("calls", [7, [None, 5, {"name": "read", "arguments": {"path": "a.py"}}]])
def test_nested_calls_of_an_odd_shape_are_no_files(calls: Any) -> None:
    files = FileOperations()
    files.add_message({"role": "toolResult", "content": [], "nestedCalls": {"calls": calls}})
    assert files.read_files == (["a.py"] if isinstance(calls, list) else [])


def test_files_are_collected_from_calls_and_from_the_compaction_before() -> None:
    script = Script().user("u1", 5).call("c0", 1, "write", "gone.py").answer("a0", 5)
    details = {"readFiles": ["old.py"], "modifiedFiles": ["b.py"]}
    script.compaction("k", "a0", details=details)
    script.call("c1", 1, "read", "a.py").call("c2", 1, "read", "b.py").call("c3", 1, "edit", "c.py")
    script.call("c4", 1, "bash", "no.py").user("u2", 9).call("c5", 9, "read", "kept.py")
    plan = script.plan(15)
    assert plan is not None
    assert plan.file_ops.read_files == ["a.py", "old.py"]  # b.py was changed, so it isn't only read
    assert plan.file_ops.modified_files == ["b.py", "c.py"]
    assert plan.file_ops.as_text().startswith(
        "\n\n<read-files>\na.py\nold.py\n</read-files>\n\n<mod"
    )


def test_files_of_an_extensions_compaction_are_not_taken_over() -> None:
    script = Script().user("u1", 5)
    script.compaction("k", "u1", details={"readFiles": ["old.py"]}, from_hook=True)
    plan = script.answer("a1", 5).user("u2", 9).plan(5)
    assert plan is not None
    assert plan.file_ops.read_files == []
