"""What the labs' cases are made of: drawn names, looks after a change, and their words."""

import re
from collections.abc import Sequence

from coursekit.check.case import Row, Rule, Step, Wording
from coursekit.check.differences import attributes, differences, lines_of
from coursekit.check.observing import TAMPER
from coursekit.check.protocol import JsonValue, Note, Request
from coursekit.transcripts import Draw

NOTHING_SHARED = "Nothing is shared"
"""The heading, in every lab's notebook, under which copies are explained."""

SHOWN = {
    "input": "record passed in",
    "entry": "entry returned",
    "stored": "store's entries, asked for again",
    "path": "path passed in",
    "groups": "groups returned",
    "summary": "summary passed in",
}
"""What steps hold, in words."""


class CaseDraw(Draw):
    """Draws for one check; variant 0 has readable ids and keeps the written order."""

    def __init__(self, check: str, variant: int) -> None:
        super().__init__(f"{check} {variant}")
        self.variant = variant

    def name(self, stem: str) -> str:
        """A new id; at variant 0 one that counts up."""
        if self.variant:
            return super().name(stem)
        self._taken.add(f"{len(self._taken):02d}")
        return f"{stem}-{len(self._taken):02d}"

    def text(self, words: int = 4) -> str:
        """A new short text."""
        whole = super().text(words)
        return whole if self.variant else f"a word on {whole.rsplit(' ', 1)[-1]}"

    def failure(self) -> str:
        """What an estimator's error says."""
        return self.text() if self.variant else f"no price for {self.name('t')}"

    def mixed(self, blocks: Sequence[Step | Sequence[Step]]) -> list[Step]:
        """The blocks' steps, block by block in a drawn order.

        A block is steps that need each other, in their order; a step alone is one, too.
        """
        order = [[block] if isinstance(block, Step) else block for block in blocks]
        if self.variant:
            self.random.shuffle(order)
        return [step for block in order for step in block]


def tamper(held: str, places: Sequence[Sequence[str | int]], show: str, rule: Rule) -> Step:
    """Change what stands at `places` inside something held, then look at `show`."""
    spots = " and ".join(_spot(held, place) for place in places[:2])
    spots += f" and {len(places) - 2} more" if len(places) > 2 else ""
    at: list[JsonValue] = [list(place) for place in places]
    request = Request(TAMPER, {"in": held, "at": at, "with": "changed afterwards", "show": show})
    call = f"change {spots}, then look at the {SHOWN[show]}"
    return Step(request, call, rule, wording=SHARING)


def _spot(held: str, place: Sequence[str | int]) -> str:
    shown = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in place)
    return f"{held}{shown}"


def shared_rows(shown: str, expected: JsonValue, observed: JsonValue) -> list[Row]:
    """A change in one thing that another, called `shown`, shows too."""
    found = [
        (f"{shown}.{path}" if path and path[0] != "[" else shown + path, wanted, came)
        for path, wanted, came in differences(expected, observed)
    ]
    if found[0][0] == shown:  # not a place in it: the whole is another
        expected_lines, observed_lines = lines_of(found)
        return [("expected", expected_lines), ("got", observed_lines)]
    places = [path if shown == "input" else _as_held(path) for path, _, _ in found]
    more = f" and {len(places) - 3} more places" if len(places) > 3 else ""
    text = f"it shows at {', '.join(places[:3])}{more}"
    return [("expected", "no trace of the change there"), ("got", text)]


def _as_held(path: str) -> str:
    """A place in a shown path or group, as the call's own words name places: by attributes."""
    path = re.sub(r"^groups(\[\d+\])(\[\d+\])", r"groups\1.entries\2", path)
    if path.startswith(("path[", "groups[")):
        path = path.replace(".content", ".message.content", 1).replace(".call.", ".", 1)
    return attributes(path)


class _Sharing(Wording):
    """A look at whether a change in one thing shows in another."""

    shows_expected = True

    def wrong_kind(self, step: Step, note: Note) -> str:
        if note.place is not None:
            return ""
        held = step.request.arguments["in"]
        if note.held in ("generator", "list_iterator", "map", "filter", "zip"):
            return f"{held}: it returned a {note.held}, not a list"
        return f"the {held} is no longer what it was: there is nothing at that place"

    def compared(self, step: Step, expected: JsonValue, observed: JsonValue) -> list[Row]:
        return shared_rows(str(step.request.arguments["show"]), expected, observed)


SHARING = _Sharing()
