"""A conversation as text: what is cut, what is worded here, what is refused."""

from __future__ import annotations

import pytest

from coursekit.pi import (
    PiSessionError,
)
from coursekit.pi.compaction.conversation_text import conversation_text
from coursekit.pi.model_messages import Message


def test_a_long_tool_result_is_cut_and_says_how_much_is_missing() -> None:
    def text_of(result: str) -> str:
        content = [{"type": "text", "text": result}]
        return conversation_text([{"role": "toolResult", "content": content}])

    assert text_of("x" * 2_000) == "[Tool result]: " + "x" * 2_000
    assert "[... 3 more characters" in text_of("x" * 2_003)
    # The tree's two UTF-16 units lie on both sides of the cut, so it isn't half kept.
    shortened = text_of("x" * 1_999 + "\U0001f333" + "y")
    assert shortened.split("\n\n")[0] == "[Tool result]: " + "x" * 1_999


def test_a_command_is_written_with_its_end() -> None:
    command = {"role": "bashExecution", "command": "ls", "output": "a.py", "exitCode": 2}
    assert conversation_text([command]) == "[User]: $ ls\na.py\n(exit code 2)"
    assert conversation_text([{**command, "excludeFromContext": True}]) == ""


@pytest.mark.parametrize(
    "message",
    [
        {"role": "assistant", "content": [7]},
        {"role": "assistant", "content": None},
        {"role": "assistant", "content": [{"type": "toolCall", "id": "k"}]},
        {"role": "user", "content": [{"type": "text"}]},
        {"role": "toolResult"},
        {"role": "branchSummary"},
    ],
)
def test_a_message_that_cannot_be_written_is_an_error_that_names_its_role(message: Message) -> None:
    with pytest.raises(PiSessionError, match=f"this {message['role']} message can't be summarised"):
        conversation_text([message])
