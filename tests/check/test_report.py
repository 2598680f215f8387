"""Answers that never end, or end everything: a clear sentence, and no other check lost."""

from collections.abc import Callable
from pathlib import Path

import pytest
from coursekit.workbook.answers import observe_answers
from coursekit.workbook.cases import build
from coursekit.workbook.checks import Report, run

from coursekit.check.source_text import function_source, splice_function
from coursekit.course import COURSE
from coursekit.workbook import answers
from coursekit.workbook.attempt import report_text

Broken = Callable[..., Path]
GROUPS = ["11.2/1", "11.2/2", "11.2/3"]
RECORDS = ["11.1/1", "11.1/2", "11.1/3"]


@pytest.fixture(autouse=True)
def _short_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test needs to wait for the real limit of a loop that never ends."""
    monkeypatch.setattr(answers, "TIME_LIMIT", 2.0)
    monkeypatch.setattr(answers, "LATER_TIME_LIMIT", 1.0)


def red(report: Report) -> list[str]:
    return [result.name for result in report.results if not result.passed]


def messages(report: Report) -> dict[str, str]:
    return {result.name: " ".join(result.message.split()) for result in report.results}


def test_solved_answers_pass_all_checks(broken: Broken) -> None:
    report = run([], broken("session.py"))
    assert red(report) == []
    assert report.total == 14
    assert report.printed == ""


def test_an_endless_loop_is_told_with_its_line(broken: Broken) -> None:
    text = "\ndef group_interactions(entries):\n    at = 0\n    while at < 1:\n        at *= 2\n"
    report = run(["11.1", "11.2"], broken("context.py", text))
    assert red(report) == GROUPS
    for name in GROUPS:
        told = messages(report)[name]
        assert "it had not come to an end when its time was up" in told
        assert "at context.py, line" in told
        assert "while at < 1:" in told or "at *= 2" in told


def test_an_endless_loop_while_importing_costs_what_imports_it(broken: Broken) -> None:
    report = run(["11.1", "11.2", "11.4"], broken("context.py", "\nwhile True:\n    pass\n"))
    assert red(report) == [*GROUPS, "11.4/1", "11.4/2"]
    told = messages(report)["11.4/2"]
    assert "while context.py was imported, it had not come to an end" in told


def test_endless_printing_is_stopped(broken: Broken) -> None:
    text = "\ndef group_interactions(entries):\n    while True:\n        print('so ' * 100)\n"
    report = run(["11.1", "11.2"], broken("context.py", text))
    assert red(report) == GROUPS
    assert "it was stopped because it printed without end" in messages(report)["11.2/1"]
    assert report.printed.startswith("so so so")
    assert len(report.printed) <= answers.PRINTED


def test_endless_recursion_is_told_with_its_line(broken: Broken) -> None:
    text = "\ndef group_interactions(entries):\n    return group_interactions(entries)\n"
    report = run(["11.1", "11.2"], broken("context.py", text))
    assert red(report) == GROUPS
    told = messages(report)["11.2/1"]
    assert "RecursionError: maximum recursion depth exceeded" in told
    assert "return group_interactions(entries)" in told


def test_endless_hunger_is_told(broken: Broken) -> None:
    text = "\ndef group_interactions(entries):\n    return bytearray(1 << 40)\n"
    report = run(["11.1", "11.2"], broken("context.py", text))
    assert red(report) == GROUPS
    assert "MemoryError" in messages(report)["11.2/1"]
    assert "look for a list that never stops growing" in messages(report)["11.2/1"]


def test_a_syntax_error_is_told_once_and_with_its_line(broken: Broken) -> None:
    report = run(["11.1", "11.2"], broken("context.py", "\ndef oops((\n    pass\n"))
    assert red(report) == GROUPS
    told = messages(report)["11.2/1"]
    assert "context.py can't be read: line" in told
    assert "'(' was never closed def oops((" in told
    assert "rule" not in told
    assert report_text(report).count("can't be read") == 1
    assert "the same as 11.2/1" in report_text(report)


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


@pytest.mark.parametrize(("function", "body", "lab", "told"), WRONG_KINDS)
def test_another_kind_of_result_is_told_plainly(
    broken: Broken, function: str, body: str, lab: str, told: str
) -> None:
    text = f"\nLIB = {function}\n\ndef {function}(*args, **options):\n    {body}\n"
    message = messages(run([lab], broken("context.py", text)))[f"{lab}/1"]
    assert told in message
    assert "Its parameters" not in message


def test_a_wrong_name_is_told_without_a_lecture_on_errors(broken: Broken) -> None:
    text = "\ndef group_interactions(entries):\n    return gruops  # " + "so " * 99 + "\n"
    told = messages(run(["11.2"], broken("context.py", text)))["11.2/3"]
    assert "NameError: name 'gruops' is not defined" in told
    assert "a caller can't tell" not in told
    assert "so …" in told or "s …" in told


def test_a_parser_without_return_is_told_in_every_check(broken: Broken) -> None:
    text = "\ndef parse_compaction(record):\n    pass\n"
    report = run(["11.1"], broken("session.py", text))
    assert red(report) == RECORDS
    for told in messages(report).values():
        assert "None: parse_compaction has no return on this way" in told


def test_what_a_given_function_refused_is_shown_with_the_lab_s_own_line(broken: Broken) -> None:
    whole = (
        "fields = summary_to_json(summary) if isinstance(summary, CompactionSummary) else summary"
    )
    report = run(["11.4"], broken("context.py", replace=(whole, "fields = summary")))
    told = messages(report)["11.4/1"]
    assert "at session.py, line" in told
    assert "called from context.py, line" in told
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
def test_a_deleted_function_is_told(broken: Broken, module: str, function: str, lab: str) -> None:
    report = run([lab], broken(module, f"\ndel {function}\n"))
    assert len(red(report)) == 3
    told = messages(report)[f"{lab}/1"]
    assert f"{module} has no function {function} any more." in told
    assert f"coursekit reset {lab} puts its stub back." in told


def test_a_file_that_has_another_name_is_told_once(broken: Broken) -> None:
    folder = broken("context.py")
    (folder / "context.py").rename(folder / "my_context.py")
    report = run(["11.1", "11.2"], folder)
    assert red(report) == GROUPS
    told = messages(report)["11.2/1"]
    assert "context.py is not there: give it its name again." in told
    assert "coursekit reset 11.2 puts the starter there." in told
    assert "rule" not in told
    assert report_text(report).count("is not there") == 1


def test_a_report_says_what_to_write_next_in_eighty_columns(folder: Path) -> None:
    text = report_text(run([], folder))
    assert "Next: write parse_compaction in session.py." in text
    assert text.endswith("For a hint: coursekit hint 11.1")
    assert max(map(len, text.splitlines())) <= 80
    # A lab's heading, and two lines for each check that has nothing but one line to say.
    assert len([line for line in text.splitlines() if not line]) == 0
    assert report_text(run(["11.2"], folder), "ask for {}").endswith("For a hint: ask for 11.2")


def test_a_look_at_what_no_call_gave_blames_nobody(folder: Path) -> None:
    """A check's later steps find nothing where the call before them gave nothing."""
    seen = observe_answers([build("11.1/1", 0)], folder).steps["11.1/1"]
    kinds = [next(iter(each)) for each in seen]
    assert "skipped" in kinds
    assert set(kinds) == {"unfinished", "skipped"}


