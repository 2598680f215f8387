"""Ids: short ones that no entry has, and long ones that sort by time."""

from __future__ import annotations

import uuid

import pytest

from coursekit.pi import PiSessionError
from coursekit.pi.ids import check_session_id, new_entry_id, new_session_id


class _Everything:
    """Holds every short id."""

    def __contains__(self, entry_id: object) -> bool:
        return isinstance(entry_id, str) and len(entry_id) == 8


def test_an_entry_id_is_eight_hex_digits_and_a_uuid_when_none_is_left() -> None:
    assert len(f"{int(new_entry_id(()), 16):08x}") == 8
    assert uuid.UUID(new_entry_id(_Everything())).version == 4


def test_session_ids_are_of_version_7_and_hold_the_time() -> None:
    ids = [uuid.UUID(new_session_id()) for _ in range(50)]
    assert {(each.version, each.variant) for each in ids} == {(7, uuid.RFC_4122)}
    times = [each.int >> 80 for each in ids]
    assert times == sorted(times)
    assert len(set(ids)) == 50


def test_a_session_id_that_fits_a_file_name_is_returned() -> None:
    assert check_session_id("a.b_c-9") == "a.b_c-9"


@pytest.mark.parametrize("session_id", ["", ".a", "a.", "a/b", "a b", "é", "a\n"])
def test_a_session_id_that_fits_no_file_name_is_refused(session_id: str) -> None:
    with pytest.raises(PiSessionError, match=r"session id .* must hold only"):
        check_session_id(session_id)
