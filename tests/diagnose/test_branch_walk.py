"""Calls, results and compactions along the branches."""

from coursekit.diagnose import diagnose_bytes
from tests.diagnose.damaged_files import (
    U1,
    answer,
    compaction,
    entry,
    findings_of,
    pi_file,
    result,
    user,
)


def test_a_call_id_may_come_again_in_a_later_interaction() -> None:
    turns = [U1, answer("c1", "u1", "k"), result("r1", "c1", "k"), user("u2", "r1")]
    turns += [answer("c2", "u2", "k"), result("r2", "c2", "k")]
    assert findings_of(pi_file(*turns)) == []


def test_another_branch_has_its_own_calls_and_results() -> None:
    # Both answers of u1 make the call k; each branch has its result, so nothing is doubled.
    turns = [U1, answer("c1", "u1", "k"), result("r1", "c1", "k")]
    turns += [answer("c2", "u1", "k"), result("r2", "c2", "k")]
    assert findings_of(pi_file(*turns)) == []


def test_results_out_of_order_and_messages_of_extensions_split_no_interaction() -> None:
    turns = [U1, answer("c", "u1", "k1", "k2"), result("r2", "c", "k2")]
    turns += [entry("custom_message", "m", "r2", content="note"), result("r1", "m", "k1")]
    assert findings_of(pi_file(*turns)) == []


def test_two_compactions_around_an_open_call_are_both_named() -> None:
    # orphan-after-two-compactions: K comes between a call and its result, a second keeps from it.
    turns = [U1, answer("c1", "u1", "k1"), compaction("x1", "c1", "u1"), result("r1", "x1", "k1")]
    turns += [answer("a1", "r1"), compaction("x2", "a1", "x1"), user("u2", "x2")]
    found = findings_of(pi_file(*turns))
    assert ("compaction-in-call", 4, ("x1", "k1")) in found
    assert ("first-kept-inside", 7, ("x2", "x1", "k1")) in found
    assert len(found) == 2


def test_many_open_calls_are_shown_in_part() -> None:
    calls = [f"k{number}" for number in range(20)]
    turns = [U1, answer("c", "u1", *calls), compaction("x", "c", "u1")]
    (finding,) = (
        each for each in diagnose_bytes(pi_file(*turns)) if each.code == "compaction-in-call"
    )
    assert finding.ids == ("x", *calls[:8])
    assert finding.message.endswith("'k7' and 12 more")


def test_a_call_is_reported_once_however_many_branches_leave_it_open() -> None:
    turns = [U1, answer("c", "u1", "k"), user("u2", "c"), user("u3", "c")]
    # On the last branch it is answered, and behind the answer it is not open.
    turns += [result("r", "c", "k"), user("u4", "r"), user("u5", "r")]
    assert findings_of(pi_file(*turns)) == [("missing-result", 3, ("c", "k"))]


def test_a_user_message_inside_a_call_names_the_call_and_the_result() -> None:
    turns = [U1, answer("c1", "u1", "k"), user("u2", "c1"), result("r1", "u2", "k")]
    assert findings_of(pi_file(*turns)) == [
        ("missing-result", 3, ("c1", "k")),
        ("orphan-result", 5, ("r1", "k")),
    ]
