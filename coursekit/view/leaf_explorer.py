"""Move a leaf under the mouse and see tree, file and context follow.

Importing this module imports ipywidgets.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable
from functools import partial

import ipywidgets as widgets

from coursekit.pi import SessionManager
from coursekit.view.canvas import Still, SvgCanvas, show
from coursekit.view.facts import facts_of
from coursekit.view.moves import Moves, MoveStep
from coursekit.view.picture import Picture
from coursekit.view.render import RenderError
from coursekit.view.text_width import clip, shown_id

MOVES = (
    ("tree", "/tree", "Move the leaf to the chosen entry"),
    ("user", "append user", "Append the text as a user message"),
    ("assistant", "append assistant", "Append the text as an assistant message"),
    ("compact", "compact", "Append a compaction that keeps from the chosen entry"),
    ("fork", "/fork", "New session up to the chosen user message"),
    ("clone", "/clone", "New session with the path to the leaf"),
    ("reset", "reset leaf", "Move the leaf before the first entry"),
)


class LeafExplorer:
    """A session on screen, to be moved about in.

    Takes a `pi.SessionManager`, or entries, and works on a copy in memory. Choose an
    entry by click, by Tab and Enter, or from the list; then make a move. Tree, active
    path, file entries and context follow together, each move names the API call that
    made it, and the slider goes back through the moves.
    """

    def __init__(self, session: SessionManager | Iterable[object]) -> None:
        self.moves = Moves(session)
        self.canvas = SvgCanvas()
        self.chosen = widgets.Dropdown(description="entry", layout={"width": "98%"})
        self.words = widgets.Text(description="text", placeholder="what the next message says")
        self.words.layout.width = "98%"
        self.history = widgets.IntSlider(description="move", min=0, max=0)
        self.call = widgets.HTML()
        self.state = widgets.HTML()
        self.buttons: dict[str, widgets.Button] = {}
        for key, title, hint in MOVES:
            button = widgets.Button(description=title, tooltip=hint, layout={"width": "auto"})
            button.on_click(partial(self._pressed, key))
            self.buttons[key] = button
        self.box = self._layout()
        self._still: Still | None = None
        self._shown = -1
        self.canvas.observe(self._clicked, "clicks")
        self.chosen.observe(self._listed, "value")
        self.history.observe(lambda change: self._show(change["new"]), "value")
        self._follow()

    @property
    def session(self) -> SessionManager:
        """The session as the moves left it."""
        return self.moves.session

    @property
    def step(self) -> MoveStep:
        """The step on screen: the newest, or the one that the slider went back to."""
        index: int = self.history.value
        return self.moves.steps[index]

    def _layout(self) -> widgets.HBox:
        rows = [list(self.buttons.values())[:4], list(self.buttons.values())[4:]]
        wrap = {"flex_flow": "row wrap"}
        controls = widgets.VBox(
            [
                self.chosen,
                self.words,
                *(widgets.HBox(row, layout=wrap) for row in rows),
                self.history,
                self.call,
                self.state,
            ],
            layout={"width": "54%", "min_width": "330px"},
        )
        picture = widgets.Box([self.canvas], layout={"width": "44%", "min_width": "260px"})
        return widgets.HBox([picture, controls], layout={"flex_flow": "row wrap"})

    def _pressed(self, key: str, _button: object = None) -> None:
        entry_id, text = self.chosen.value or "", self.words.value
        calls: dict[str, Callable[[], MoveStep]] = {
            "tree": lambda: self.moves.tree(entry_id),
            "user": lambda: self.moves.append("user", text),
            "assistant": lambda: self.moves.append("assistant", text),
            "compact": lambda: self.moves.compact(entry_id, text or "summary of what came before"),
            "fork": lambda: self.moves.fork(entry_id),
            "clone": self.moves.clone,
            "reset": self.moves.reset,
        }
        try:
            step = calls[key]()
        except ValueError as error:
            self.call.value = f"<b>not possible:</b> {html.escape(str(error))}"
            return
        self.words.value = step.offered
        self._follow()

    def _clicked(self, _change: object) -> None:
        """A click chooses an entry, or opens a fold."""
        picked = self.canvas.picked
        if picked not in {value for _, value in self.chosen.options}:
            if self.history.value < self.history.max:
                return
            picture = self.moves.unfold(picked)
            self._offer(picture, picked)
            self._paint(picture)
        self.chosen.value = picked

    def _listed(self, change: dict[str, str | None]) -> None:
        self.canvas.picked = change["new"] or ""

    def _follow(self) -> None:
        """Show the newest step."""
        self.history.max = len(self.moves.steps) - 1
        if self.history.value == self.history.max:
            self._show(self.history.max)
        else:
            self.history.value = self.history.max

    def _show(self, index: int) -> None:
        step = self.moves.steps[index]
        newest = index == len(self.moves.steps) - 1
        for button in self.buttons.values():
            button.disabled = not newest
        self._offer(step.picture, self.chosen.value or "")
        self._paint(step.picture)
        past = "" if newest else " (looking back; slide to the end to move on)"
        self.call.value = (
            f"<div>move {index} of {len(self.moves.steps) - 1}{past}</div>"
            f"<code>{html.escape(step.call)}</code><div>{html.escape(step.note)}</div>"
        )
        self.state.value = _state(step)

    def _offer(self, picture: Picture, chosen: str) -> None:
        """List the entries that have a box of their own; the choice stays where it can."""
        entries = picture.scene.forest.entries
        options = [(_title(each), key) for key, each in entries.items() if key in picture.alone]
        self.chosen.options = options
        ids = {value for _, value in options}
        leaf_id = picture.scene.leaf_id
        self.chosen.value = next((each for each in (chosen, leaf_id) if each in ids), None)

    def _paint(self, picture: Picture) -> None:
        with self.canvas.hold_sync():
            self.canvas.names = picture.names
            self.canvas.text = picture.text
            try:
                self.canvas.svg = picture.svg()
            except RenderError as error:
                self.canvas.svg = ""
                self.canvas.text = f"{picture.text}\n\n{error}"
        if self._still is not None:
            self._still.update(self.still(), raw=True)

    def still(self) -> dict[str, str]:
        """What a page without a live kernel shows: the picture and, as text, the whole state."""
        bundle = self.step.picture._repr_mimebundle_()
        step = self.step
        text = [step.picture.text, "", f"last call: {step.call}"]
        text += [f"file entries: {' '.join(step.file_entries)}", "", "context:", step.context]
        return bundle | {"text/plain": "\n".join(text)}

    def _ipython_display_(self) -> None:
        self._still = show(self.box, self.still(), "LeafExplorer")


def _title(entry: object) -> str:
    facts = facts_of(entry)
    return clip(f"{shown_id(facts.id, 14)} · {facts.kind} · {facts.text}", 60)


def _state(step: MoveStep) -> str:
    path = " → ".join(step.picture.scene.path) or "empty"
    files = " ".join(step.file_entries) or "none"
    leaf = "none" if step.leaf_id is None else step.leaf_id
    rows = (("leaf", leaf), ("active path", path), ("fileEntries", files))
    lines = "".join(
        f"<div><b>{title}</b> <code>{html.escape(clip(words, 600))}</code></div>"
        for title, words in rows
    )
    return f"{lines}<div><b>context</b></div>{step.context_html}"
