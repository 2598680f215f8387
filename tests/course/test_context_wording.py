"""What is said of a built context: the first wrong row, the right rule, the missing values."""

import pytest

from tests.check.explained import replaced
from tests.solutions.answers import messages


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
