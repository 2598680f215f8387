"""Turn the four numbers of a budget and see what is kept.

Importing this module imports ipywidgets.
"""

from __future__ import annotations

import html
import importlib
import importlib.util
import sys
from collections.abc import Callable
from typing import cast

import ipywidgets as widgets

from coursekit import context, session, transcripts
from coursekit.view.budget import BudgetOutcome, BudgetSetting, Workings, as_text, neighbours
from coursekit.view.budget_bar import as_svg
from coursekit.view.canvas import Still, SvgCanvas, show
from coursekit.view.facts import entries_of, field
from coursekit.view.tables import Estimator, budget_table, ledger_table

LIBRARY = "by coursekit.context.build_context"


class BudgetExplorer:
    """Sliders for window, prompt, reserve and margin over a path of course entries.

    `path` is a `Transcript` (the opening one by default), or entries with
    `estimate_tokens`. `build_context` is the function asked; by default the one in the
    learner's own `context.py`, where there is one beside the notebook, else the
    library's. The line at the end says whose it was.

    Raises `TypeError` for entries without an estimator.
    """

    def __init__(
        self,
        path: object = None,
        *,
        estimate_tokens: Estimator | None = None,
        build_context: Callable[..., object] | None = None,
        max_tokens: int = 31,
        system: int = 3,
        reserved_output: int = 4,
        safety_margin: int = 2,
    ) -> None:
        chosen = transcripts.opening() if path is None else path
        if isinstance(chosen, transcripts.Transcript):
            estimate_tokens = estimate_tokens or chosen.options["estimate_tokens"]
            entries = list(chosen.entries)
        else:
            entries = [_to_json(entry) for entry in entries_of(chosen)]
        if estimate_tokens is None:
            raise TypeError("entries need estimate_tokens: a function from a message to tokens")
        self._library = Workings(entries, estimate_tokens, context.build_context)
        self.who = LIBRARY
        try:
            self._own = _learners(build_context)
        except Exception as error:  # a file in the making may hold anything
            self._own = None
            problem = f"{type(error).__name__}: {error}"
            self.who = f"{LIBRARY}, because your context.py can't be imported: {problem}"
        setting = BudgetSetting(max_tokens, system, reserved_output, safety_margin)
        widest = self._library.outcome(setting).edges
        top = int(2 * max([max_tokens, *(edge for edge, _ in widest)]))
        self.sliders = {
            title: _slider(title, value, most)
            for title, value, most in (
                ("window", max_tokens, top),
                ("prompt", system, max(top // 2, system)),
                ("reserve", reserved_output, max(top // 2, reserved_output)),
                ("margin", safety_margin, max(top // 2, safety_margin)),
            )
        }
        self.canvas = SvgCanvas()
        self.tables = widgets.HTML()
        self.box = widgets.VBox(
            [
                widgets.HBox(list(self.sliders.values()), layout={"flex_flow": "row wrap"}),
                self.canvas,
                self.tables,
            ]
        )
        self._still: Still | None = None
        for slider in self.sliders.values():
            slider.observe(lambda _change: self._follow(), "value")
        self._follow()

    @property
    def setting(self) -> BudgetSetting:
        """The four numbers as the sliders stand."""
        return BudgetSetting(
            *(self.sliders[each].value for each in ("window", "prompt", "reserve", "margin"))
        )

    def _follow(self) -> None:
        self.outcome, self.beside = self._ask()
        self.text = as_text(self.outcome, self.beside, self.who)
        with self.canvas.hold_sync():
            self.canvas.text = self.text
            self.canvas.svg = as_svg(self.outcome, self.text)
        self.tables.value = self._tables(self.outcome)
        if self._still is not None:
            self._still.update(self.still(), raw=True)

    def _ask(self) -> tuple[BudgetOutcome, str]:
        """The learner's function first; the library's where its lab is not done yet."""
        if self._own is not None:
            build, parse, who = self._own
            own = Workings(self._library.path, self._library.estimate, build, parse)
            try:
                outcome = own.outcome(self.setting)
                beside = neighbours(own, outcome)
            except Exception as error:  # LabNotDone is the learner's own class
                self.who = f"{LIBRARY}, because yours says: {error}"
            else:
                self.who = who
                return outcome, beside
        outcome = self._library.outcome(self.setting)
        return outcome, neighbours(self._library, outcome)

    def _tables(self, outcome: BudgetOutcome) -> str:
        rows = [
            {"entry_ids": group.ids, "cost": group.cost, "status": group.status(outcome.reason)}
            for group in outcome.groups
        ]
        beside = "<br>".join(html.escape(part) for part in self.beside.split("; "))
        return (
            '<div style="display:flex;flex-wrap:wrap;gap:24px">'
            f"<div>{budget_table(outcome.setting)._repr_html_()}</div>"
            f"<div>{ledger_table(rows)._repr_html_()}</div></div>"
            f"<div>{beside}</div><div><i>{html.escape(self.who)}</i></div>"
        )

    def still(self) -> dict[str, str]:
        """What a page without a live kernel shows: the bar, and everything as text."""
        return {"image/svg+xml": self.canvas.svg, "text/plain": self.text}

    def _ipython_display_(self) -> None:
        self._still = show(self.box, self.still(), "BudgetExplorer")


def _slider(title: str, value: int, most: int) -> widgets.IntSlider:
    return widgets.IntSlider(description=title, value=value, min=0, max=most)


def _to_json(entry: object) -> dict[str, session.JsonValue]:
    return (
        entry
        if isinstance(entry, dict)
        else session.entry_to_json(cast(session.SessionEntry, entry))
    )


def _learners(
    asked: Callable[..., object] | None,
) -> tuple[Callable[..., object], Callable[[object], object], str] | None:
    """The function to ask, what makes its entries, and whose it is; None for the library's."""
    if asked is None:
        if "context" not in sys.modules and importlib.util.find_spec("context") is None:
            return None
        module = importlib.import_module("context")
        if not hasattr(module, "build_context"):
            return None
        where = getattr(module, "__file__", None) or "context.py"

        def build(*path: object, **options: object) -> object:
            # Looked up at each call, so that an edit which autoreload picks up counts.
            answer: object = module.build_context(*path, **options)
            return answer

        who = f"by your build_context, from {where.rpartition('/')[2]}"
        return build, _parser(module), who
    home = sys.modules.get(asked.__module__)
    if home is context:
        return None
    who = f"by your build_context, {field(asked, '__qualname__', 'passed in here')}"
    return asked, _parser(home), who


def _parser(module: object) -> Callable[[object], object]:
    parse = getattr(module, "parse_session_entry", None)
    return parse if callable(parse) else session.parse_session_entry
