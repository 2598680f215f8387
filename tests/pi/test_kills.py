"""Two hundred kills while appending: what was committed stays, and nothing else is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from coursekit.pi import SessionManager
from coursekit.session import JsonlSessionStore, MessageSessionEntry, TextContent, UserMessage
from tests.pi.kills import Store, prove

# Large texts among small ones, so that kills fall into the middle of a write.
_PI_WRITER = """
import os, random, sys
from coursekit.pi import SessionManager

manager = SessionManager.open(sys.argv[1])
draw = random.Random(os.getpid())
texts = ["x" * size for size in (10, 1_000, 100_000, 8_000_000)]
os.write(1, b"ready\\n")
while True:
    message = {"role": "user", "content": draw.choice(texts), "timestamp": 0}
    os.write(1, manager.append_message(message).encode() + b"\\n")
"""

_COURSE_WRITER = """
import os, random, sys
from coursekit.session import JsonlSessionStore, MessageSessionEntry, TextContent, UserMessage

store = JsonlSessionStore.open(sys.argv[1])
draw = random.Random(os.getpid())
texts = ["x" * size for size in (10, 1_000, 100_000, 8_000_000)]
entries = store.entries()
number, parent = len(entries), entries[-1].id if entries else None
os.write(1, b"ready\\n")
while True:
    message = UserMessage(content=[TextContent(text=draw.choice(texts))], timestamp=0)
    entry = MessageSessionEntry(id=f"e{number}", parent_id=parent, timestamp=0, message=message)
    store.append(entry)
    os.write(1, entry.id.encode() + b"\\n")
    number, parent = number + 1, entry.id
"""


def _pi_append(path: Path) -> str:
    manager = SessionManager.open(path)
    return manager.append_message({"role": "user", "content": "next", "timestamp": 0})


def _course_append(path: Path) -> str:
    if JsonlSessionStore.open(path).warnings:
        # The repair that its rules ask of the caller: cut off what was never committed.
        data = path.read_bytes()
        path.write_bytes(data[: data.rfind(b"\n") + 1])
    store = JsonlSessionStore.open(path)
    entries = store.entries()
    store.append(
        MessageSessionEntry(
            id=f"e{len(entries)}",
            parent_id=entries[-1].id if entries else None,
            timestamp=0,
            message=UserMessage(content=[TextContent(text="next")], timestamp=0),
        )
    )
    return f"e{len(entries)}"


PI = Store(
    writer=_PI_WRITER,
    read=lambda path: [entry.id for entry in SessionManager.open(path).get_entries()],
    append=_pi_append,
    tail_counts=True,
)

COURSE = Store(
    writer=_COURSE_WRITER,
    read=lambda path: [entry.id for entry in JsonlSessionStore.open(path).entries()],
    append=_course_append,
    tail_counts=False,
)


@pytest.mark.parametrize("store", [PI, COURSE], ids=["pi", "course"])
@pytest.mark.parametrize(
    "kills", [pytest.param(5, id="5"), pytest.param(200, id="200", marks=pytest.mark.gate)]
)
def test_a_killed_writer_loses_nothing_that_it_appended(
    store: Store, kills: int, tmp_path: Path
) -> None:
    tally = prove(store, tmp_path, kills, until_torn=kills >= 200)
    assert tally.kills >= kills
    assert tally.appends > 0
    if kills >= 200:
        assert tally.torn > 0, "no kill fell into a write, so this proved little"
