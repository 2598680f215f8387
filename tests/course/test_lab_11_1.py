"""What lab 11.1 says of records: places as Python calls them."""

import pytest

from tests.check.explained import replaced
from tests.solutions.answers import messages


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
