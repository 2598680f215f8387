"""Reading a member: its bytes, or why they can't be had."""

import pytest

from coursekit.grading.intake.member import Member
from coursekit.grading.regular_file import Unreadable
from tests.grading.intake.layouts.placed import Content


def test_a_member_is_read_up_to_a_limit() -> None:
    member = Member(("Ana", "session.py"), Content(b"session"))
    assert member.shown == "Ana/session.py"
    assert member.read(3) == b"ses"


def test_what_is_refused_is_never_read() -> None:
    refused = Member(("session.py",), Content(b"secret"), refusal="is encrypted")
    with pytest.raises(Unreadable, match=r"^is encrypted$"):
        refused.read(100)
    with pytest.raises(Unreadable, match=r"^is no file$"):
        Member(("Ana",), is_folder=True, count=0).read(100)
