"""The store in a file: what is committed, what is not, and whose bytes they are.

One file over 300 lines: one class is under test, and every part looks at the same bytes.
"""

import copy
import json
import math
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from coursekit.session import (
    InMemorySessionStore,
    JsonlSessionStore,
    MetadataSessionEntry,
    SessionEntryError,
    SessionStoreError,
    parse_session_entry,
)
from coursekit.transcripts import Json
from tests.builders import (
    assistant,
    chain,
    compaction,
    metadata,
    opening,
    parsed,
    summary,
    user,
)
from tests.independence import wreck
from tests.strategies import SEPARATORS, sessions


def line(entry: Json) -> bytes:
    return json.dumps(entry).encode() + b"\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "session.jsonl"


def filled(file: Path, *entries: Json) -> bytes:
    file.write_bytes(b"".join(line(entry) for entry in chain(*entries)))
    return file.read_bytes()


def refused(file: Path) -> SessionStoreError:
    """Opening is refused, the error names the file, and the file stays as it was."""
    before = file.read_bytes()
    with pytest.raises(SessionStoreError) as caught:
        JsonlSessionStore.open(file)
    assert str(file) in str(caught.value)
    assert file.read_bytes() == before
    return caught.value


class TestReadingBack:
    def test_a_missing_file_opens_empty_and_is_made_by_the_first_append(self, file: Path) -> None:
        store = JsonlSessionStore.open(str(file))
        assert (store.entries(), store.warnings) == ([], [])
        assert not file.exists()
        store.append(*parsed(user("u1")))
        assert JsonlSessionStore.open(file).entries() == parsed(user("u1"))

    def test_an_empty_file_opens_empty(self, file: Path) -> None:
        file.touch()
        store = JsonlSessionStore.open(file)
        store.append(*parsed(user("u1")))
        assert len(JsonlSessionStore.open(file).entries()) == 1

    @given(sessions())
    def test_any_session_comes_back_the_same_and_as_from_memory(
        self, file: Path, session: list[Json]
    ) -> None:
        file.unlink(missing_ok=True)
        store, memory = JsonlSessionStore.open(file), InMemorySessionStore()
        for entry in session:
            store.append(parse_session_entry(entry))
            memory.append(parse_session_entry(entry))
        again = JsonlSessionStore.open(file)
        assert again.warnings == []
        assert again.entries() == store.entries() == memory.entries()
        written = file.read_bytes() if session else b""
        assert written.count(b"\n") == len(session)
        assert [json.loads(each) for each in written.split(b"\n")[:-1]] == session

    @given(sessions(max_interactions=2))
    def test_nothing_that_goes_in_or_out_reaches_into_it(
        self, file: Path, session: list[Json]
    ) -> None:
        file.unlink(missing_ok=True)
        store = JsonlSessionStore.open(file)
        kept = [parse_session_entry(entry) for entry in session]
        for entry in copy.deepcopy(kept):
            store.append(entry)
            wreck(entry)
        assert store.entries() == kept
        wreck(store.entries())
        assert store.entries() == kept

    def test_an_append_only_adds_bytes(self, file: Path) -> None:
        before = filled(file, *opening())
        store = JsonlSessionStore.open(file)
        store.append(parse_session_entry(user("u4") | {"parentId": "a3"}))
        after = file.read_bytes()
        assert after.startswith(before)
        assert json.loads(after[len(before) :])["id"] == "u4"

    def test_opening_and_reading_change_no_byte_and_no_time(self, file: Path) -> None:
        before = filled(file, *opening()), file.stat().st_mtime_ns
        JsonlSessionStore.open(file).entries()
        assert (file.read_bytes(), file.stat().st_mtime_ns) == before


