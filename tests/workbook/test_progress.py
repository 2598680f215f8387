"""The progress file: it survives a newer release, a crash, and says when it is damaged."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coursekit.check.errors import CoursekitError
from coursekit.course import COURSE
from coursekit.workbook import answer_files, hints, status
from coursekit.workbook.progress import FILE, FORMAT, Progress


def test_what_was_noted_is_there_after_reopening(tmp_path: Path) -> None:
    progress = Progress(tmp_path)
    progress.mark_hints("11.2", 2)
    progress.mark_revealed("11.3")
    progress.mark_prediction("groups", ["u1", None, 3])
    progress.mark_checks({"11.1/1": True, "11.1/2": False}, "f00")
    progress.save()

    again = Progress(tmp_path)
    assert again.hints("11.2") == 2
    assert again.hints("11.1") == 0
    assert again.revealed == ["11.3"]
    assert again.predictions == {"groups": ["u1", None, 3]}
    assert (again.passed("11.1/1"), again.passed("11.1/2")) == (True, False)
    assert again.passed("11.1/3") is None
    assert again.answers("11.1/1") == "f00"
    assert json.loads((tmp_path / FILE).read_bytes())["format"] == FORMAT


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(
    newer=st.dictionaries(st.text(min_size=1).map(lambda key: f"new {key}"), json_values),
    version=st.integers(min_value=2),
)
def test_what_a_newer_release_wrote_is_kept(
    tmp_path_factory: pytest.TempPathFactory, newer: dict[str, object], version: int
) -> None:
    folder = tmp_path_factory.mktemp("newer")
    record = {**newer, "format": version, "hints": {"11.1": 1, "12.9": 3}}
    (folder / FILE).write_text(json.dumps(record))
    progress = Progress(folder)
    progress.mark_hints("11.1", 2)
    progress.save()
    kept = json.loads((folder / FILE).read_bytes())
    assert kept == {**record, "hints": {"11.1": 2, "12.9": 3}}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"revealed": {}}',
        '{"hints": {"11.1": "two"}}',
        '{"checks": {"11.1/1": true}}',
        b"\xff\xfe".decode("latin-1"),
    ],
)
def test_a_damaged_file_is_told_and_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / FILE
    path.write_text(text, encoding="latin-1")
    with pytest.raises(CoursekitError, match="move it away"):
        Progress(tmp_path)
    assert path.read_text(encoding="latin-1") == text


def test_a_failed_write_leaves_the_old_file_and_no_litter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    progress = Progress(tmp_path)
    progress.save()
    old = (tmp_path / FILE).read_bytes()
    progress.mark_hints("11.1", 1)

    def refuse(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(files.os, "replace", refuse)
    with pytest.raises(OSError, match="no space left"):
        progress.save()
    assert [path.name for path in tmp_path.iterdir()] == [FILE]
    assert (tmp_path / FILE).read_bytes() == old


def test_an_overwritten_file_keeps_its_permissions_and_its_link(tmp_path: Path) -> None:
    real = tmp_path / "real.py"
    real.write_bytes(b"old")
    real.chmod(0o640)
    link = tmp_path / "link.py"
    link.symlink_to(real)
    files.write_atomically(link, b"new")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"
    assert real.stat().st_mode & 0o777 == 0o640


def test_backups_never_replace_each_other(tmp_path: Path) -> None:
    path = tmp_path / "context.py"
    names = []
    for text in (b"one", b"two"):
        path.write_bytes(text)
        backup = files.keep_backup(path)
        assert backup.read_bytes() == text
        names.append(backup.name)
    assert names == ["context.py.1.bak", "context.py.2.bak"]


def test_status_counts_and_says_what_is_next(folder: Path) -> None:
    fresh = status.status_json(folder)
    assert (fresh["passed"], fresh["total"], fresh["next"]) == (0, 14, "11.1")
    now = answer_files.fingerprint(folder, ["session.py"])
    progress = Progress(folder)
    progress.mark_checks({check.name: True for check in COURSE.labs[0].checks}, now)
    progress.mark_checks({"11.3/2": True}, "an older one")
    progress.mark_hints("11.3", 3)
    progress.mark_revealed("11.3")
    progress.save()
    (folder / "context.py").write_text("# another one\n", encoding="utf-8")
    told = status.status_json(folder)
    assert (told["passed"], told["next"]) == (4, "11.2")
    assert told["labs"]["11.1"]["changed"] is False
    assert told["labs"]["11.3"]["changed"] is True
    text = status.status_text(folder)
    assert "4/14" in text
    assert "1/3\n        revealed, 3 hints *\n" in text
    assert "3/3\n" in text
    assert text.count("* its file changed after this check") == 1
    assert "Next: lab 11.2" in text
    assert all(len(line) <= 80 for line in text.splitlines()[1:])


def test_status_fits_a_terminal_whatever_there_is_to_say(folder: Path) -> None:
    for lab in COURSE.exercises:
        answer_files.reveal(COURSE, folder, lab)
        hints.next_hint(folder, lab)
    progress = Progress(folder)
    names = [check.name for lab in COURSE.labs for check in lab.checks]
    progress.mark_checks(dict.fromkeys(names, True), "an older one")
    progress.save()
    lines = status.status_text(folder).splitlines()[1:]
    assert max(map(len, lines)) <= 80
    assert sum("revealed, 1 hint *" in line for line in lines) == 5


def test_status_when_all_is_done_points_to_the_transfer_exercise(folder: Path) -> None:
    progress = Progress(folder)
    for lab in COURSE.labs:
        progress.mark_checks({check.name: True for check in lab.checks}, "x")
    progress.save()
    assert status.status_json(folder)["next"] is None
    assert "transfer_ledger.ipynb" in status.status_text(folder)


def test_status_tells_of_the_transfer_exercise_once_it_was_begun(folder: Path) -> None:
    assert "ledger" not in status.status_text(folder)
    hints.next_hint(folder, COURSE.transfer)
    assert "  ledger: 1 hint" in status.status_text(folder).splitlines()
    answer_files.reveal(COURSE, folder, COURSE.transfer)
    assert "  ledger: revealed, 1 hint" in status.status_text(folder).splitlines()
    told = status.status_json(folder)["transfer"]
    assert told == {"id": "ledger", "revealed": True, "hints": 1}
