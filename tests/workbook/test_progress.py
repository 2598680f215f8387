"""The progress file: it survives a newer release, a crash, and says when it is damaged."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coursekit.check.coursekit_error import CoursekitError
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
def test_a_damaged_file_is_named_and_left_alone(tmp_path: Path, text: str) -> None:
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

    monkeypatch.setattr("coursekit.workbook.file_writing.os.replace", refuse)
    with pytest.raises(OSError, match="no space left"):
        progress.save()
    assert [path.name for path in tmp_path.iterdir()] == [FILE]
    assert (tmp_path / FILE).read_bytes() == old