class TestText:
    def test_separators_of_other_worlds_end_no_line(self, file: Path) -> None:
        words = f"a{SEPARATORS}b"
        JsonlSessionStore.open(file).append(*parsed(user("u1", words)))
        assert JsonlSessionStore.open(file).entries() == parsed(user("u1", words))
        assert file.read_bytes().count(b"\n") == 1

    def test_they_may_stand_raw_in_a_file_of_another_program(self, file: Path) -> None:
        line = json.dumps(user("u1", "a\u2028b\u0085c"), ensure_ascii=False)
        assert "\u2028" in line
        file.write_bytes(line.encode() + b"\n")
        assert JsonlSessionStore.open(file).entries() == parsed(user("u1", "a\u2028b\u0085c"))

    @pytest.mark.parametrize("half", ["\ud83d", "a\udc80b", "\ude00\ud83d c"])
    def test_half_a_surrogate_pair_comes_back(self, file: Path, half: str) -> None:
        store = JsonlSessionStore.open(file)
        store.append(*parsed(metadata("m1", {half: half})))
        assert JsonlSessionStore.open(file).entries() == store.entries()
        file.read_bytes().decode("utf-8", "strict")

    def test_two_halves_side_by_side_would_come_back_as_one_and_are_refused(
        self, file: Path
    ) -> None:
        store = JsonlSessionStore.open(file)
        with pytest.raises(SessionStoreError, match=r"'u1'.*surrogate"):
            store.append(*parsed(user("u1", "\ud83d" + "\ude00")))
        assert not file.exists()
        store.append(*parsed(user("u1", "\U0001f600")))
        assert JsonlSessionStore.open(file).entries() == parsed(user("u1", "\U0001f600"))

    def test_chinese_is_written_as_itself(self, file: Path) -> None:
        JsonlSessionStore.open(file).append(*parsed(user("u1", "检查会话")))
        assert "检查会话" in file.read_text(encoding="utf-8")


class TestAppendRefused:
    """Whatever the reason: an error with the id, and no byte in the file has changed."""

    def test_an_id_that_is_there(self, file: Path) -> None:
        before = filled(file, user("u1"))
        store = JsonlSessionStore.open(file)
        with pytest.raises(SessionStoreError, match="u1") as caught:
            store.append(*parsed(metadata("u1")))
        assert caught.value.ids == ("u1",)
        assert file.read_bytes() == before

    def test_an_id_appended_by_this_store(self, file: Path) -> None:
        store = JsonlSessionStore.open(file)
        store.append(*parsed(user("u1")))
        with pytest.raises(SessionStoreError, match="u1"):
            store.append(*parsed(user("u1")))
        assert file.read_bytes().count(b"\n") == 1

    def test_a_number_that_is_none(self, file: Path) -> None:
        before = filled(file, user("u1"))
        store = JsonlSessionStore.open(file)
        with pytest.raises(SessionEntryError, match=r"m1\.value"):
            store.append(MetadataSessionEntry("m1", "u1", 0, "k", [math.nan]))
        assert file.read_bytes() == before

    def test_a_blank_goal_or_a_summary_cut_off(self, file: Path) -> None:
        before = filled(file, *opening())
        store = JsonlSessionStore.open(file)
        for broken in (summary(" "), {"goal": "cut o"}):
            entry = compaction("k", "u2") | {"summary": broken}
            with pytest.raises(SessionEntryError, match=r"k\.summary"):
                store.append(parse_session_entry(entry))
        assert file.read_bytes() == before

    def test_json_too_deep_to_be_written(self, file: Path) -> None:
        before = filled(file, user("u1"))
        deep: Any = []
        for _ in range(100_000):
            deep = [deep]
        store = JsonlSessionStore.open(file)
        with pytest.raises(SessionStoreError, match="'m1' is nested too deeply"):
            store.append(*parsed(metadata("m1", deep)))
        assert file.read_bytes() == before
        assert len(store.entries()) == 1

    def test_a_file_that_has_grown_since(self, file: Path) -> None:
        filled(file, user("u1"))
        one, other = JsonlSessionStore.open(file), JsonlSessionStore.open(file)
        other.append(*parsed(user("u2")))
        before = file.read_bytes()
        with pytest.raises(SessionStoreError, match=r"'u3' was not written\. Open it again"):
            one.append(*parsed(user("u3")))
        assert file.read_bytes() == before
        JsonlSessionStore.open(file).append(*parsed(user("u3")))

    def test_a_file_that_was_made_by_somebody_else_since(self, file: Path) -> None:
        store = JsonlSessionStore.open(file)
        before = filled(file, user("u1"))
        with pytest.raises(SessionStoreError, match="has changed"):
            store.append(*parsed(user("u2")))
        assert file.read_bytes() == before

    def test_a_file_that_was_cut_since(self, file: Path) -> None:
        before = filled(file, user("u1"))
        store = JsonlSessionStore.open(file)
        file.write_bytes(before[:-1])
        with pytest.raises(SessionStoreError, match="has changed"):
            store.append(*parsed(user("u2")))
        assert file.read_bytes() == before[:-1]

    def test_a_file_that_has_gone_since_is_not_made_anew(self, file: Path) -> None:
        filled(file, user("u1"))
        store = JsonlSessionStore.open(file)
        file.unlink()
        with pytest.raises(SessionStoreError, match="'u2' was not written") as caught:
            store.append(*parsed(user("u2")))
        assert isinstance(caught.value.__cause__, FileNotFoundError)
        assert not file.exists()
        assert [entry.id for entry in store.entries()] == ["u1"]

    def test_a_folder_that_is_not_there(self, tmp_path: Path) -> None:
        store = JsonlSessionStore.open(tmp_path / "no" / "session.jsonl")
        with pytest.raises(SessionStoreError, match="'u1' was not written"):
            store.append(*parsed(user("u1")))
        (tmp_path / "no").mkdir()
        store.append(*parsed(user("u1")))
        assert len(JsonlSessionStore.open(tmp_path / "no" / "session.jsonl").entries()) == 1


