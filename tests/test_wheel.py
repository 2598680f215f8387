"""The learner's way with pip alone: the built wheel, in an empty environment."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

pytestmark = pytest.mark.gate


def run(*command: object, cwd: Path, expect: int = 0) -> str:
    """Run a program away from the repository, and return all that it printed."""
    clean = {key: each for key, each in os.environ.items() if not key.startswith("PYTHON")}
    ended = subprocess.run(
        [*map(str, command)], cwd=cwd, env=clean, capture_output=True, text=True, timeout=900
    )
    assert ended.returncode == expect, (
        f"{command} ended with {ended.returncode}:\n{ended.stdout}\n{ended.stderr}"
    )
    return ended.stdout + ended.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the source archive, so that both are whole."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--outdir", folder, ROOT, cwd=folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment that holds the wheel and what it asks for; its `bin`."""
    folder = tmp_path_factory.mktemp("empty") / "venv"
    run(sys.executable, "-m", "venv", folder, cwd=folder.parent)
    run(folder / "bin" / "pip", "install", "--quiet", wheel, cwd=folder.parent)
    return folder / "bin"


def test_the_wheel_holds_the_course_and_nothing_else(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for name in ("starters/session.py", "starters/context.py", "tests/labs/test_labs.py"):
        assert f"coursekit/_content/{name}" in names
    notebooks = {path.name for path in (ROOT / "notebooks").glob("*.ipynb")}
    inside = {Path(name).name for name in names if name.endswith(".ipynb")}
    assert inside == notebooks
    data = {Path(name).suffix for name in names if "_content/data/" in name}
    assert data == {".jsonl"}
    for name in ("labs.toml", "predictions.toml", "observations.py", "template/README.md"):
        assert f"coursekit/course/{name}" in names
    assert "coursekit/py.typed" in names
    stubs = {path.relative_to(ROOT).as_posix() for path in (ROOT / "coursekit").rglob("*.pyi")}
    assert stubs <= names  # lazy_loader reads them when their package is imported
    stray = ("__pycache__", ".ipynb_checkpoints", ".DS_Store", ".bak")
    assert not [name for name in names if any(part in name for part in stray)]
    assert {name.split("/")[0].split("-")[0] for name in names} == {"coursekit"}


def test_a_learner_goes_from_red_to_green(environment: Path, tmp_path: Path) -> None:
    coursekit = environment / "coursekit"
    run(coursekit, "practice", cwd=tmp_path)
    folder = tmp_path / "practice"
    assert "0/14 checks pass." in run(coursekit, "check", cwd=folder, expect=1)
    run(coursekit, "reveal", "all", cwd=folder)
    assert "14/14 checks pass." in run(coursekit, "check", cwd=folder)
    assert "14 passed" in run(environment / "pytest", cwd=folder)
    notebooks = sorted(folder.glob("*.ipynb"))
    output = run(environment / "pytest", "--nbval", *notebooks, cwd=folder)
    assert "failed" not in output


def test_the_doctor_finds_nothing_missing_and_there_is_nothing_to_update(
    environment: Path, tmp_path: Path
) -> None:
    """The kernel, the widgets' browser half and a `dot` came with the wheel alone."""
    coursekit = environment / "coursekit"
    run(coursekit, "practice", cwd=tmp_path)
    output = run(coursekit, "doctor", cwd=tmp_path / "practice")
    assert "All that a learner needs is here." in output
    assert f"{environment.parent}" in output
    assert "this release's already" in run(coursekit, "update", cwd=tmp_path / "practice")


def test_jupyterlab_came_along(environment: Path, tmp_path: Path) -> None:
    assert run(environment / "python", "-m", "jupyterlab", "--version", cwd=tmp_path)[0].isdigit()
