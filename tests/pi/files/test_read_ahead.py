"""Pieces of a file, read ahead: all bytes, in order, and every error."""

from __future__ import annotations

import io

import pytest

from coursekit.pi.files.read_ahead import read_ahead

_MEGABYTE = 1024 * 1024


@pytest.mark.parametrize("there", [0, 1, 9 * _MEGABYTE, 20 * _MEGABYTE + 7])
@pytest.mark.parametrize("asked", [1, 9 * _MEGABYTE, 20 * _MEGABYTE])
def test_pieces_are_the_bytes_in_their_order(there: int, asked: int) -> None:
    data = bytes(range(251)) * (there // 251 + 1)
    pieces = list(read_ahead(io.BytesIO(data[:there]), asked))
    assert b"".join(pieces) == data[: min(there, asked)]


def test_what_goes_wrong_while_reading_ahead_reaches_the_reader() -> None:
    class Broken(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        list(read_ahead(Broken(), 100 * _MEGABYTE))
