"""Messages: the text of a content, and what isn't one."""

from __future__ import annotations

import pytest

from coursekit.pi import PiSessionError
from coursekit.pi.model_messages import content_blocks, content_text, user_message

_TWO = [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]


def test_a_content_is_its_text_or_that_of_its_blocks() -> None:
    assert content_text("as it is") == "as it is"
    assert content_text(_TWO) == "a\nb"
    assert content_text(_TWO, "") == "ab"
    assert content_text([]) == ""


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (None, "it is null"),
        (7, "it is a number"),
        ({"type": "text"}, "it is an object"),
        (["text"], "a block is text"),
        ([None], "a block is null"),
        ([{"type": "text"}], "field 'text' is missing"),
        ([{"type": "text", "text": 5}], "expected str"),
    ],
)
def test_what_is_no_content_is_an_error_that_says_what_it_is(content: object, what: str) -> None:
    with pytest.raises(PiSessionError, match=f"neither text nor a list of blocks: .*{what}"):
        content_text(content)


def test_blocks_are_returned_as_they_are() -> None:
    assert content_blocks(_TWO) is _TWO


def test_a_user_message_wraps_a_text_and_takes_blocks() -> None:
    message = user_message("hi")
    assert message["content"] == [{"type": "text", "text": "hi"}]
    assert message["role"] == "user"
    assert message["timestamp"] > 1_700_000_000_000
    assert user_message(_TWO)["content"] == _TWO