class TestUncommittedTail:
    @pytest.mark.parametrize(
        "tail",
        [
            b'{"type":"message","id":"a1","par',
            json.dumps(assistant("a1")).encode(),
            b" ",
            b"\xe4\xbc",
            b"\x00\x00\x00",
            b"\r",
        ],
        ids=["torn", "whole", "blank", "half a character", "zeros", "carriage return"],
    )
    def test_it_is_reported_left_alone_and_makes_the_store_read_only(
        self, file: Path, tail: bytes
    ) -> None:
        committed = filled(file, user("u1"), assistant("a0"))
        file.write_bytes(committed + tail)
        store = JsonlSessionStore.open(file)
        assert [entry.id for entry in store.entries()] == ["u1", "a0"]
        assert [(each.code, each.line) for each in store.warnings] == [("uncommitted-tail", 3)]
        assert "line 3" in store.warnings[0].message
        with pytest.raises(SessionStoreError, match=r"read-only.*line 3.*[Rr]epair") as caught:
            store.append(*parsed(user("u2")))
        assert (caught.value.line, caught.value.ids) == (3, ("u2",))
        assert file.read_bytes() == committed + tail

    def test_every_cut_of_the_last_line_keeps_what_was_committed(self, file: Path) -> None:
        whole = filled(file, user("u1"), user("u2", "会话"))
        committed = whole.index(b"\n") + 1
        for size in range(len(whole) + 1):
            file.write_bytes(whole[:size])
            store = JsonlSessionStore.open(file)
            count = whole[:size].count(b"\n")
            assert len(store.entries()) == count
            torn = size not in (0, committed, len(whole))
            assert [each.line for each in store.warnings] == ([count + 1] if torn else [])

    def test_after_the_callers_repair_it_goes_on(self, file: Path) -> None:
        committed = filled(file, user("u1"))
        file.write_bytes(committed + b'{"type":"mess')
        assert JsonlSessionStore.open(file).warnings
        os.truncate(file, len(committed))
        store = JsonlSessionStore.open(file)
        store.append(*parsed(user("u2")))
        assert [entry.id for entry in JsonlSessionStore.open(file).entries()] == ["u1", "u2"]

    def test_the_warnings_are_the_callers_list(self, file: Path) -> None:
        file.write_bytes(b"{")
        store = JsonlSessionStore.open(file)
        store.warnings.clear()
        assert len(store.warnings) == 1


