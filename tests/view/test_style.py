"""The look of an entry."""

from __future__ import annotations

import pytest

from coursekit.view.style import BOX_STYLES, box_style


def test_roles_differ_by_more_than_colour() -> None:
    kinds = ("user", "assistant", "toolResult", "compaction")
    shapes = [(box_style(kind).shape, box_style(kind).style) for kind in kinds]
    assert len(set(shapes)) == 4


@pytest.mark.parametrize("kind", ["metadata", "novel", ""])
def test_an_unknown_kind_looks_like_metadata(kind: str) -> None:
    assert box_style(kind) == BOX_STYLES["custom"]
