"""coursekit.pi beside real Pi 1.6.0: the same sessions, the same answers."""

from __future__ import annotations

import json
import os
import random
import re
from pathlib import Path
from typing import Any

import pytest

from coursekit.pi import PiSessionError, SessionManager
from coursekit.pi.files.paths import default_session_dir
from coursekit.pi.javascript import date_ms, stringify, utf16_length
from tests.pi.describe import as_javascript, describe
from tests.pi.generate import SessionMaker
from tests.pi.oracle import Oracle
from tests.pi.steps import draw_steps, take

pytestmark = pytest.mark.node

SHORT = range(200)
LONG = range(200, 2_200)

seeds = pytest.mark.parametrize(
    "seeds",
    [pytest.param(SHORT, id="200"), pytest.param(LONG, id="2000", marks=pytest.mark.gate)],
)


@seeds
def test_random_files_read_the_same(oracle: Oracle, tmp_path: Path, seeds: range) -> None:
    path = tmp_path / "session.jsonl"
    for seed in seeds:
        maker = SessionMaker(seed)
        path.write_bytes(maker.text().encode("utf-8"))
        ours = SessionManager.open(path)
        read = [ours.get_header().to_json(), *(entry.to_json() for entry in ours.get_entries())]
        assert read == maker.lines, f"seed {seed}"
        theirs = oracle.ask("look", path=str(path))
        assert as_javascript(describe(ours)) == as_javascript(theirs), f"seed {seed}"


@seeds
def test_random_steps_lead_to_the_same_session(
    oracle: Oracle, tmp_path: Path, seeds: range
) -> None:
    for seed in seeds:
        steps = draw_steps(seed)
        on_disk = seed % 2 == 0
        ours_dir, theirs_dir = tmp_path / f"ours{seed}", tmp_path / f"theirs{seed}"
        if on_disk:
            manager = SessionManager.create("/w", ours_dir)
        else:
            manager = SessionManager.in_memory("/w")
        outcomes = [take(manager, step) for step in steps]
        reply = oracle.ask(
            "run", cwd="/w", steps=steps, **({"dir": str(theirs_dir)} if on_disk else {})
        )
        assert outcomes == reply.pop("outcomes"), f"seed {seed}"
        their_file = reply.pop("file")
        assert _anonymous(describe(manager)) == _anonymous(reply), f"seed {seed}"
        if on_disk:
            ours, theirs = _sessions(ours_dir), _sessions(theirs_dir)
            assert len(ours) == len(theirs), f"seed {seed}"
            file = manager.get_session_file()
            assert file is not None
            assert os.path.exists(file) == os.path.exists(their_file), f"seed {seed}"
            # What coursekit.pi wrote, Pi opens and projects the same, and the other way round.
            for path in [*ours, *theirs]:
                seen = as_javascript(oracle.ask("look", path=str(path)))
                assert as_javascript(describe(SessionManager.open(path))) == seen, f"seed {seed}"


@seeds
def test_branched_and_forked_files_are_the_same(
    oracle: Oracle, tmp_path: Path, seeds: range
) -> None:
    path = tmp_path / "session.jsonl"
    for seed in seeds:
        maker = SessionMaker(seed)
        path.write_bytes(maker.text().encode("utf-8"))
        leaf = random.Random(seed).choice(maker.ids)
        ours_dir, theirs_dir = tmp_path / f"ours{seed}", tmp_path / f"theirs{seed}"
        manager = SessionManager.open(path, ours_dir)
        our_file = manager.create_branched_session(leaf)
        reply = oracle.ask("branched", path=str(path), leaf=leaf, dir=str(theirs_dir))
        their_file = reply.pop("file")
        assert our_file is not None
        assert _anonymous(describe(manager)) == _anonymous(reply), f"seed {seed}"
        assert os.path.exists(our_file) == os.path.exists(their_file), f"seed {seed}"
        if os.path.exists(our_file):
            again = as_javascript(oracle.ask("look", path=our_file))
            assert as_javascript(describe(SessionManager.open(our_file))) == again, f"seed {seed}"

        fork = SessionManager.fork_from(path, "/elsewhere", ours_dir)
        reply = oracle.ask("forked", path=str(path), cwd="/elsewhere", dir=str(theirs_dir))
        del reply["file"]
        assert _anonymous(describe(fork)) == _anonymous(reply), f"seed {seed}"
        assert as_javascript(describe(fork)) == as_javascript(
            oracle.ask("look", path=fork.get_session_file())
        ), f"seed {seed}"


@pytest.mark.parametrize("version", [1, 2])
def test_old_versions_migrate_the_same(oracle: Oracle, tmp_path: Path, version: int) -> None:
    for seed in SHORT:
        maker = SessionMaker(seed)
        lines = _as_old(maker, version, random.Random(seed))
        text = "".join(json.dumps(line) + "\n" for line in lines)
        ours_path, theirs_path = tmp_path / "ours.jsonl", tmp_path / "theirs.jsonl"
        ours_path.write_text(text)
        theirs_path.write_text(text)
        ours = SessionManager.open(ours_path)
        theirs = oracle.ask("look", path=str(theirs_path))
        assert _anonymous(describe(ours)) == _anonymous(theirs), f"seed {seed}"
        # Named difference: Pi rewrites the file when it opens it; coursekit.pi when asked to.
        assert ours_path.read_text() == text
        assert theirs_path.read_text() != text
        if seed % 10:
            continue  # the rewrite waits for the disk
        ours.migrate_file()
        assert as_javascript(describe(SessionManager.open(ours_path))) == as_javascript(
            oracle.ask("look", path=str(ours_path))
        )


