"""Reports of broken answers: a clear sentence for each fault, and no other check lost."""

from pathlib import Path

import pytest

from coursekit.check.outcome import NotStarted
from coursekit.check.report import check_answers, checks_of
from coursekit.check.source_text import function_source, splice_function
from coursekit.course import COURSE
from tests.check.reports import GROUPS, RECORDS, BrokenAnswers, failed, messages


def test_right_answers_pass_all_checks(answers: BrokenAnswers) -> None:
    report = answers.check()
    assert failed(report) == []
    assert report.total == 14
    assert report.printed == ""


def test_a_report_as_json_has_every_check_of_each_lab(answers: BrokenAnswers) -> None:
    answers.append("context.py", "\ndel restore\n")
    report = answers.check()
    labs = report.to_json()["labs"]
    assert isinstance(labs, dict)
    assert list(labs) == [lab.id for lab in COURSE.labs]
    assert labs["11.5"] == {
        "passed": 0,
        "total": 3,
        "checks": [
            {"name": each.name, "passed": False, "message": each.message}
            for each in report.labs()["11.5"]
        ],
    }
    assert (report.passed, report.total) == (11, len(checks_of(COURSE)))


def test_a_syntax_error_comes_with_its_line_and_no_rule(answers: BrokenAnswers) -> None:
    answers.append("context.py", "\ndef oops((\n    pass\n")
    report = answers.check("11.1", "11.2")
    assert failed(report) == GROUPS
    message = messages(report)["11.2/1"]
    assert "context.py can't be read: line" in message
    assert "'(' was never closed def oops((" in message
    assert "rule" not in message


def test_endless_recursion_is_reported_with_its_line(answers: BrokenAnswers) -> None:
    answers.append(
        "context.py", "\ndef group_interactions(entries):\n    return group_interactions(entries)\n"
    )
    report = answers.check("11.1", "11.2")
    assert failed(report) == GROUPS
    message = messages(report)["11.2/1"]
    assert "RecursionError: maximum recursion depth exceeded" in message
    assert "return group_interactions(entries)" in message


WRONG_KINDS = [
    ("group_interactions", "pass", "11.2", "None: group_interactions has no return on this way"),
    (
        "group_interactions",
        "return [[each] for each in args[0]]",
        "11.2",
        "a list of lists, not a list of InteractionGroup",
    ),
    ("group_interactions", "return 5", "11.2", "int, not a list of InteractionGroup"),
    (
        "group_interactions",
        "return iter(LIB(*args))",
        "11.2",
        "it returned a list_iterator, not a list",
    ),
    (
        "group_interactions",
        "return (each for each in LIB(*args))",
        "11.2",
        "it returned a generator, not a list",
    ),
    ("build_context", "pass", "11.3", "None: build_context has no return on this way"),
    ("build_context", "return {}", "11.3", "dict, not a BuildContextResult"),
    ("create_compaction_entry", "pass", "11.4", "None: create_compaction_entry has no return"),
    ("restore", "pass", "11.5", "restore returned None at context.py, line"),
]


@pytest.mark.parametrize(("function", "body", "lab", "sentence"), WRONG_KINDS)
def test_another_kind_of_result_is_named(
    answers: BrokenAnswers, function: str, body: str, lab: str, sentence: str
) -> None:
    answers.append(
        "context.py", f"\nLIB = {function}\n\ndef {function}(*args, **options):\n    {body}\n"
    )
    message = messages(answers.check(lab))[f"{lab}/1"]
    assert sentence in message
    assert "Its parameters" not in message


def test_a_wrong_name_is_reported_without_a_lecture_on_errors(answers: BrokenAnswers) -> None:
    answers.append(
        "context.py",
        "\ndef group_interactions(entries):\n    return gruops  # " + "so " * 99 + "\n",
    )
    message = messages(answers.check("11.2"))["11.2/3"]
    assert "NameError: name 'gruops' is not defined" in message
    assert "a caller can't tell" not in message
    assert "so …" in message or "s …" in message


