"""`draw(...)`: the tree of a session as a picture, and as text where there is no picture."""

from __future__ import annotations

import html
import re
import sys
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path

from coursekit.view.diagram import Diagram, diagram_of
from coursekit.view.fold import boxes_of
from coursekit.view.render import (
    NO_DOT,
    NO_WIDE_FONTS,
    RenderError,
    dot_program,
    lacks_wide_fonts,
    render,
)
from coursekit.view.scene import Leaf, Scene, scene_of
from coursekit.view.text_tree import text_tree
from coursekit.view.text_width import has_wide, shown_id

FORMS = ("svg", "png", "dot", "txt")
_warned: list[str] = []


class Picture:
    """A drawing: `.dot` is its DOT text, `.text` the same as plain text.

    A notebook shows the SVG; where nothing can draw it, the text stands alone.
    Pictures don't change when the session does, so two can be compared.
    """

    def __init__(
        self,
        scene: Scene,
        diagrams: Mapping[str, Diagram],
        *,
        caption: str,
        text: str,
        names: dict[str, str] | None = None,
        alone: frozenset[str] = frozenset(),
    ) -> None:
        self.scene = scene
        self.text = text
        self._diagrams = diagrams
        self._caption = caption
        self.names = names or {}
        """Entry ids by the names that boxes have in the DOT text; of a fold, its first."""
        self.alone = alone
        """Ids of the entries that have a box of their own."""

    @cached_property
    def dot(self) -> str:
        """The drawing as DOT text; made when it is asked for, because the text needs none."""
        from coursekit.view.dot import dot_of

        return dot_of(self._diagrams, self._caption)

    def svg(self) -> str:
        """The drawing as SVG with a title and a description. Raises `RenderError`."""
        return _described(render(self.dot).decode(), self.scene.describe(), self.text)

    def save(self, path: str | Path) -> Path:
        """Write an `.svg`, `.png`, `.dot` or `.txt` file, by the ending of `path`."""
        path = Path(path)
        form = path.suffix.removeprefix(".")
        if form not in FORMS:
            asked = f"a name that ends in {path.suffix}" if form else "a name without an ending"
            offered = ", ".join(f".{each}" for each in FORMS)
            raise ValueError(f"{path}: can't draw to {asked}; choose one of {offered}")
        if form == "png":
            path.write_bytes(render(self.dot, "png"))
            if has_wide(self.dot) and lacks_wide_fonts():
                _warn_once(NO_WIDE_FONTS)
        else:
            body = {"dot": self.dot, "txt": self.text + "\n"}
            path.write_text(self.svg() if form == "svg" else body[form], encoding="utf-8")
        return path

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        bundle = {"text/plain": self.text}
        if dot_program() is None:
            _warn_once(NO_DOT)
            return bundle
        try:
            bundle["image/svg+xml"] = self.svg()
        except RenderError as error:
            _warn_once(str(error))
        return bundle


def draw(
    session: object,
    after: object = None,
    *,
    leaf: str | Leaf | None = Leaf.CURRENT,
    projection: object = None,
    unfold: bool | Iterable[str] = (),
) -> Picture:
    """Draw a session: a manager, a store, or a list of entries (course, Pi, or JSON).

    `leaf` is an entry id, or None for "before the first entry"; by default the
    session's own leaf, or the newest entry of a list. `projection` is what the model
    sees: a `build_context` result, entries, or ids. `unfold` is True to show every
    entry, or ids whose folds are to be opened.

    `draw(before, after)` sets two of them side by side, or two pictures made earlier,
    and says what moved.

    Raises `ViewError` for a duplicate id, a cycle, or an id that is not there.
    """
    unfold = unfold if isinstance(unfold, bool) else tuple(unfold)
    if after is not None:
        return _compare(_scene(session), _scene(after), unfold)
    scene = scene_of(session, leaf=leaf, projection=projection)
    boxes = boxes_of(scene, unfold=unfold)
    return Picture(
        scene,
        {"": diagram_of(scene, boxes)},
        caption=scene.describe(),
        text=text_tree(scene, boxes),
        names={f"e{index}": box.ids[0] for index, box in enumerate(boxes)},
        alone=frozenset(box.ids[0] for box in boxes if not box.folded),
    )


def _scene(source: object) -> Scene:
    return source.scene if isinstance(source, Picture) else scene_of(source)


def _compare(before: Scene, after: Scene, unfold: bool | tuple[str, ...]) -> Picture:
    moved = what_moved(before, after)
    sides: dict[str, Diagram] = {}
    texts: list[str] = []
    for side, scene in (("before", before), ("after", after)):
        boxes = boxes_of(scene, unfold=unfold)
        sides[side] = diagram_of(scene, boxes, f"{side}_")
        texts.append(f"{side}: {text_tree(scene, boxes)}")
    return Picture(after, sides, caption=moved, text="\n\n".join([*texts, moved]))


def what_moved(before: Scene, after: Scene) -> str:
    """One line: where the leaf went, what was appended, what left or joined the active path."""
    if before.leaf_id == after.leaf_id:
        words = [f"leaf stays at {_name(before.leaf_id)}"]
    else:
        words = [f"leaf moves from {_name(before.leaf_id)} to {_name(after.leaf_id)}"]
    known = before.forest.parents.keys()
    lists = {
        "appended": [each for each in after.forest.parents if each not in known],
        "off the active path": [each for each in before.path if each not in after.on_path],
        "back on the active path": [
            each for each in after.path if each not in before.on_path and each in known
        ],
    }
    words += [f"{title}: {_some(ids)}" for title, ids in lists.items() if ids]
    return "; ".join(words) + "."


def _name(leaf_id: str | None) -> str:
    return "none" if leaf_id is None else shown_id(leaf_id, 40)


def _some(ids: list[str], most: int = 6) -> str:
    shown = [_name(each) for each in (ids if len(ids) <= most else [*ids[:2], ids[-1]])]
    if len(ids) <= most:
        return ", ".join(shown)
    return f"{shown[0]}, {shown[1]} … {shown[2]} ({len(ids):,} entries)"


def _described(svg: str, title: str, text: str) -> str:
    """The SVG element alone, with what a screen reader needs in front of the drawing."""
    svg = re.sub(r"<!--.*?-->\s*", "", svg[svg.index("<svg") :], flags=re.DOTALL)
    head = f"<title>{html.escape(title)}</title>\n<desc>{html.escape(text)}</desc>\n"
    end = svg.index(">") + 1
    return f'{svg[: end - 1]} role="img">\n{head}{svg[end:].lstrip()}'


def _warn_once(sentence: str) -> None:
    if sentence not in _warned:
        _warned.append(sentence)
        print(sentence, file=sys.stderr)
