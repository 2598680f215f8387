"""Whatever lies in a source: each file has one line, and no student disappears."""

import tempfile
import unicodedata
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from coursekit.check.coursekit_error import CoursekitError
from coursekit.course import COURSE
from coursekit.grading.intake.account import Account
from coursekit.grading.intake.account_table import account_text
from coursekit.grading.intake.collect import collect
from coursekit.grading.submission import find
from tests.grading.intake.class_maker import in_folder, tarred, zipped

PLAIN = st.text(
    st.characters(categories=["L", "N", "P", "S", "Zs"], exclude_characters="/\\\0:"), min_size=1
).filter(lambda name: name not in (".", ".."))
FILES = st.sampled_from(
    [
        "session.py",
        "context.py",
        ".coursekit.json",
        "session (1).py",
        "Session.py",
        "context-2.py",
        "labs.ipynb",
        "notes.txt",
        "._session.py",
        "byronada_LATE_101_5003_session-1.py",
        "byronada_101_5001_session.py",
        "Lab_byronada_attempt_2026-11-30-10-11-12_session.py",
        "Lab_byronada_attempt_2026-11-30-10-11-12.txt",
        "Ana_7_assignsubmission_file_session.py",
        "x.rar",
    ]
)
FOLDERS = st.sampled_from(
    [
        "Ana",
        "ana",
        "李雷",
        "submitted",
        "Ana_7_assignsubmission_file_",
        "Lima_Ana_alima_7",
        "lab-submissions",
        ".hidden",
    ]
)
# Cut short, for a file system takes 255 bytes.
NAMES = st.one_of(FILES, FOLDERS, PLAIN.map(lambda name: name[:40].strip() or "x"))
PATHS = st.lists(NAMES, min_size=1, max_size=4)
LAYOUT = st.sampled_from(
    ["auto", "folders", "moodle", "canvas", "blackboard", "classroom", "nbgrader", "ilias"]
)


@st.composite
def trees(draw: st.DrawFn) -> dict[str, bytes]:
    """Paths of files, none of which is a folder of another."""
    paths: dict[str, bytes] = {}
    for parts in draw(st.lists(PATHS, min_size=1, max_size=12)):
        path = "/".join(parts)
        heads = {"/".join(parts[:n]) for n in range(1, len(parts))}
        if heads & set(paths) or any(each.startswith(f"{path}/") for each in paths):
            continue
        paths[path] = draw(st.binary(max_size=8))
    return paths


def collected(source: Path, out: Path, layout: str) -> Account | None:
    """The account, or None where the layout finds no student."""
    try:
        return collect(COURSE, source, out, layout)
    except CoursekitError as problem:
        if "holds no submissions" in str(problem):
            return None
        raise


@given(trees(), LAYOUT)
def test_every_file_has_one_fate(files: dict[str, bytes], layout: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        source = in_folder(files, Path(place) / "class")
        account = collected(source, Path(place) / "out", layout)
        if account is None:
            return
        names = [path.relative_to(source).as_posix() for path in source.rglob("*")]
        there = [unicodedata.normalize("NFC", each) for each in names if (source / each).is_file()]
        assert sorted(each.path for each in account.files()) == sorted(there)
        counts = account.counts()
        assert sum(counts.values()) == len(there)
        written = [p for p in (Path(place) / "out").glob("*/*") if p.is_file()]
        assert len(written) == counts["taken"]
        found = [each.student for each in find(Path(place) / "out")]
        assert sorted(found) == sorted(each.folder for each in account.students)
        assert max(map(len, account_text(account).splitlines())) <= 80


@given(trees(), st.booleans())
def test_no_student_disappears(files: dict[str, bytes], as_zip: bool) -> None:
    """Each folder of a class in folders, and each archive, has a folder in the end."""
    files["Zoë/session.py"] = b"s"
    files["Yan.zip"] = zipped({"session.py": b"s"})
    files["Xu.tar"] = tarred({}, "")
    with tempfile.TemporaryDirectory() as place:
        if as_zip:
            source = Path(place) / "class.zip"
            source.write_bytes(zipped(files))
        else:
            source = in_folder(files, Path(place) / "class")
        account = collect(COURSE, source, Path(place) / "out", "folders")
        tops = {path.partition("/")[0] for path in files if "/" in path}
        students = {unicodedata.normalize("NFC", top).strip() for top in tops if top[0] != "."}
        assert {each.name for each in account.students} >= students | {"Yan", "Xu", "Zoë"}
        assert sum(account.counts().values()) == len(files)
