"""What an account counts, and what it is as JSON."""

from coursekit.grading.intake.account import Account, FileAccount, StudentAccount

TAKEN = FileAccount("Ana/session.py", "taken")
ENVIRONMENT = FileAccount("Ana/.venv", "set aside", "an environment, not an answer", 7)
STRAY = FileAccount("notes", "not understood", "no student is named in its path")
ANA = StudentAccount(
    "Ana",
    "Ana Lima",
    "12",
    "incomplete",
    None,
    ("one", "two"),
    ["context.py"],
    [TAKEN, ENVIRONMENT],
)


def test_a_folder_that_is_not_entered_counts_as_all_its_files() -> None:
    account = Account("folders", [ANA], [STRAY])
    assert account.files() == [TAKEN, ENVIRONMENT, STRAY]
    assert account.counts() == {"taken": 1, "set aside": 7, "not understood": 1}


def test_as_json_it_has_every_file() -> None:
    assert Account("folders", [ANA], [STRAY]).to_json() == {
        "layout": "folders",
        "counts": {"files": 9, "taken": 1, "set aside": 7, "not understood": 1},
        "students": [
            {
                "student": "Ana",
                "name": "Ana Lima",
                "id": "12",
                "status": "incomplete",
                "late": None,
                "attempts": ["one", "two"],
                "missing": ["context.py"],
                "files": [TAKEN.to_json(), ENVIRONMENT.to_json()],
            }
        ],
        "others": [STRAY.to_json()],
    }
