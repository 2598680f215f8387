"""Submissions that are broken, or no files at all."""

import os
import socket
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

from tests.grading.hostile.corpus import Build, add, grouping, right, unwritten, written
from tests.solutions.answers import right_file

SESSION, CONTEXT = right_file("session.py"), right_file("context.py")


def placed(
    session: Callable[[Path], object] | None, context: Callable[[Path], object] | None
) -> Build:
    """A folder in which each of the two files is put by a function; None leaves it out."""

    def build(place: Path) -> None:
        place.mkdir()
        for name, put in (("session.py", session), ("context.py", context)):
            if put is not None:
                put(place / name)

    return build


def holding(content: bytes) -> Callable[[Path], object]:
    """Puts a file with this content."""
    return lambda path: path.write_bytes(content)


def right_session(path: Path) -> None:
    path.write_text(SESSION, encoding="utf-8")


def right_context(path: Path) -> None:
    path.write_text(CONTEXT, encoding="utf-8")


def linked(path: Path) -> None:
    elsewhere = path.parent.parent / f".{path.parent.name}.{path.name}"
    elsewhere.write_text(SESSION if path.name == "session.py" else CONTEXT, encoding="utf-8")
    path.symlink_to(elsewhere)


def hard_linked(path: Path) -> None:
    elsewhere = path.parent.parent / f".{path.parent.name}.{path.name}"
    elsewhere.write_text(CONTEXT, encoding="utf-8")
    os.link(elsewhere, path)


def bound(path: Path) -> None:
    """A socket's file; its path may be longer than `bind` takes, so from inside its folder."""
    here = os.open(".", os.O_RDONLY)
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as each:
            each.bind(path.name)
    finally:
        os.chdir(here)
        os.close(here)


add("nothing in it", placed(None, None), "unreadable", 0)
add("no context", placed(right_session, None), "unreadable", 3)
add("no session", placed(None, right_context), "unreadable", 0)
add("links", placed(linked, linked), "unreadable", 0, quick=True)
add(
    "link to a host file",
    placed(right_session, lambda p: p.symlink_to("/etc/passwd")),
    "unreadable",
    3,
)
add("link to nothing", placed(right_session, lambda p: p.symlink_to("nowhere")), "unreadable", 3)
add("hard link", placed(right_session, hard_linked), "unreadable", 3)
add("FIFO", placed(right_session, lambda p: os.mkfifo(p)), "unreadable", 3, quick=True)
add("socket", placed(right_session, bound), "unreadable", 3)
add("folder for a file", placed(right_session, lambda p: p.mkdir()), "unreadable", 3)
add("too large", placed(right_session, holding(b"#" * 1_000_001)), "unreadable", 3)
if os.geteuid() == 0:
    add(
        "device",
        placed(right_session, lambda p: os.mknod(p, 0o666 | stat.S_IFCHR, os.makedev(1, 5))),
        "unreadable",
        3,
    )