def test_a_parser_without_return_is_named_in_every_check(answers: BrokenAnswers) -> None:
    answers.append("session.py", "\ndef parse_compaction(record):\n    pass\n")
    report = answers.check("11.1")
    assert failed(report) == RECORDS
    for message in messages(report).values():
        assert "None: parse_compaction has no return on this way" in message


def test_what_a_starter_s_function_refused_is_shown_with_the_lab_s_own_line(
    answers: BrokenAnswers,
) -> None:
    answers.replace(
        "context.py",
        "= summary_to_json(summary) if isinstance(summary, CompactionSummary) else summary",
        "= summary",
    )
    report = answers.check("11.4")
    message = messages(report)["11.4/1"]
    assert "at session.py, line" in message
    assert "called from context.py, line" in message
    for name in ("11.4/1", "11.4/2"):
        assert "read “The parser checks the record” in" in messages(report)[name]


@pytest.mark.parametrize(
    ("module", "function", "lab"),
    [
        ("session.py", "parse_compaction", "11.1"),
        ("context.py", "group_interactions", "11.2"),
        ("context.py", "restore", "11.5"),
    ],
)
def test_a_deleted_function_is_named(
    answers: BrokenAnswers, module: str, function: str, lab: str
) -> None:
    answers.append(module, f"\ndel {function}\n")
    report = answers.check(lab)
    assert len(failed(report)) == 3
    message = messages(report)[f"{lab}/1"]
    assert f"{module} has no function {function} any more." in message
    assert f"coursekit reset {lab} puts its stub back." in message


def test_a_file_that_has_another_name_is_missed(answers: BrokenAnswers) -> None:
    (answers.folder / "context.py").rename(answers.folder / "my_context.py")
    report = answers.check("11.1", "11.2")
    assert failed(report) == GROUPS
    message = messages(report)["11.2/1"]
    assert "context.py is not there: give it its name again." in message
    assert "coursekit reset 11.2 puts the starter there." in message
    assert "rule" not in message


def test_answers_that_are_missing_are_named(tmp_path: Path) -> None:
    report = check_answers(COURSE, ["11.2"], tmp_path)
    assert failed(report) == GROUPS
    assert "session.py is not there" in messages(report)["11.2/1"]


def test_changed_parameters_are_named(answers: BrokenAnswers) -> None:
    answers.append("context.py", "\ndef group_interactions(entries, strict):\n    return []\n")
    report = answers.check("11.1", "11.2")
    assert failed(report) == GROUPS
    message = messages(report)["11.2/1"]
    assert "TypeError: group_interactions() missing 1 required positional argument" in message
    assert "no longer those of the starter: group_interactions(entries)" in message


def test_a_stub_of_an_earlier_lab_is_not_this_lab_s_fault(answers: BrokenAnswers) -> None:
    answers.append(
        "context.py",
        "\ndef group_interactions(entries):\n    raise LabNotDone('Lab 11.2: not written yet')\n",
    )
    report = answers.check("11.2", "11.4")
    assert messages(report)["11.2/1"] == "not started: Lab 11.2: not written yet"
    assert messages(report)["11.4/1"].endswith("not written yet. Lab 11.4 builds on it.")


NO_RESTORE = ('if any(entry.type == "compaction" for entry in active_path):', "if False:")


def test_a_restore_that_is_never_called_is_noticed(answers: BrokenAnswers) -> None:
    answers.replace("context.py", *NO_RESTORE)
    report = answers.check("11.5")
    for name in ("11.5/1", "11.5/2", "11.5/3"):
        message = messages(report)[name]
        assert "note build_context did not call restore: see step 3 of its docstring" in message


def test_an_unwritten_restore_that_is_never_called_is_not_started(answers: BrokenAnswers) -> None:
    answers.replace("context.py", *NO_RESTORE)
    path = answers.folder / "context.py"
    stub = function_source((COURSE.starters / "context.py").read_bytes(), "restore", "")
    path.write_bytes(splice_function(path.read_bytes(), "restore", stub, "context.py"))
    report = answers.check("11.5")
    assert set(messages(report).values()) == {"not started: Lab 11.5: restore is not written yet"}
    assert all(isinstance(result.outcome, NotStarted) for result in report.results)
