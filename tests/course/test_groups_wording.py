"""Groups that differ: side by side, below each other where they are wide, and counted."""

from tests.check.explained import groups, message_of


def test_wide_groups_stand_below_each_other() -> None:
    long = " ".join(f"entry-{i:06x}" for i in range(5))
    message = message_of(groups("u1", long), groups("u1", "u2"))
    assert "1. u1: as expected" in message
    assert "2. expected  entry-000000 entry-000001" in message
    assert "   got       u2" in message
    assert max(map(len, message.splitlines())) <= 76


def test_more_groups_than_anybody_reads_are_counted() -> None:
    many = groups(*(f"u{i}" for i in range(10_000)))
    lines = message_of(groups("u0"), many).splitlines()
    assert len(lines) < 50
    assert any(line.strip() == "and 9960 more" for line in lines)