def test_changed_parameters_are_told(broken: Broken) -> None:
    text = "\ndef group_interactions(entries, strict):\n    return []\n"
    report = run(["11.1", "11.2"], broken("context.py", text))
    assert red(report) == GROUPS
    told = messages(report)["11.2/1"]
    assert "TypeError: group_interactions() missing 1 required positional argument" in told
    assert "no longer those of the starter: group_interactions(entries)" in told


@pytest.mark.parametrize(
    ("end", "sentence"),
    [
        ("import os; os._exit(0)", "it ended the whole Python process"),
        ("import os; os._exit(7)", "it ended the whole Python process"),
        ("raise KeyboardInterrupt", "it ended the whole Python process"),
        ("import os; os.abort()", "it crashed Python itself"),
        ("import sys; sys.exit()", "SystemExit"),
        ("input()", "EOFError"),
    ],
)
def test_an_answer_that_ends_everything_costs_its_own_lab(
    broken: Broken, end: str, sentence: str
) -> None:
    report = run([], broken("context.py", f"\ndef restore(active_path):\n    {end}\n"))
    assert red(report) == ["11.5/1", "11.5/2", "11.5/3"]
    assert sentence in messages(report)["11.5/1"]
    assert sentence in messages(report)["11.5/3"]


def test_a_stub_of_an_earlier_lab_is_not_this_lab_s_fault(broken: Broken) -> None:
    text = "\ndef group_interactions(entries):\n    raise LabNotDone('Lab 11.2: not written yet')\n"
    report = run(["11.2", "11.4"], broken("context.py", text))
    assert messages(report)["11.2/1"] == "not started: Lab 11.2: not written yet"
    assert messages(report)["11.4/1"].endswith("not written yet. Lab 11.4 builds on it.")


NO_RESTORE = ('if any(entry.type == "compaction" for entry in active_path):', "if False:")


def test_a_restore_that_is_never_called_is_told(broken: Broken) -> None:
    report = run(["11.5"], broken("context.py", replace=NO_RESTORE))
    for name in ("11.5/1", "11.5/2", "11.5/3"):
        told = messages(report)[name]
        assert "note build_context did not call restore: see step 3 of its docstring" in told


def test_an_unwritten_restore_that_is_never_called_is_not_started(
    broken: Broken, tmp_path: Path
) -> None:
    path = broken("context.py", replace=NO_RESTORE) / "context.py"
    stub = function_source((COURSE.starters / "context.py").read_bytes(), "restore", "")
    path.write_bytes(splice_function(path.read_bytes(), "restore", stub, "context.py"))
    report = run(["11.5"], tmp_path)
    assert set(messages(report).values()) == {"not started: Lab 11.5: restore is not written yet"}


def test_what_answers_print_or_leave_running_changes_no_verdict(broken: Broken) -> None:
    text = (
        "\nimport subprocess, threading, time\n"
        'print(\'["step", "11.2/1", {}]\')\n'
        "subprocess.Popen(['sleep', '60'])\n"
        "threading.Thread(target=time.sleep, args=(60,)).start()\n"
    )
    report = run(["11.2"], broken("context.py", text))
    assert red(report) == []
    assert report.printed == '["step", "11.2/1", {}]\n'


def test_an_answer_may_put_something_else_in_json_dumps(broken: Broken) -> None:
    text = "\nimport functools, json\njson.dumps = functools.partial(json.dumps, indent=2)\n"
    assert red(run(["11.2"], broken("context.py", text))) == []


def test_answers_that_are_missing_are_told(tmp_path: Path) -> None:
    report = run(["11.2"], tmp_path)
    assert red(report) == GROUPS
    assert "session.py is not there" in messages(report)["11.2/1"]
