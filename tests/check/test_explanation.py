"""Messages: what was called, expected and got, the rule, and where to read about it."""

import pytest

from coursekit.check.case import PLAIN, Case, Rule, Step, Wording
from coursekit.check.explanation import explain
from coursekit.check.outcome import EndedEarly, Failed, Incomplete, NotStarted, Passed
from coursekit.check.protocol import Ended, Place, Request, Returned
from coursekit.course import COURSE
from coursekit.course.groups_wording import GROUPS
from coursekit.course.lab_11_1 import PARSE
from coursekit.course.steps import SHARING
from tests.solutions.answers import Answers, messages, right

RULE = Rule("A rule.", "A heading")


def case(wording: Wording = PLAIN, check: str = "11.2/1") -> Case:
    return Case(check, 0, [Step(Request("group", {}), "a call", RULE, wording=wording)])


def message_of(expected: Returned, observed: Returned) -> str:
    """The message about groups that differ."""
    return explain(COURSE, case(GROUPS), Failed(0, expected, observed))


def replaced(module: str, old: str, new: str) -> Answers:
    """The right answers, one text in them another."""
    assert right().text(module).count(old) == 1
    return right().changed(module, lambda text: text.replace(old, new))


def appended(text: str) -> Answers:
    """The right answers, with text at the end of `context.py`."""
    return right().changed("context.py", lambda own: own + text)


def groups(*ids: str) -> Returned:
    return Returned([[{"id": each} for each in group.split()] for group in ids])


def test_a_message_has_call_rule_and_place() -> None:
    message = message_of(groups("u1 a1"), groups())
    assert message == "\n".join(
        [
            "  call      a call",
            "  groups       expected  got",
            "            -> u1 a1     none",
            "  rule      A rule.",
            "  read      “A heading” in 11_2_interactions.ipynb",
        ]
    )


def test_wide_groups_stand_below_each_other() -> None:
    long = " ".join(f"entry-{i:06x}" for i in range(5))
    message = message_of(groups("u1", long), groups("u1", "u2"))
    assert "1. u1: as expected" in message
    assert "2. expected  entry-000000 entry-000001" in message
    assert "   got       u2" in message
    assert max(map(len, message.splitlines())) <= 76


def test_more_groups_than_anybody_reads_are_counted() -> None:
    many = groups(*(f"u{i}" for i in range(10_000)))
    lines = message_of(groups("u0"), many).splitlines()
    assert len(lines) < 50
    assert any(line.strip() == "and 9960 more" for line in lines)


def test_the_token_table_marks_its_first_wrong_row() -> None:
    answers = replaced(
        "context.py",
        "max_tokens - system - reserved_output - safety_margin",
        "max_tokens - system - reserved_output",
    )
    message = messages(answers, ["11.3/1"])["11.3/1"]
    marked = [line for line in message.splitlines() if "<- here" in line]
    assert [" ".join(line.split()) for line in marked] == [
        "= available_for_messages 22 24 <- here"  # the opening's 31 - 3 - 4, without the margin
    ]


def test_a_learner_s_line_is_shown_and_a_starter_function_s_is_not() -> None:
    answers = replaced(
        "session.py",
        'tokens_before=read_non_negative(record["tokensBefore"]',
        'tokens_before=read_non_negative(-1 - record["tokensBefore"]',
    )
    message = messages(answers, ["11.1/1"])["11.1/1"]
    assert "SessionEntryError: compact-1.tokensBefore: must not be negative" in message
    assert 'read_non_negative(-1 - record["tokensBefore"]' in " ".join(message.split())
    assert "Traceback" not in message


def test_a_place_is_named_as_the_call_names_it() -> None:
    changed = "message.content[0].arguments"
    shared = (
        "\nOWN = group_interactions\n\ndef group_interactions(entries):\n"
        "    known = {each.id: each for each in entries}\n"
        "    return [\n"
        "        InteractionGroup([known[each.id] for each in group.entries])\n"
        "        for group in OWN(entries)\n"
        "    ]\n"
    )
    message = messages(appended(shared), ["11.2/1"])["11.2/1"]
    assert f"change groups[-1].entries[1].{changed}" in message
    assert f"it shows at path[5].{changed}" in message


def test_no_message_quotes_the_reference() -> None:
    """What a message shows of code is the answer's own."""
    body = right().context
    empty = appended("\n\ndef group_interactions(entries):\n    return []\n")
    for message in messages(empty, ["11.2/1", "11.2/2", "11.2/3"]).values():
        for line in body.splitlines():
            if len(line.strip()) > 20:
                assert line.strip() not in message


RESTORED_WRONG = [
    ("compaction.timestamp),", "0),", "The summary becomes one user message in front"),
    (
        "summary_to_json(compaction.summary).items()",
        "reversed(summary_to_json(compaction.summary).items())",
        "The summary becomes one user message in front",
    ),
    ("active_path[starts[0] :]", "active_path[starts[0] : at]", "Behind it come the messages"),
    ("spent = cost_of(MessageSessionEntry(", "cost_of(MessageSessionEntry(", "The summary's cost"),
]