def test_entries_without_a_file_read_the_same(oracle: Oracle) -> None:
    for seed in SHORT:
        maker = SessionMaker(seed)
        for lines in (maker.lines, maker.lines[1:]):
            ours = describe(SessionManager.in_memory("/w", entries=lines))
            theirs = oracle.ask("parse", lines=lines)
            assert _anonymous(ours) == _anonymous(theirs), f"seed {seed}"


def test_lists_of_sessions_are_the_same(oracle: Oracle, tmp_path: Path) -> None:
    for seed in SHORT:
        maker = SessionMaker(seed)
        maker.lines[0]["cwd"] = random.Random(seed).choice(["/w", "/w/../w", "/other", ""])
        path = tmp_path / f"{seed:03}.jsonl"
        # Named difference: Pi's list breaks a line at U+2028 and passes over both halves.
        path.write_bytes(maker.text().replace("\u2028", "\\u2028").encode("utf-8"))
        os.utime(path, (seed, seed))
    (tmp_path / "no-session.jsonl").write_text('{"type":"message"}\n')
    (tmp_path / "empty.jsonl").write_text("")
    theirs = oracle.ask("list", cwd="/w", dir=str(tmp_path))
    # Named difference: one message whose content is null hides a whole session from Pi's list.
    ours = [
        info
        for info in SessionManager.list("/w", tmp_path)
        if not any(
            entry.role in ("user", "assistant") and entry.message.get("content", "") is None
            for entry in SessionManager.open(info.path).get_entries()
        )
    ]
    assert [info.path for info in ours] == [info["path"] for info in theirs["sessions"]]
    for mine, other in zip(ours, theirs["sessions"], strict=True):
        assert mine.problem is None
        assert (mine.id, mine.cwd, mine.name) == (other["id"], other["cwd"], other.get("name"))
        assert mine.message_count == other["messageCount"]
        assert mine.first_message == other["firstMessage"]
        assert mine.all_messages_text == other["allMessagesText"]
        assert mine.modified.timestamp() * 1000 == date_ms(other["modified"])
    recent = SessionManager.continue_recent("/w", tmp_path)
    assert recent.get_session_file() == theirs["recent"]


def test_dates_are_read_the_same(oracle: Oracle) -> None:
    draw = random.Random(1)
    values: list[Any] = [0, 1.9, -1.9, True, None, "", "no time", 8.64e15, 8.64e15 + 2, "2026"]
    for _ in range(3_000):
        date = f"{draw.choice([0, 1969, 1970, 2000, 2026, 9999]):04}"
        if draw.random() < 0.2:
            date = draw.choice(["+", "-"]) + f"{draw.choice([1, 2026, 275760]):06}"
        # With no month or day of its calendar a text is no ISO date, and V8 guesses.
        date += draw.choice(["", f"-{draw.randrange(1, 13):02}"])
        date += draw.choice(["", f"-{draw.randrange(1, 32):02}"]) if date[1:].count("-") else ""
        if draw.random() < 0.8:
            date += f"T{draw.randrange(26):02}:{draw.choice([0, 59, 60]):02}"
            date += draw.choice(["", ":00", ":59", ":60", ":07.5", ":07.123456"])
            date += draw.choice(["", "Z", "+01:30", "-23:59", "+24:00", "+10:60"])
        values.append(date)
    assert [date_ms(value) for value in values] == oracle.ask("dates", values=values)


def test_texts_have_the_same_length(oracle: Oracle) -> None:
    draw = random.Random(2)
    values: list[Any] = [
        draw.choice([1, -1]) * draw.random() * 10 ** draw.randrange(-30, 30) for _ in range(3_000)
    ]
    values += [10.0**power for power in range(-12, 25)] + [10**power for power in range(25)]
    for seed in SHORT:
        values += SessionMaker(seed).lines
    replies = oracle.ask("texts", values=values)
    for value, reply in zip(values, replies, strict=True):
        ours = stringify(value)
        assert utf16_length(ours) == reply["length"]
        assert sorted(ours) == sorted(reply["text"])  # JavaScript moves keys like "10" forward
        if not isinstance(value, dict):
            assert ours == reply["text"]


def test_folders_have_the_same_names(oracle: Oracle, monkeypatch: pytest.MonkeyPatch) -> None:
    # Pi makes the folder when asked for its name, in the home of the oracle's process.
    cwds = ["/w", "/", "/a/b c/日", "/a:b\\c", "/a//b/../c/", "~/x"]
    theirs = oracle.ask("folders", cwds=cwds)
    monkeypatch.setenv("HOME", str(oracle.home))
    monkeypatch.delenv("PI_CODING_AGENT_DIR", raising=False)
    assert [default_session_dir(cwd) for cwd in cwds] == theirs


