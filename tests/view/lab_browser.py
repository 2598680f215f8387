"""A real JupyterLab with one notebook, in headless Chromium."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or "chromium"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
UP = 90
"""Seconds that a server, a page or a kernel may take on a busy machine."""


def notebook(*cells: str) -> dict[str, Any]:
    return {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        "cells": [
            {
                "cell_type": "code",
                "id": f"cell{at}",
                "metadata": {},
                "source": source,
                "outputs": [],
                "execution_count": None,
            }
            for at, source in enumerate(cells)
        ],
    }


@contextlib.contextmanager
def server(folder: Path) -> Iterator[str]:
    """JupyterLab on this folder, with settings and kernels of its own."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    env = os.environ | {
        "JUPYTER_CONFIG_DIR": str(folder / ".config"),
        "JUPYTER_DATA_DIR": str(folder / ".data"),
        "JUPYTER_RUNTIME_DIR": str(folder / ".runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(folder / ".settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(folder / ".workspaces"),
        "IPYTHONDIR": str(folder / ".ipython"),
    }
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    command += [f"--port={port}", "--IdentityProvider.token=", "--expose-app-in-browser"]
    command += [f"--ServerApp.root_dir={folder}"]
    quiet = folder / ".settings/@jupyterlab/apputils-extension/notification.jupyterlab-settings"
    quiet.parent.mkdir(parents=True)
    quiet.write_text('{"fetchNews": "false", "checkForUpdates": false}')
    log = (folder / "server.log").open("wb")
    running = subprocess.Popen(command, cwd=folder, env=env, stdout=log, stderr=log)
    url = f"http://127.0.0.1:{port}"
    try:
        until = time.monotonic() + UP
        while True:
            try:
                urllib.request.urlopen(f"{url}/api/status", timeout=5).close()
                break
            except OSError as error:
                if running.poll() is not None or time.monotonic() > until:
                    said = (folder / "server.log").read_text(errors="replace")[-2000:]
                    raise RuntimeError(f"JupyterLab did not start: {said}") from error
                time.sleep(0.2)
        yield url
    finally:
        running.terminate()
        running.wait(20)
        log.close()


@contextlib.contextmanager
def page(url: str, name: str) -> Iterator[Any]:
    """The notebook open in JupyterLab, its cells run."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            tab = browser.new_page(viewport={"width": 1500, "height": 1300})
            tab.set_default_timeout(UP * 1000)
            tab.goto(f"{url}/lab/tree/{name}", wait_until="commit")
            tab.wait_for_selector(".jp-NotebookPanel .jp-Cell")
            tab.wait_for_function(
                "window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel"
                "?.connectionStatus === 'connected'"
            )
            run(tab)
            yield tab
        finally:
            browser.close()


def run(tab: Any) -> None:
    """Run all cells and wait until the last has its number."""
    # Not awaited: the promise would come back with the whole notebook.
    tab.evaluate("() => { window.jupyterapp.commands.execute('notebook:run-all-cells'); }")
    tab.wait_for_function(
        "[...document.querySelectorAll('.jp-CodeCell .jp-InputPrompt')]"
        ".every((each) => /\\[\\d+\\]/.test(each.textContent))"
    )


def theme(tab: Any, name: str) -> None:
    tab.evaluate(
        "(theme) => { window.jupyterapp.commands.execute('apputils:change-theme', { theme }); }",
        name,
    )
    dark = json.dumps("dark" in name.lower())
    tab.wait_for_function(f"document.body.dataset.jpThemeLight === ({dark} ? 'false' : 'true')")
    tab.wait_for_timeout(500)
