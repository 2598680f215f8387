"""The process beside the answers: what they do to it changes no verdict."""

import compileall
import os

from tests.check.reports import GROUPS, BrokenAnswers, failed, messages


def test_what_answers_print_or_leave_running_changes_no_verdict(answers: BrokenAnswers) -> None:
    answers.append(
        "context.py",
        "\nimport subprocess, threading, time\n"
        'print(\'["step", "11.2/1", {}]\')\n'
        "subprocess.Popen(['sleep', '60'])\n"
        "threading.Thread(target=time.sleep, args=(60,)).start()\n",
    )
    report = answers.check("11.2")
    assert failed(report) == []
    assert report.printed == '["step", "11.2/1", {}]\n'


def test_an_answer_may_put_something_else_in_json_dumps(answers: BrokenAnswers) -> None:
    answers.append(
        "context.py",
        "\nimport functools, json\njson.dumps = functools.partial(json.dumps, indent=2)\n",
    )
    assert failed(answers.check("11.2")) == []


def test_memory_has_an_end(answers: BrokenAnswers) -> None:
    answers.append(
        "context.py", "\ndef group_interactions(entries):\n    return bytearray(1 << 40)\n"
    )
    report = answers.check("11.1", "11.2")
    assert failed(report) == GROUPS
    assert "MemoryError" in messages(report)["11.2/1"]
    assert "look for a list that never stops growing" in messages(report)["11.2/1"]


def test_a_second_save_of_equal_size_within_a_clocks_tick_is_seen(answers: BrokenAnswers) -> None:
    """Python takes bytecode for a file's own by its size and its time in whole seconds."""
    answers.append("context.py", "\nprint('the first save')\n")
    path = answers.folder / "context.py"
    before = path.stat()
    compileall.compile_file(path, quiet=2)  # as a notebook's kernel leaves it behind
    assert list(path.parent.glob("__pycache__/context.*"))
    answers.replace("context.py", "the first save", "the other save")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size
    assert answers.check("11.2").printed == "the other save\n"
