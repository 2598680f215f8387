"""The command line that starts JupyterLab."""

from pathlib import Path

from coursekit.course import COURSE
from coursekit.workbook.jupyter import lab_command


def test_jupyterlab_opens_the_first_notebook_of_the_folder(folder: Path) -> None:
    command = lab_command(folder, port=9000, ip="0.0.0.0", browser=False)
    assert f"--ServerApp.root_dir={folder}" in command
    assert f"--LabApp.default_url=/lab/tree/{COURSE.first_notebook}" in command
    assert {"--ServerApp.port=9000", "--ServerApp.ip=0.0.0.0", "--no-browser"} <= {*command}
    (folder / COURSE.first_notebook).unlink()
    command = lab_command(folder, port=None, ip=None, browser=True)
    assert not [word for word in command if "url" in word or "port" in word or "browser" in word]
