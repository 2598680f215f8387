"""Members by their paths, and where a layout places them."""

from coursekit.grading.intake.layouts import find_layout
from coursekit.grading.intake.layouts.placement import Placement
from coursekit.grading.intake.member import Member
from coursekit.grading.intake.source import Source


class Content:
    """A member's bytes."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def read(self, limit: int) -> bytes:
        return self._content[:limit]


def places(
    layout: str, *paths: str, name: str = "class", is_folder: bool = True
) -> list[Placement | None]:
    members = [
        Member(
            tuple(path.rstrip("/").split("/")),
            Content(b""),
            is_folder=path.endswith("/"),
            aside="git" if path.endswith(".git") else "",
        )
        for path in paths
    ]
    return find_layout(layout, Source(name, is_folder, members), members)[1]


def place(layout: str, path: str, *others: str) -> Placement:
    found = places(layout, path, *others)[0]
    assert found is not None
    return found
