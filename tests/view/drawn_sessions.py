"""Small sessions that the view tests draw, as plain JSON entries, and a maker of random ones."""

from __future__ import annotations

import random
from typing import Any
from xml.etree import ElementTree

from hypothesis import strategies as st

Json = dict[str, Any]
SVG = "{http://www.w3.org/2000/svg}"
ROLES = ("user", "assistant", "toolResult")


def say(entry_id: str, parent: str | None, role: str = "user", text: str = "hello") -> Json:
    content = [{"type": "text", "text": text}]
    message = {"role": role, "content": content}
    return {"type": "message", "id": entry_id, "parentId": parent, "message": message}


def compact(entry_id: str, parent: str, first_kept: str, goal: str = "go on") -> Json:
    return {
        "type": "compaction",
        "id": entry_id,
        "parentId": parent,
        "summary": {"goal": goal},
        "firstKeptEntryId": first_kept,
        "tokensBefore": 29,
    }


def label(entry_id: str, parent: str, target: str, name: str | None) -> Json:
    return {"type": "label", "id": entry_id, "parentId": parent, "targetId": target, "label": name}


def inside(element: ElementTree.Element, tag: str) -> ElementTree.Element:
    """The first part of a drawing with this tag, which must be there."""
    found = element.find(f".//{SVG}{tag}")
    assert found is not None, f"no {tag} in {element.attrib}"
    return found


def leaf_exercise() -> list[Json]:
    """A, B, C, D in a row, then back to B and on with E."""
    return [
        say("A", None, "user", "Read a.ts"),
        say("B", "A", "assistant", "Here it is."),
        say("C", "B", "user", "Rename it"),
        say("D", "C", "assistant", "Renamed."),
        say("E", "B", "user", "Delete it"),
    ]


def line(count: int, prefix: str = "n") -> list[Json]:
    return [
        say(f"{prefix}{at}", f"{prefix}{at - 1}" if at else None, ROLES[at % 3], f"text {at}")
        for at in range(count)
    ]


def stamped(entries: list[Json]) -> list[Json]:
    """The same with a time, as Pi's entries have one."""
    return [entry | {"timestamp": "2026-01-01T00:00:00.000Z"} for entry in entries]


def random_tree(count: int, seed: int, *, branching: float = 1.0) -> list[Json]:
    """`count` entries; each new one leaves the newest with probability `branching`."""
    rng = random.Random(seed)
    entries = [say("e0", None)]
    for at in range(1, count):
        parent = rng.randrange(at) if rng.random() < branching else at - 1
        entries.append(say(f"e{at}", f"e{parent}", rng.choice(ROLES), f"entry {at} 检查"))
    return entries


@st.composite
def trees(draw: Any, most: int = 120) -> list[Json]:
    """Any tree: several roots, straight runs, stars, labels and compactions."""
    entries: list[Json] = []
    for at in range(draw(st.integers(0, most))):
        back = draw(st.sampled_from((1, 1, 1, 1, 2, 5, 40)))
        above = entries[max(0, at - back)]["id"] if entries and draw(st.integers(0, 40)) else None
        kind = draw(st.sampled_from(("say",) * 9 + ("compact", "label")))
        entry_id = f"e{at}"
        if above is not None and kind == "compact":
            kept = entries[draw(st.integers(0, at - 1))]["id"]
            entries.append(compact(entry_id, above, kept))
        elif above is not None and kind == "label":
            entries.append(label(entry_id, above, entries[draw(st.integers(0, at - 1))]["id"], "x"))
        else:
            entries.append(say(entry_id, above, draw(st.sampled_from(ROLES))))
    return entries
