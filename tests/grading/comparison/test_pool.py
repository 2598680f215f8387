"""The pool of workers: what they are started with."""

import pytest

from coursekit.grading.comparison.pool import environment


def test_a_worker_takes_nothing_from_pytest_s_and_jupyter_s_variables(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("PYTEST_ADDOPTS", "JUPYTER_CONFIG_DIR", "JPY_X", "IPYTHONDIR", "PYTHONSTARTUP"):
        monkeypatch.setenv(name, "bad")
    monkeypatch.setenv("PYTHONPATH", "kept")
    monkeypatch.setenv("HOME", "kept")
    made = environment()
    assert "bad" not in made.values()
    assert (made["PYTHONPATH"], made["HOME"]) == ("kept", "kept")
    assert made["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] == "1"