@pytest.mark.parametrize(("old", "new", "rule"), RESTORED_WRONG)
def test_the_rule_follows_the_fault_in_every_check_of_restoring(
    old: str, new: str, rule: str
) -> None:
    answers = replaced("context.py", old, new)
    for name, message in messages(answers, ["11.5/1", "11.5/2", "11.5/3"]).items():
        assert rule in " ".join(message.split()), (name, message)


@pytest.mark.parametrize(
    ("old", "new", "blamed"),
    [
        (
            "costs[first - 1] <= available",
            "costs[first - 1] < available",
            "Metadata holds no message",
        ),
        (
            "max_tokens - system - reserved_output - safety_margin",
            "max_tokens - system - reserved_output",
            "An empty system prompt costs 0",
        ),
    ],
)
def test_a_common_fault_is_not_blamed_on_a_special_case_at_any_variant(
    old: str, new: str, blamed: str
) -> None:
    answers = replaced("context.py", old, new)
    for variant in range(20):
        message = messages(answers, ["11.3/1"], variant)["11.3/1"]
        assert message, variant
        assert blamed not in " ".join(message.split()), variant


def test_what_a_summary_in_front_lacks_is_listed_by_itself() -> None:
    answers = replaced(
        "context.py",
        "summary_to_json(compaction.summary).items()",
        "list(summary_to_json(compaction.summary).items())[:5]",
    )
    message = messages(answers, ["11.5/1"])["11.5/1"]
    assert "expected  all 7 values of the summary in the first message, in order" in message
    listed = message.partition("5 of them in order. Missing, or in another place:")[2]
    # What the opening transcript's compaction says in its last two fields.
    assert [line.strip() for line in listed.splitlines()[1:3]] == [
        "'the write boundary'",
        "'confirm the JSONL boundary'",
    ]


@pytest.mark.parametrize(
    ("old", "new", "check", "place"),
    [
        (
            'changed_files=lists["changedFiles"]',
            'changed_files=record["summary"]["changedFiles"]',
            "11.1/1",
            "it shows at entry.summary.changed_files",
        ),
        (
            'changed_files=lists["changedFiles"]',
            'changed_files=lists["next"]',
            "11.1/1",
            "summary.changed_files: ['session.ts']",
        ),
        (
            'first_kept_entry_id=read_non_blank(\n            record["firstKeptEntryId"]',
            'first_kept_entry_id=read_non_blank(\n            record["parentId"]',
            "11.1/3",
            "[9].first_kept_entry_id: 'u2'",
        ),
    ],
)
def test_a_place_in_an_entry_is_called_as_python_calls_it(
    old: str, new: str, check: str, place: str
) -> None:
    message = messages(replaced("session.py", old, new), [check])[check]
    assert place in message
    assert not any(key in message for key in ("changedFiles", "firstKeptEntryId"))


def test_what_is_no_json_is_named_by_its_type() -> None:
    wrong = Failed(0, Returned({"id": "x"}), Returned({"id": {"python": "Name"}}))
    message = explain(COURSE, case(PARSE, "11.1/1"), wrong)
    assert "got       id: a Python Name" in message


def test_what_ended_early_is_shown_with_its_place() -> None:
    ended = EndedEarly(0, Returned([]), Ended("time", None, Place("context.py", 7, "while x:")))
    lines = [line.strip() for line in explain(COURSE, case(), ended).splitlines()]
    assert "at context.py, line 7:" in lines
    assert "while x:" in lines


def test_what_passed_needs_no_word_and_what_is_lacking_has_one() -> None:
    assert explain(COURSE, case(), Passed()) == ""
    assert "did not come to its end" in explain(COURSE, case(), Incomplete(0))
    own = explain(COURSE, case(), NotStarted(0, "Lab 11.2: f is not written yet"))
    assert own == "not started: Lab 11.2: f is not written yet"
    earlier = explain(COURSE, case(), NotStarted(0, "Lab 11.1: f is not written yet"))
    assert earlier.endswith(". Lab 11.2 builds on it.")


def test_what_was_expected_can_be_left_out() -> None:
    wrong = Failed(0, groups("secret"), groups("u1"))
    shown = explain(COURSE, case(), wrong)
    hidden = explain(COURSE, case(), wrong, show_expected=False)
    assert "secret" in shown
    assert "secret" not in hidden
    assert "expected" not in hidden
    assert {line.split()[0] for line in hidden.splitlines()} == {"call", "got", "rule", "read"}


def test_what_shows_its_expectation_in_other_words_loses_that_row_too() -> None:
    case = COURSE.case("11.1/1", 0)
    at = next(at for at, step in enumerate(case.steps) if step.wording is SHARING)
    wrong = Failed(at, Returned({"id": "a"}), Returned({"id": "b"}))
    shown, hidden = (
        explain(COURSE, case, wrong, show_expected=each).splitlines() for each in (True, False)
    )
    assert [line for line in shown if "  expected  " not in line] == hidden
    assert len(shown) == len(hidden) + 1
