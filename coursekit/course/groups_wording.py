"""How grouped interactions are put into words: the groups of both sides, side by side."""

import re

from coursekit.check.case import Row, Step, Wording
from coursekit.check.differences import name_of, spell
from coursekit.check.explanation import WIDTH
from coursekit.check.protocol import JsonValue, Note


class _GroupsWording(Wording):
    """A path that is grouped."""

    function = "context.group_interactions"

    def wrong_kind(self, step: Step, note: Note) -> str:
        """A thing that is no list, or a list of other things."""
        found = re.match(_NO_LIST, note.text)
        if found is None or note.error not in ("TypeError", "AttributeError") or note.place:
            return super().wrong_kind(step, note)
        if found[2] == "is not iterable" and found[1] != "NoneType":
            return f"{found[1]}, not a list of InteractionGroup"
        if found[2] == "is not iterable":
            return super().wrong_kind(step, note)
        inside = {"list": "lists", "NoneType": "None"}.get(found[1], found[1])
        return f"a list of {inside}, not a list of InteractionGroup"

    def compared(self, step: Step, expected: JsonValue, observed: JsonValue) -> list[Row]:
        """The groups side by side, unless they hold the same ids."""
        wanted, found = _ids(expected), _ids(observed)
        if wanted == found:
            return super().compared(step, expected, observed)
        return [("groups", _side_by_side(wanted, found))]


GROUPS = _GroupsWording()

_NO_LIST = r"'(\w+)' object (is not iterable|has no attribute 'entries')"

_ROWS = 40  # groups of either side that are shown; no case has as many


def _ids(groups: JsonValue) -> list[str]:
    if not isinstance(groups, list):
        return [spell(groups)]
    return [
        (" ".join(map(name_of, group)) if isinstance(group, list) else spell(group)) or "(empty)"
        for group in groups
    ]


def _side_by_side(expected: list[str], observed: list[str]) -> str:
    """Groups as two columns, or in pairs of lines where the columns would be too wide."""
    count = max(len(expected), len(observed))
    left = (expected + ["none"] * (count - len(expected)) or ["none"])[:_ROWS]
    right = (observed + ["none"] * (count - len(observed)) or ["none"])[:_ROWS]
    more = [f"   and {count - _ROWS} more"] if count > _ROWS else []
    wide = max(map(len, [*left, "expected"]))
    lines = []
    if wide + max(map(len, [*right, "got"])) + 5 <= WIDTH:
        lines.append(f"   {'expected':<{wide}}  got")
        for wanted, found in zip(left, right, strict=True):
            lines.append(f"{'  ' if wanted == found else '->'} {wanted:<{wide}}  {found}")
        return "\n".join(lines + more)
    for i, (wanted, found) in enumerate(zip(left, right, strict=True), start=1):
        if wanted == found:
            lines.append(f"{i}. {wanted}: as expected")
        else:
            lines += [f"{i}. expected  {wanted}", f"   got       {found}"]
    return "\n".join(lines + more)
