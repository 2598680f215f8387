"""An SVG in a notebook that hears clicks and keys on its boxes, and the still beside it.

The script and the styles travel inside the widget, so it works offline.
Importing this module imports anywidget; the explorers do so when they are used.
"""

from __future__ import annotations

from typing import Protocol

import anywidget
import traitlets

_SCRIPT = """
function render({ model, el }) {
  const stage = document.createElement("div");
  stage.className = "coursekit-canvas";
  el.append(stage);
  let keyed = false;

  const mark = () => {
    for (const box of stage.querySelectorAll("g.node[data-entry]")) {
      const picked = box.dataset.entry === model.get("picked");
      box.classList.toggle("picked", picked);
      box.setAttribute("aria-pressed", String(picked));
      if (picked && keyed) box.focus();
    }
  };
  const pick = (box) => {
    model.set("picked", box.dataset.entry);
    model.set("clicks", model.get("clicks") + 1);
    model.save_changes();
  };
  const draw = () => {
    stage.innerHTML = model.get("svg");
    const svg = stage.querySelector("svg");
    if (!svg) {
      const text = document.createElement("pre");
      text.textContent = model.get("text");
      stage.replaceChildren(text);
      return;
    }
    svg.style.maxWidth = "100%";
    svg.style.height = "auto";
    const names = model.get("names");
    for (const box of stage.querySelectorAll("g.node")) {
      const title = box.querySelector("title");
      const entry = title && names[title.textContent];
      if (!entry) continue;
      const words = [...box.querySelectorAll("text")].map((each) => each.textContent).join(", ");
      title.textContent = words;
      box.dataset.entry = entry;
      box.setAttribute("tabindex", "0");
      box.setAttribute("role", "button");
      box.setAttribute("aria-label", words);
      box.addEventListener("click", () => { keyed = false; pick(box); });
      box.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        event.stopPropagation();
        keyed = true;
        pick(box);
      });
    }
    mark();
  };

  // Where there is a live kernel, the still that follows in the cell is not needed.
  let output = null;
  let tries = 50;
  const hideStill = () => {
    output = el.closest(".jp-OutputArea-child");
    if (output) output.classList.add("coursekit-live");
    else if (tries-- > 0) setTimeout(hideStill, 100);
  };
  hideStill();
  draw();
  model.on("change:svg", draw);
  model.on("change:picked", mark);
  return () => { tries = 0; if (output) output.classList.remove("coursekit-live"); };
}
export default { render };
"""

_STYLE = """
.coursekit-canvas { overflow: auto; max-height: 640px; }
.coursekit-canvas g.node[data-entry] { cursor: pointer; outline: none; pointer-events: all; }
.coursekit-canvas g.node.picked > g > a > *:first-child,
.coursekit-canvas g.node.picked polygon,
.coursekit-canvas g.node.picked path { stroke: #d55e00; stroke-width: 3.5px; }
.coursekit-canvas g.node:focus-visible { outline: 2px dashed #d55e00; outline-offset: 3px; }
.coursekit-live + .jp-OutputArea-child { display: none; }
"""


class SvgCanvas(anywidget.AnyWidget):
    """Shows `svg`; a click, Enter or space on a box puts its entry id into `picked`.

    `names` holds entry ids by the boxes' names in the drawing. `clicks` counts up with
    every pick, so that picking the same box again is heard. `text` stands in where
    there is no SVG.
    """

    _esm = _SCRIPT
    _css = _STYLE

    svg = traitlets.Unicode("").tag(sync=True)
    text = traitlets.Unicode("").tag(sync=True)
    names = traitlets.Dict().tag(sync=True)
    picked = traitlets.Unicode("").tag(sync=True)
    clicks = traitlets.Int(0).tag(sync=True)


class Still(Protocol):
    """What stands in a cell in the widget's place; IPython's handle on it."""

    def update(self, obj: dict[str, str], *, raw: bool) -> None:
        """Show these MIME types from now on."""


class Showable(Protocol):
    """An ipywidget, as far as it is needed here."""

    def _repr_mimebundle_(self) -> dict[str, object]: ...


def show(box: Showable, still: dict[str, str], what: str) -> Still:
    """Put a widget into the cell, and after it a still for pages without a live kernel.

    Returns the handle that keeps the still up to date.
    """
    from IPython.display import display

    view = "application/vnd.jupyter.widget-view+json"
    model = box._repr_mimebundle_()[view]
    display({view: model, "text/plain": f"{what}: live in a running notebook."}, raw=True)
    handle: Still = display(still, raw=True, display_id=True)
    return handle