GOOD = line(user("u2"))
BAD_LINES = {
    "blank": b"\n",
    "white": b"  \t\n",
    "no JSON": b"hello\n",
    "no entry": b"[]\n",
    "a header": b'{"type":"session","version":3,"id":"s"}\n',
    "half a record": GOOD[:20] + b"\n",
    "two records": GOOD[:-1] + GOOD,
    "a byte order mark": b"\xef\xbb\xbf" + GOOD,
    "a NUL": b"\x00" + GOOD,
    "not UTF-8": GOOD.replace(b'"q"', b'"\xff"'),
    "an overlong surrogate": GOOD.replace(b'"q"', b'"\xed\xa0\x80"'),
    "UTF-16": GOOD.decode().strip().encode("utf-16") + b"\n",
    "a key twice": GOOD.replace(b'"timestamp": 1}}', b'"timestamp": 0, "timestamp": 1}}'),
    "NaN": GOOD.replace(b'"timestamp": 1}}', b'"timestamp": NaN}}'),
    "infinity": GOOD.replace(b'"timestamp": 1}}', b'"timestamp": -Infinity}}'),
    "too large": GOOD.replace(b'"timestamp": 1}}', b'"timestamp": 1e999}}'),
    "far too large": GOOD.replace(b'"timestamp": 1}}', b'"timestamp": 1' + b"0" * 5000 + b"}}"),
    "too deep": b"[" * 100_000 + b"]" * 100_000 + b"\n",
    "the same id": line(metadata("u1")),
}


class TestBadCommittedLine:
    @pytest.mark.parametrize("kind", BAD_LINES)
    def test_it_is_an_error_with_its_number(self, file: Path, kind: str) -> None:
        assert BAD_LINES[kind] != GOOD
        file.write_bytes(line(user("u1")) + BAD_LINES[kind] + line(user("u3")))
        error = refused(file)
        assert error.line == 2
        assert "line 2" in str(error)
        assert len(str(error)) < 1000

    def test_a_wrong_field_is_named_by_its_path(self, file: Path) -> None:
        wrong = user("u2")
        wrong["message"]["content"] = None
        filled(file, user("u1"), wrong)
        error = refused(file)
        assert "line 2: u2.message.content" in str(error)
        assert error.ids == ("u2",)
        assert isinstance(error.__cause__, SessionEntryError)

    def test_a_line_without_an_id_names_none(self, file: Path) -> None:
        file.write_bytes(b'{"type": "message"}\n')
        error = refused(file)
        assert "line 1: entry.id: is missing" in str(error)
        assert error.ids == ()

    @pytest.mark.parametrize("kind", ["NaN", "infinity", "too large"])
    def test_a_number_that_is_none_is_named_by_its_path(self, file: Path, kind: str) -> None:
        file.write_bytes(BAD_LINES[kind])
        assert "line 1: u2.message.timestamp" in str(refused(file))

    def test_two_records_on_one_line_say_where_the_second_begins(self, file: Path) -> None:
        file.write_bytes(BAD_LINES["two records"])
        assert f"at character {len(GOOD)}" in str(refused(file))

    def test_the_first_bad_line_speaks(self, file: Path) -> None:
        file.write_bytes(GOOD + b"x\ny\n")
        assert refused(file).line == 2

    def test_a_tail_does_not_hide_it(self, file: Path) -> None:
        file.write_bytes(b"x\n{")
        assert refused(file).line == 1

    def test_a_carriage_return_before_the_newline_is_white_space_to_json(self, file: Path) -> None:
        before = line(user("u1")).replace(b"\n", b"\r\n")
        file.write_bytes(before)
        store = JsonlSessionStore.open(file)
        store.append(*parsed(user("u2")))
        assert [entry.id for entry in JsonlSessionStore.open(file).entries()] == ["u1", "u2"]
        assert file.read_bytes().startswith(before)


class TestWhatIsNoFile:
    def test_a_folder(self, tmp_path: Path) -> None:
        with pytest.raises(SessionStoreError, match="can't be read") as caught:
            JsonlSessionStore.open(tmp_path)
        assert str(tmp_path) in str(caught.value)
        assert isinstance(caught.value.__cause__, IsADirectoryError)

    def test_a_path_through_a_file(self, file: Path) -> None:
        file.write_bytes(b"")
        with pytest.raises(SessionStoreError, match="can't be read"):
            JsonlSessionStore.open(file / "session.jsonl")

    def test_a_file_that_became_a_folder(self, file: Path) -> None:
        store = JsonlSessionStore.open(file)
        file.mkdir()
        with pytest.raises(SessionStoreError, match="'u1' was not written"):
            store.append(*parsed(user("u1")))
