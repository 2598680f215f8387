"""Folders of runs: what dead runs left is swept, and nothing else is."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from coursekit.course import COURSE
from coursekit.grading.sandbox import cgroup, run_folder
from coursekit.grading.sandbox.limits import Limits
from coursekit.grading.sandbox.walls import Walls

bwrap = pytest.mark.bwrap


KEEPING = """
import sys, time
from coursekit.grading.sandbox import cgroup
from coursekit.grading.sandbox.limits import Limits
from coursekit.grading.sandbox.walls import Walls
with Walls("bwrap", Limits(), COURSE.observations) as walls:
    group = cgroup.create(1 << 30)
    print(walls.notebooks.parent, getattr(group, "_folder", ""), flush=True)
    time.sleep(600)
"""
"""A run that stays, and tells of its folder and of an empty memory cgroup, if there can be one."""


@bwrap
def test_what_a_killed_run_left_is_swept_by_the_next_and_no_living_run_is(raised: Walls) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", KEEPING], stdout=subprocess.PIPE, text=True
    ) as each:
        try:
            assert each.stdout is not None
            left = [Path(path) for path in each.stdout.readline().split()]
            run_folder.sweep()
            cgroup.sweep()
            assert all(path.exists() for path in left)
        finally:
            each.kill()
    assert all(path.exists() for path in left)
    with Walls("bwrap", Limits(), COURSE.observations) as other:
        assert not any(path.exists() for path in left)
        run_folder.sweep()
        assert other.notebooks.exists()
        assert raised.notebooks.exists()
    assert not other.notebooks.parent.exists()
    raised.kernel({}).kill()


def test_a_sweep_leaves_what_is_no_run_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_folder, "_PLACE", tmp_path)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "lock").touch()
    (tmp_path / "ck-link").symlink_to("elsewhere")
    (tmp_path / "ck-without-lock").mkdir()
    (tmp_path / "ck-file").touch()
    (tmp_path / "ck-dead").mkdir()
    (tmp_path / "ck-dead" / "lock").touch()
    kept = {"elsewhere", "ck-link", "ck-without-lock", "ck-file"}
    if os.geteuid() == 0:  # who can give a folder to another user
        (tmp_path / "ck-another-s").mkdir()
        (tmp_path / "ck-another-s" / "lock").touch()
        os.chown(tmp_path / "ck-another-s", 12_345, 12_345)
        kept.add("ck-another-s")
    run_folder.sweep()
    assert {path.name for path in tmp_path.iterdir()} == kept
    assert (tmp_path / "elsewhere" / "lock").exists()
