"""The explorers under a real mouse, in a real JupyterLab."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.view.lab_browser import UP, notebook, page, server, theme

pytestmark = [
    pytest.mark.gate,
    pytest.mark.browser,
    # Playwright and Chromium close their pipes in their own time.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


ENTRIES = """
from coursekit.view import BudgetExplorer, LeafExplorer, draw

def say(entry_id: str, parent, role, text: str):
    message = {"role": role, "content": [{"type": "text", "text": text}]}
    stamp = "2026-01-01T00:00:00.000Z"
    return {"type": "message", "id": entry_id, "parentId": parent, "timestamp": stamp,
            "message": message}

entries = [say("A", None, "user", "Read a.ts"), say("B", "A", "assistant", "Here it is."),
           say("C", "B", "user", "重命名"), say("D", "C", "assistant", "Renamed.")]
"""


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("lab")
    cells = (ENTRIES, "LeafExplorer(entries)", "BudgetExplorer()", "draw(entries, leaf='B')")
    (folder / "see.ipynb").write_text(json.dumps(notebook(*cells)))
    with server(folder) as url, page(url, "see.ipynb") as tab:
        yield tab


@pytest.fixture
def leaf_cell(tab: Any) -> Any:
    return tab.locator(".jp-CodeCell").nth(1)


@pytest.fixture
def budget_cell(tab: Any) -> Any:
    return tab.locator(".jp-CodeCell").nth(2)


def expect(locator: Any) -> Any:
    from playwright.sync_api import expect as soon

    soon.set_options(timeout=UP * 1000)
    return soon(locator)


def test_a_click_and_a_button_move_leaf_tree_and_context(
    tab: Any, leaf_cell: Any, tmp_path: Path
) -> None:
    title = leaf_cell.locator("svg > title").first
    context = leaf_cell.locator("table.coursekit-table")
    leaf_cell.locator('g.node[data-entry="B"]').click()
    leaf_cell.get_by_role("button", name="/tree", exact=True).click()
    expect(leaf_cell).to_contain_text('session.branch("B")')
    expect(leaf_cell).to_contain_text("leaf B")
    expect(title).to_have_text(re.compile("^4 entries, leaf B, 2 on"))
    expect(context).not_to_contain_text("重命名")

    leaf_cell.locator("input[type=text]").fill("Delete it")
    leaf_cell.locator("input[type=text]").press("Tab")
    leaf_cell.get_by_role("button", name="append user").click()
    expect(context).to_contain_text("Delete it")
    expect(title).to_have_text(re.compile("^5 entries, leaf"))
    expect(leaf_cell.locator("g.node.entry")).to_have_count(5)
    expect(leaf_cell).to_contain_text(re.compile("fileEntries A B C D [0-9a-f]{8}"))
    for name in ("JupyterLab Light", "JupyterLab Dark"):
        theme(tab, name)
        tab.screenshot(path=tmp_path / f"{name.split()[1]}.png")


def test_the_keyboard_does_it_too(leaf_cell: Any) -> None:
    box = leaf_cell.locator('g.node[data-entry="C"]')
    box.focus()
    box.press("Enter")
    expect(leaf_cell.locator("select option:checked")).to_have_text(re.compile("^C.·.user"))
    button = leaf_cell.get_by_role("button", name="/tree", exact=True)
    button.focus()
    button.press("Enter")
    expect(leaf_cell).to_contain_text("C is a user message")
    expect(leaf_cell.locator("input[type=text]")).to_have_value("重命名")


def test_the_window_slider_crosses_31(budget_cell: Any) -> None:
    title = budget_cell.locator("svg > title").first
    expect(title).to_have_text("trimmed: groups 2 to 3 kept, 31 of 31 tokens")
    handle = budget_cell.get_by_role("slider").first
    handle.focus()
    handle.press("ArrowLeft")
    expect(title).to_have_text("trimmed: group 3 kept, 24 of 30 tokens")
    handle.press("ArrowRight")
    expect(title).to_have_text("trimmed: groups 2 to 3 kept, 31 of 31 tokens")


def test_the_still_is_there_and_hidden_while_the_widget_lives(tab: Any, leaf_cell: Any) -> None:
    outputs = leaf_cell.locator(".jp-OutputArea-child")
    assert outputs.count() == 2
    assert outputs.nth(0).is_visible()
    assert not outputs.nth(1).is_visible()
    stored = tab.evaluate(
        "window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells[1].getOutputs()"
    )
    assert "image/svg+xml" in stored[1]["data"]
    assert "last call: " in "".join(stored[1]["data"]["text/plain"])
