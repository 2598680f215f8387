"""The doctor looks at the real thing: a healthy computer, and one part broken at a time."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from coursekit.workbook import doctor

COURSEKIT = Path(sys.executable).with_name("coursekit")
NAMES = ["Python", "coursekit", "JupyterLab", "widgets", "libraries", "dot", "kernel"]
NAMES += ["write access", "practice", "isolation"]


def examined(folder: Path, **environment: str) -> tuple[int, dict[str, dict[str, Any]]]:
    """The exit status in `folder`, and the findings by name."""
    done = subprocess.run(
        [COURSEKIT, "doctor", "--json"],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
    )
    report = json.loads(done.stdout)
    assert report["fit"] == (done.returncode == 0)
    return done.returncode, {each["name"]: each for each in report["findings"]}


def test_a_healthy_computer(folder: Path) -> None:
    before = sorted(folder.rglob("*"))
    status, findings = examined(folder)
    assert list(findings) == NAMES
    assert status == 0
    assert all(each["state"] == "good" for name, each in findings.items() if name != "isolation")
    assert "answered in" in findings["kernel"]["told"]
    assert "0/14" in findings["practice"]["told"]
    assert sorted(folder.rglob("*")) == before, "nothing is left behind"


def test_it_fits_a_terminal_and_says_that_all_is_there(folder: Path) -> None:
    done = subprocess.run(
        [COURSEKIT, "doctor"], cwd=folder, capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "All that a learner needs is here." in done.stdout
    long = [line for line in done.stdout.splitlines() if len(line) > 80]
    assert all("/" in line for line in long), "only a path may be longer"


@pytest.mark.bwrap
def test_walls_that_can_be_raised_are_reported(folder: Path) -> None:
    _, findings = examined(folder)
    assert findings["isolation"]["state"] == "good"


def test_a_kernel_that_does_not_start_is_missing_with_what_it_said(
    folder: Path, tmp_path: Path
) -> None:
    kernels = tmp_path / "kernels" / "python3"
    kernels.mkdir(parents=True)
    argv = [sys.executable, "-c", "import nothing_of_this_name"]
    (kernels / "kernel.json").write_text(
        json.dumps({"argv": argv, "display_name": "broken", "language": "python"})
    )
    status, findings = examined(folder, JUPYTER_PATH=str(tmp_path))
    assert status == 1
    assert findings["kernel"]["state"] == "lacking"
    assert "No module named 'nothing_of_this_name'" in findings["kernel"]["told"]
    assert "ipykernel" in findings["kernel"]["fix"]
    assert findings["practice"]["state"] == "good", "the others are looked at all the same"


def test_a_kernel_of_another_environment_is_lacking(folder: Path, tmp_path: Path) -> None:
    kernels = tmp_path / "kernels" / "python3"
    kernels.mkdir(parents=True)
    other = tmp_path / "other" / "coursekit"
    other.mkdir(parents=True)
    (other / "__init__.py").write_text("")
    argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (kernels / "kernel.json").write_text(
        json.dumps(
            {
                "argv": argv,
                "display_name": "other",
                "language": "python",
                "env": {"PYTHONPATH": str(other.parent)},
            }
        )
    )
    status, findings = examined(folder, JUPYTER_PATH=str(tmp_path))
    assert status == 1
    assert "another coursekit" in findings["kernel"]["told"]
    assert "ipykernel install" in findings["kernel"]["fix"]


def test_without_graphviz_the_wheels_dot_draws(folder: Path) -> None:
    status, findings = examined(folder, PATH=str(folder))
    assert status == 0
    assert "graphviz-pure at" in findings["dot"]["told"]
    assert findings["isolation"]["state"] == "optional"
    assert "apt install bubblewrap" in findings["isolation"]["told"]


def test_a_folder_that_cannot_be_written_is_lacking(folder: Path) -> None:
    status, findings = examined(folder, JUPYTER_RUNTIME_DIR="/proc/nowhere")
    assert status == 1
    assert findings["write access"]["state"] == "lacking"
    assert "JUPYTER_RUNTIME_DIR" in findings["write access"]["fix"]


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("session.py", "def f(:\n", "session.py, line 1"),
        ("context.py", None, "is not there"),
        (".coursekit.json", "{", "move it away"),
    ],
)
def test_a_practice_folder_with_a_fault_is_lacking(
    folder: Path, name: str, text: str | None, problem: str
) -> None:
    if text is None:
        (folder / name).unlink()
    else:
        (folder / name).write_text(text)
    _, requirement = doctor._practice_folder(folder)
    assert requirement.state == "lacking"
    assert problem in requirement.text
    assert not doctor.is_fit([requirement])


def test_where_there_is_no_practice_folder_that_is_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _, requirement = doctor._practice_folder(None)
    assert requirement.state == "optional"
    assert "coursekit practice" in requirement.text


def test_where_nothing_else_is_installed_it_still_reports_all(folder: Path) -> None:
    """Python without site-packages: each library is missing, and nothing crashes."""
    root = Path(__file__).parents[2]
    code = f"import sys; sys.path.insert(0, {str(root)!r}); from coursekit.cli import main; "
    code += "sys.exit(main(['doctor', '--json']))"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], cwd=folder, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (1, "")
    findings = {each["name"]: each for each in json.loads(done.stdout)["findings"]}
    assert list(findings) == NAMES
    for name in ("JupyterLab", "widgets", "libraries", "kernel"):
        assert findings[name]["state"] == "lacking"
        assert findings[name]["fix"].startswith("pip install ")


def test_a_package_that_is_absent_is_named_with_its_fix() -> None:
    requirement = doctor._packages("widgets", ("pytest", "nothing_of_this_name"))
    assert requirement.state == "lacking"
    assert requirement.text == "not installed: nothing_of_this_name"
    assert requirement.fix == "pip install nothing_of_this_name"