def _sessions(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.jsonl"))


def _anonymous(described: Any) -> Any:
    """The description with drawn ids replaced by positions, and drawn times left out."""
    value = as_javascript(described)
    header = value["header"]
    for key in ("id", "timestamp", "parentSession"):
        header[key] = key in header
    ids = {entry["id"]: f"#{index}" for index, entry in enumerate(value["entries"])}
    now = {
        number
        for entry in value["entries"]
        for number in (date_ms(entry.get("timestamp")), entry.get("timestamp"))
        if number is not None
    }

    def replace(item: Any) -> Any:
        if isinstance(item, dict):
            return {
                key: (None if key in ("timestamp",) else replace(child))
                for key, child in item.items()
            }
        if isinstance(item, list):
            return [replace(child) for child in item]
        if isinstance(item, str) and item in ids:
            return ids[item]
        if isinstance(item, str) and re.fullmatch("[0-9a-f]{8}", item):
            return "#gone"  # an entry that stayed behind in another file
        return None if isinstance(item, str) and item in now else item

    return replace(value)


def _as_old(maker: SessionMaker, version: int, draw: random.Random) -> list[dict[str, Any]]:
    """The session's lines as an old version wrote them."""
    header, *entries = (json.loads(json.dumps(line)) for line in maker.lines)
    header["version"] = version
    if version == 1 and draw.random() < 0.5:
        del header["version"]
    for position, entry in enumerate(entries, start=1):
        if entry["type"] == "message" and entry["message"].get("role") == "custom":
            entry["message"]["role"] = "hookMessage"
        if version == 1:
            del entry["id"], entry["parentId"]
            if entry["type"] == "compaction":
                del entry["firstKeptEntryId"]
                entry["firstKeptEntryIndex"] = draw.choice(
                    [0, draw.randrange(1, position + 1), position + 1, 99, 1.5, -1, "2"]
                )
    return [header, *entries]


def test_named_difference_a_first_kept_entry_off_the_path_is_refused(oracle: Oracle) -> None:
    message = {"role": "user", "content": "q", "timestamp": 0}
    steps = [["appendMessage", message], ["appendCompaction", "S", "elsewhere", 10, None]]
    assert oracle.ask("run", cwd="/w", steps=steps)["outcomes"] == ["ok", "ok"]
    manager = SessionManager.in_memory("/w")
    manager.append_message(message)
    with pytest.raises(PiSessionError, match="elsewhere"):
        manager.append_compaction("S", "elsewhere", 10)


@pytest.mark.parametrize("role", ["compactionSummary", "branchSummary"])
def test_named_difference_a_summary_is_no_message(oracle: Oracle, role: str) -> None:
    message = {"role": role, "summary": "S", "timestamp": 0}
    # Pi's types forbid it and Pi's code doesn't look.
    assert oracle.ask("run", cwd="/w", steps=[["appendMessage", message]])["outcomes"] == ["ok"]
    manager = SessionManager.in_memory("/w")
    with pytest.raises(PiSessionError, match="an entry of its own"):
        manager.append_message(message)
    assert manager.get_entries() == []


def test_named_difference_a_fork_of_an_old_version_is_migrated(
    oracle: Oracle, tmp_path: Path
) -> None:
    path = tmp_path / "old.jsonl"
    lines = [
        {"type": "session", "id": "s", "timestamp": "2025-01-01T00:00:00Z", "cwd": "/w"},
        {"type": "message", "timestamp": "t", "message": {"role": "user", "content": "q"}},
        {"type": "message", "timestamp": "t", "message": {"role": "user", "content": "r"}},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    # Pi writes version 3 above entries that have no ids, so only one is found again.
    theirs = oracle.ask("forked", path=str(path), cwd="/v", dir=str(tmp_path / "theirs"))
    assert theirs["count"] == 1
    ours = SessionManager.fork_from(path, "/v", tmp_path / "ours")
    assert ours.get_entry_count() == len(ours.get_branch()) == 2


def test_named_difference_a_message_that_is_no_message_is_an_error(oracle: Oracle) -> None:
    lines = [{"type": "message", "id": "a", "parentId": None, "message": "text"}]
    assert oracle.ask("parse", lines=lines)["messages"] == ["text"]
    with pytest.raises(PiSessionError, match="message entry a holds no message object"):
        SessionManager.in_memory(entries=lines)


_REAL_SESSIONS = Path(__file__).resolve().parents[3] / "shared" / "pi-sessions"

if _REAL_SESSIONS.exists():  # They lie beside a checkout, not in it.

    @pytest.mark.parametrize("source", sorted(_REAL_SESSIONS.glob("*.jsonl")), ids=lambda p: p.stem)
    def test_real_sessions_read_the_same(oracle: Oracle, tmp_path: Path, source: Path) -> None:
        path = tmp_path / source.name
        path.write_bytes(source.read_bytes())
        ours = SessionManager.open(path)
        assert path.read_bytes() == source.read_bytes()
        assert _anonymous(describe(ours)) == _anonymous(oracle.ask("look", path=str(path)))
