"""What a diagnosis keeps of an entry."""

from coursekit.diagnose.entry_record import EntryRecord
from tests.diagnose.damaged_files import answer, compaction, result, user


def test_calls_results_and_usage_are_read_from_messages() -> None:
    asked = EntryRecord(answer("a", "u", "k1", "k2", stop="toolUse", usage=5), 3)
    assert (asked.id, asked.parent, asked.line) == ("a", "u", 3)
    assert (asked.calls, asked.stop, asked.has_usage) == (["k1", "k2"], "toolUse", True)
    assert EntryRecord(result("r", "a", "k1"), 4).result == "k1"
    assert EntryRecord(compaction("x", "r", "u"), 5).first_kept == "u"


def test_a_usage_of_zeros_counts_as_none() -> None:
    assert not EntryRecord(answer("a", "u"), 1).has_usage


def test_an_interaction_starts_at_a_user_message() -> None:
    assert EntryRecord(user("u", None), 1).starts_interaction
    assert not EntryRecord(answer("a", "u"), 2).starts_interaction


def test_a_field_of_another_type_is_as_good_as_missing() -> None:
    record = EntryRecord({"id": 5, "type": None, "parentId": [], "message": "q"}, 1)
    assert (record.id, record.type, record.parent, record.calls) == (None, "", None, [])
