"""The look of an entry."""

from __future__ import annotations

import pytest

from coursekit.view.style import LOOKS, look_of


def test_roles_differ_by_more_than_colour() -> None:
    shapes = [(look_of(role).shape, look_of(role).style) for role in ("user", "assistant")]
    shapes += [(look_of(kind).shape, look_of(kind).style) for kind in ("toolResult", "compaction")]
    assert len(set(shapes)) == 4


@pytest.mark.parametrize("kind", ["metadata", "novel", ""])
def test_an_unknown_kind_looks_like_metadata(kind: str) -> None:
    assert look_of(kind) == LOOKS["custom"]