add("empty files", placed(holding(b""), holding(b"")), "ok", 0)
add("cut off", placed(right_session, holding(CONTEXT.encode()[: len(CONTEXT) // 2 - 7])), "ok", 3)
add("not UTF-8", placed(right_session, holding(CONTEXT.encode() + b"\nx = 'caf\xe9'\n")), "ok", 3)
add("NULs", placed(right_session, holding(b"\0" * 1000)), "ok", 3, quick=True)
add("NULs at the end", placed(right_session, holding(CONTEXT.encode() + b"\0")), "ok", 3)
add("byte order mark", placed(right_session, holding(b"\xef\xbb\xbf" + CONTEXT.encode())), "ok", 14)
add(
    "CRLF",
    placed(right_session, holding(CONTEXT.replace("\n", "\r\n").encode())),
    "ok",
    14,
)
add(
    "deeply nested",
    placed(right_session, holding(CONTEXT.encode() + b"\nx = " + b"(" * 50_000 + b")" * 50_000)),
    "ok",
    3,
)
add(
    "deep sums",
    placed(right_session, holding(CONTEXT.encode() + b"\nx = " + b"-" * 400_000 + b"1\n")),
    "memory",
    3,
)
add("syntax error", right(context="\n\ndef broken(:\n"), "ok", 3, quick=True)
add("syntax error in session", right(session="\n\nfor\n"), "ok", 0)
add("deleted function", right(context="\n\ndel create_compaction_entry\n"), "ok", 11)
add("import of what is not there", right(context="\n\nimport numpy\n"), "ok", 3)
add(
    "wrong signature",
    right(context="\n\ndef create_compaction_entry(path):\n    return None\n"),
    "ok",
    11,
)
add("not started", unwritten(), "ok", 0, quick=True)
add(
    "html, script and formulas in messages",
    right(
        context=grouping(
            """
print("<script>alert(1)</script> =1+1 \\x1b[2J \\ud800 \\u202e")
raise ValueError('=cmd|\\'/C calc\\'!A0 <script>alert(1)</script> \\x1b[31m \\x07 \\udfff "\\'&')
"""
        )
    ),
    "ok",
    3,
    quick=True,
)
add(
    "only a stub of one lab",
    written(SESSION, CONTEXT + grouping("raise LabNotDone('Lab 11.2')")),
    "ok",
    3,
)


# --- zips -------------------------------------------------------------------------


def zipped(fill: Callable[[zipfile.ZipFile], object]) -> Build:
    """A zip that a function fills."""

    def build(place: Path) -> None:
        with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
            fill(archive)

    return build


def nested(archive: zipfile.ZipFile) -> None:
    archive.writestr("__MACOSX/._session.py", "x")
    archive.writestr("hand in/李 雷/session.py", SESSION)
    archive.writestr("hand in/李 雷/context.py", CONTEXT)
    archive.writestr(
        "hand in/李 雷/.coursekit.json", '{"predictions": {"leaf-back": 1, "old-field": "a"}}'
    )


def slipping(archive: zipfile.ZipFile) -> None:
    archive.writestr("../../session.py", "raise SystemExit")
    archive.writestr("/tmp/context.py", "raise SystemExit")
    archive.writestr("../../../etc/cron.d/x", "x")


def bomb(archive: zipfile.ZipFile) -> None:
    archive.writestr("session.py", b"#" * 90_000_000)
    archive.writestr("context.py", CONTEXT)


def many(archive: zipfile.ZipFile) -> None:
    for number in range(10_001):
        archive.writestr(f"{number}", "")


def with_link(archive: zipfile.ZipFile) -> None:
    link = zipfile.ZipInfo("session.py")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    archive.writestr(link, "/etc/passwd")
    archive.writestr("context.py", CONTEXT)


def twice(archive: zipfile.ZipFile) -> None:
    archive.writestr("session.py", SESSION)
    archive.writestr("CONTEXT.py", CONTEXT)
    archive.writestr("context.py", CONTEXT)
    archive.writestr("./context.py", "raise SystemExit")


def cut(place: Path) -> None:
    zipped(nested)(place)
    place.write_bytes(place.read_bytes()[:-200])


def lying(place: Path) -> None:
    """A size in the directory that is smaller than what is packed."""
    zipped(bomb)(place)
    content = place.read_bytes()
    place.write_bytes(
        content.replace((90_000_000).to_bytes(4, "little"), (9).to_bytes(4, "little"))
    )


def no_zip(place: Path) -> None:
    place.write_bytes(b"session = 1")


add("zip nested, spaces and Chinese", zipped(nested), "ok", 14, quick=True)
add("zip slip", zipped(slipping), "unreadable", 0, quick=True)
add("zip bomb", zipped(bomb), "unreadable", 0)
add("zip that lies about sizes", lying, "unreadable", 0)
add("zip of many files", zipped(many), "unreadable", 0)
add("zip with a link", zipped(with_link), "unreadable", 0)
add("zip with a file twice", zipped(twice), "unreadable", 3)
add("zip cut off", cut, "unreadable", 0)
add("zip that is none", no_zip, "unreadable", 0)
