"""A compressed tar is unpacked up to a number of bytes, and memory stays."""

import bz2
import gzip
import lzma
import tarfile
import tracemalloc
from pathlib import Path

import pytest

from tests.grading.intake.class_maker import in_folder
from tests.grading.intake.hostile_class import (
    GOOD,
    collected,
    not_understood,
)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_bomb_is_refused_and_memory_stays(tmp_path: Path, pack: object) -> None:
    assert callable(pack)
    place = tmp_path / "in"
    info = tarfile.TarInfo("session.py")
    info.size = 300_000_000
    bomb = pack(info.tobuf() + bytes(info.size))
    source = in_folder(GOOD | {"Ana.tar.gz": bomb}, place / "class")
    tracemalloc.start()
    try:
        account = collected(source)
        assert tracemalloc.get_traced_memory()[1] < 60_000_000
    finally:
        tracemalloc.stop()
    assert not_understood(account) == {"Ana.tar.gz": "unpacks to more than 100,000,000 bytes"}
