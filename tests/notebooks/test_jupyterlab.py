"""A practice folder in real JupyterLab, in headless Chromium."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.notebooks.stored_notebooks import Stored, is_folded, stored

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = [pytest.mark.gate, pytest.mark.browser, pytest.mark.dot]

FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
)
SETTINGS = {
    # Only what is in sight would be in the page otherwise.
    "notebook-extension/tracker": {"windowingMode": "none"},
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
}
NOTEBOOK = "11_3_budget.ipynb"
PATIENCE = 120_000
"""Milliseconds that a step may take before the test gives up."""


@pytest.fixture(params=["JupyterLab Light", "JupyterLab Dark"])
def page(finished: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The lab's notebook, opened as `coursekit lab` serves it, in one of the two themes."""
    from playwright.sync_api import sync_playwright

    settings = SETTINGS | {"apputils-extension/themes": {"theme": request.param}}
    for name, values in settings.items():
        path = tmp_path / "home" / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values))
    home = str(tmp_path / "home")
    places = {"JUPYTER_CONFIG_DIR": home, "JUPYTERLAB_SETTINGS_DIR": f"{home}/settings"}
    places |= {
        "JUPYTERLAB_WORKSPACES_DIR": f"{home}/workspaces",
        "JUPYTER_DATA_DIR": f"{home}/data",
    }
    server = subprocess.Popen(
        [sys.executable, "-m", "coursekit.cli", "lab", str(finished), "--no-browser"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | places,
    )
    try:
        address = address_of(server)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=FLAGS.split()
            )
            page = browser.new_page(viewport={"width": 1300, "height": 1200})
            page.set_default_timeout(PATIENCE)
            page.goto(address.replace("00_start_here.ipynb", NOTEBOOK))
            page.locator(".jp-Notebook .jp-CodeCell").last.wait_for(state="attached")
            yield page
            browser.close()
    finally:
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=30)


def address_of(server: subprocess.Popen[str]) -> str:
    """The address with its token, as JupyterLab prints it for people."""
    assert server.stdout is not None
    lines: list[str] = []
    for line in server.stdout:
        lines.append(line)
        if found := re.search(r"http://(?:localhost|127\.0\.0\.1):\S+token=\w+", line):
            return found.group()
    raise AssertionError("JupyterLab did not start:\n" + "".join(lines))


def test_a_lab_runs_from_top_to_bottom(page: Page, tmp_path: Path) -> None:
    notebook = next(each for each in stored() if each.name == NOTEBOOK)
    predicted_is_folded(page, notebook)

    # A run that is asked for while the kernel still starts may be lost.
    page.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]').wait_for(state="attached")
    choose(page, "Edit", "editmenu:clear-all")
    prompts = page.locator(".jp-CodeCell .jp-InputPrompt")
    assert {text.strip() for text in prompts.all_inner_texts()} == {"[ ]:"}
    choose(page, "Run", "runmenu:run-all")
    last = len(notebook.code)
    page.wait_for_function(
        """last => {
            const prompts = [...document.querySelectorAll('.jp-CodeCell .jp-InputPrompt')];
            return prompts.at(-1).innerText.trim() === `[${last}]:`;
        }""",
        arg=last,
    )

    assert prompts.all_inner_texts() == [f"[{number}]:" for number in range(1, last + 1)]
    assert page.locator('[data-mime-type$="error"], [data-mime-type$="stderr"]').count() == 0
    tree_is_seen(page, output_of(page, "draw(path, projection=projection)"), tmp_path)
    table_is_seen(page, output_of(page, "budget_table(projection)"), tmp_path)


def choose(page: Page, menu: str, command: str) -> None:
    page.get_by_role("menuitem", name=menu, exact=True).click()
    page.locator(f'.lm-Menu-item[data-command="{command}"]').click()


def predicted_is_folded(page: Page, notebook: Stored) -> None:
    """What the reader predicts is not in sight when the notebook opens."""
    from playwright.sync_api import expect

    folded = [cell for cell in notebook.code if is_folded(cell)]
    placeholders = page.locator(".jp-OutputPlaceholder")
    expect(placeholders).to_have_count(len(folded), timeout=PATIENCE)
    first_line = "".join(folded[0]["outputs"][0]["text"]).splitlines()[0]
    assert first_line in placeholders.first.inner_text()
    assert "trimmed" not in placeholders.first.inner_text()


def output_of(page: Page, code: str) -> Locator:
    cell = page.locator(".jp-CodeCell").filter(has_text=code).first
    cell.scroll_into_view_if_needed()
    return cell.locator(".jp-OutputArea-output").last  # behind what the cell printed


def tree_is_seen(page: Page, output: Locator, tmp_path: Path) -> None:
    output.scroll_into_view_if_needed()
    # Sanitised SVG is an image whose address holds the drawing.
    drawing = output.locator("svg, img").first
    box = drawing.bounding_box()
    assert box is not None
    assert box["width"] > 200
    assert box["height"] > 400
    assert drawing.evaluate("e => e.tagName === 'svg' || e.naturalWidth > 0")
    page.screenshot(path=tmp_path / "tree.png")


def table_is_seen(page: Page, output: Locator, tmp_path: Path) -> None:
    output.scroll_into_view_if_needed()
    table = output.locator("table")
    assert table.is_visible()
    left = [row.split("\t")[-1] for row in table.inner_text().splitlines()[1:]]
    assert left == ["31", "28", "24", "22"]
    assert table.evaluate(CONTRAST) >= 4.5  # what WCAG asks of text
    page.screenshot(path=tmp_path / "table.png")


CONTRAST = """table => {
    const parts = colour => colour.match(/[\\d.]+/g).map(Number);
    const light = colour => {
        const [r, g, b] = parts(colour).map(
            v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = element => {
        for (; element; element = element.parentElement) {
            const colour = getComputedStyle(element).backgroundColor;
            if ((parts(colour)[3] ?? 1) > 0.5) return colour;
        }
        return 'rgb(255, 255, 255)';
    };
    const cell = table.querySelector('td');
    const pair = [light(getComputedStyle(cell).color), light(behind(cell))].sort((a, b) => b - a);
    return (pair[0] + 0.05) / (pair[1] + 0.05);
}"""
